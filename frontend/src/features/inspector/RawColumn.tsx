/** One stored value with its name and a button that copies it; long ones unfold. */
import { useState } from "react";
import { Icon } from "../../components/Icon";
import { useToast } from "../../components/Toasts";
import { bytes } from "../../lib/format";
import { copyText } from "../../lib/clipboard";
import styles from "./Inspector.module.css";
import type { Column } from "./rawColumns";

const SHORT = 600;

export function RawColumn({ name, value }: Column) {
  return (
    <div className={styles.column}>
      <dt>{name}</dt>
      <dd>
        {value === null ? <span className={styles.null}>null</span> : <code>{value === "" ? "(empty)" : value}</code>}
        {value !== null && <CopyButton name={name} text={value} />}
      </dd>
    </div>
  );
}

export function RawText({ name, text }: { name: string; text: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text !== null && text.length > SHORT;
  return (
    <section className={styles.text} aria-label={name}>
      <header>
        <h3>{name}</h3>
        {text !== null && <span>{bytes(new Blob([text]).size)}</span>}
        {text !== null && <CopyButton name={name} text={text} />}
      </header>
      {text === null ? <p className={styles.null}>null</p> : <pre>{isLong && !isOpen ? `${text.slice(0, SHORT)}…` : text}</pre>}
      {isLong && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : "Show all of it"}
        </button>
      )}
    </section>
  );
}

function CopyButton({ name, text }: { name: string; text: string }) {
  const toast = useToast();
  const copy = async () => {
    const copied = await copyText(text);
    toast(copied ? { text: `Copied ${name}` } : { text: "The browser did not allow copying", tone: "bad" });
  };
  return (
    <button type="button" className={styles.copy} aria-label={`Copy ${name}`} title={`Copy ${name}`} onClick={() => void copy()}>
      <Icon name="copy" size={13} />
    </button>
  );
}
