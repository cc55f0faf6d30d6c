/** Code as it is, with its language and a copy button; lines of a diff in their colours. */
import { useState } from "react";
import { copyText } from "../lib/clipboard";
import styles from "./CodeBlock.module.css";
import { IconButton } from "./IconButton";

interface CodeBlockProps {
  text: string;
  language: string;
  /** A word of ours beside the language. */
  note?: string;
}

export function CodeBlock({ text, language, note }: CodeBlockProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(text));
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <figure className={styles.block}>
      <figcaption className={styles.bar}>
        <span className={styles.language}>{language || "text"}</span>
        {note && <span>{note}</span>}
        <IconButton icon={copied ? "check" : "copy"} label={copied ? "Copied" : "Copy the code"} onClick={() => void copy()} />
      </figcaption>
      <pre className={styles.code} tabIndex={0}>
        <code>{language === "diff" ? <DiffLines text={text} /> : text}</code>
      </pre>
    </figure>
  );
}

function DiffLines({ text }: { text: string }) {
  return text.split("\n").map((line, index) => (
    <span key={index} className={styles.line} data-change={changeOf(line)}>
      {`${line}\n`}
    </span>
  ));
}

function changeOf(line: string): string | undefined {
  if (line.startsWith("+++") || line.startsWith("---")) return undefined;
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "place" : undefined;
}
