/** One row of the feed: a message, a seam, or the line that counts the work which a mode leaves out. */
import { memo, useMemo } from "react";
import { Icon } from "../../components/Icon";
import { type Sought, SoughtContext } from "../../components/sought";
import { MessageArticle } from "./MessageArticle";
import { quietKeys, quietLabel, type QuietItem, type Row } from "./modes";
import { SeamRow } from "./SeamRow";
import { SystemPrompt } from "./SystemPrompt";
import styles from "./Transcript.module.css";
import { isSameItem, type Message, type MessageItem } from "./transcript";
import { type FoldStore, useFoldsOf } from "./useFolds";

interface TranscriptRowProps {
  row: Row;
  /** The session that begins with it, where its system prompt is to be seen. */
  begins: Message["session"] | undefined;
  /** Where its message stands in the whole transcript, from 0; null while that is not known. */
  position: number | null;
  /** -1 while it is not known. */
  total: number;
  /** What is looked for, where the reader was sent to this row for it. */
  sought: Sought | null;
  isCursor: boolean;
  folds: FoldStore;
  onPick: (key: string) => void;
  onLink: (messageId: string) => void;
}

export function TranscriptRow({ row, begins, position, total, sought, isCursor, folds, onPick, onLink }: TranscriptRowProps) {
  if (row.type === "seam") {
    return (
      <article className={styles.row} data-key={row.key} aria-label="Seam">
        <SeamRow seam={row.seam} />
        {begins && <SystemPrompt session={begins} />}
      </article>
    );
  }
  const place = { "aria-posinset": position === null ? undefined : position + 1, "aria-setsize": position === null ? -1 : total };
  const own = { className: styles.row, "data-key": row.key, "data-cursor": isCursor || undefined, onClick: () => onPick(row.key) };
  if (row.type === "quiet") {
    return (
      <article {...own} {...place} data-quiet aria-label={quietLabel(row)}>
        <SoughtContext value={sought}>
          <QuietLine item={row} folds={folds} onLink={onLink} />
        </SoughtContext>
      </article>
    );
  }
  return (
    <article {...own} {...place} data-message={row.message.id} data-close={row.isSameVoice || undefined} aria-label={`${row.message.role} message`}>
      {begins && <SystemPrompt session={begins} />}
      <SoughtContext value={sought}>
        <Content item={row} folds={folds} onLink={onLink} />
      </SoughtContext>
    </article>
  );
}

interface ContentProps {
  item: MessageItem;
  folds: FoldStore;
  onLink: (messageId: string) => void;
}

const Content = memo(
  function Content({ item, folds, onLink }: ContentProps) {
    useFoldsOf(folds, useMemo(() => [item.message.nodeId], [item.message.nodeId]));
    return <MessageArticle item={item} folds={folds} onLink={() => onLink(item.message.id)} />;
  },
  (a, b) => isSameItem(a.item, b.item) && a.folds === b.folds && a.onLink === b.onLink,
);

function QuietLine({ item, folds, onLink }: { item: QuietItem } & Omit<ContentProps, "item">) {
  const keys = quietKeys(item);
  useFoldsOf(folds, useMemo(() => item.parts.map((part) => part.message.nodeId), [item]));
  const isOpen = keys.some(folds.isOpen);
  return (
    <>
      <button type="button" className={styles.quiet} aria-expanded={isOpen} onClick={() => folds.set(keys, !isOpen)}>
        <Icon name={isOpen ? "down" : "chevron"} size={12} /> {quietLabel(item)}
      </button>
      {isOpen && item.parts.map((part) => <Content key={part.key} item={part} folds={folds} onLink={onLink} />)}
    </>
  );
}
