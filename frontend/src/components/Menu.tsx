/** Drop-down menus in the look of the dashboard. What they open with is loaded when somebody is about to open one. */
import { cloneElement, type KeyboardEvent, lazy, Suspense, useState } from "react";
import styles from "./Menu.module.css";
import type { OpenedMenuProps } from "./MenuParts";

const HOST = "menus";

/** Where menus open: inside the page's main part, so that they belong to a landmark. */
export const MenuHost = () => <div id={HOST} className={styles.host} />;

interface MenuProps extends Pick<OpenedMenuProps, "trigger" | "children"> {
  align?: OpenedMenuProps["align"];
}

const load = () => import("./MenuParts");
const prepare = () => void load();

const OpenedMenu = lazy(() => load().then((parts) => ({ default: parts.OpenedMenu })));
export const MenuItem = lazy(() => load().then((parts) => ({ default: parts.MenuItem })));
export const MenuChoice = lazy(() => load().then((parts) => ({ default: parts.MenuChoice })));
export const MenuLabel = lazy(() => load().then((parts) => ({ default: parts.MenuLabel })));
export const MenuLine = lazy(() => load().then((parts) => ({ default: parts.MenuLine })));

export function Menu({ trigger, children, align = "start" }: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const open = () => setWanted(true);
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => event.key === "ArrowDown" && open(),
    onPointerEnter: prepare,
    onFocus: prepare,
  });
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenedMenu trigger={trigger} align={align} host={document.getElementById(HOST)}>
        {children}
      </OpenedMenu>
    </Suspense>
  );
}
