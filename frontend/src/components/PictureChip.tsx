/** A picture as a chip that shows it on a click, and only when it carries its own bytes in a harmless format. */
import { useState } from "react";
import { isInlinePicture, safeHref } from "../lib/links";
import { Icon } from "./Icon";
import styles from "./PictureChip.module.css";

interface PictureChipProps {
  label: string;
  /** Its address; null when it is gone. */
  load: () => Promise<string | null>;
}

type State = { step: "folded" | "loading" } | { step: "loaded"; address: string | null };

export function PictureChip({ label, load }: PictureChipProps) {
  const [state, setState] = useState<State>({ step: "folded" });
  const show = async () => {
    setState({ step: "loading" });
    setState({ step: "loaded", address: await load() });
  };
  const fold = () => setState({ step: "folded" });

  if (state.step === "loaded") return <Loaded label={label} address={state.address} onFold={fold} />;
  return (
    <button type="button" className={styles.chip} disabled={state.step === "loading"} onClick={() => void show()}>
      <Icon name="image" size={14} />
      {state.step === "loading" ? "Loading…" : label}
    </button>
  );
}

function Loaded({ label, address, onFold }: { label: string; address: string | null; onFold: () => void }) {
  if (address !== null && isInlinePicture(address)) {
    return (
      <button type="button" className={styles.picture} onClick={onFold} title="Hide the picture">
        <img src={address} alt={label} />
      </button>
    );
  }
  const href = address === null ? null : safeHref(address);
  return (
    <span className={styles.chip}>
      <Icon name="image" size={14} />
      {href === null ? (
        "This picture cannot be shown"
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer">
          Stored elsewhere: {new URL(href).host}
        </a>
      )}
    </span>
  );
}
