/** The sign of a session's kind in its colour; its word is there for those who do not see it. */
import type { SessionKind } from "../graphql/generated/graphql";
import { Icon } from "./Icon";
import styles from "./KindGlyph.module.css";
import { KINDS } from "./kinds";

export function KindGlyph({ kind, live = false }: { kind: SessionKind; live?: boolean }) {
  const { word, icon, meaning } = KINDS[kind];
  const label = live ? `${word}, live` : word;
  return (
    <span className={styles.glyph} data-kind={kind} data-live={live || undefined} title={`${label}: ${meaning}`}>
      <Icon name={icon} size={14} />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
