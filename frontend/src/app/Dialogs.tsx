/** The dialogs that open from everywhere, one at a time: palette, keys, settings. */
import { lazy, Suspense, useRef, useState } from "react";
import { useAction } from "../lib/useAction";
import { Palette } from "./regions";

const HelpDialog = lazy(() => import("./HelpDialog").then((module) => ({ default: module.HelpDialog })));
const SettingsDialog = lazy(() => import("./SettingsDialog").then((module) => ({ default: module.SettingsDialog })));

type Name = "palette" | "help" | "settings";

export function Dialogs() {
  const [open, setOpen] = useState<Name | null>(null);
  const next = useRef<(() => void) | null>(null);
  useAction("palette.open", () => setOpen("palette"));
  useAction("help.open", () => setOpen("help"));
  useAction("settings.open", () => setOpen("settings"));

  /** What comes next finds the focus where it was before the dialog. */
  const close = (then: (() => void) | null = null) => {
    next.current = then;
    setOpen(null);
  };
  const goOn = () => {
    const run = next.current;
    next.current = null;
    run?.();
  };
  const closing = { onClose: () => close(), onClosed: goOn };

  return (
    <Suspense>
      {open === "palette" && <Palette onRun={close} {...closing} />}
      {open === "help" && <HelpDialog {...closing} />}
      {open === "settings" && <SettingsDialog onHelp={() => close(() => setOpen("help"))} {...closing} />}
    </Suspense>
  );
}
