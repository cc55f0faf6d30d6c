/** What a pruning would take, in numbers. */
import { bytes, count, dateAndTime, plural } from "../lib/format";
import { Money } from "./Money";
import styles from "./PruneDialog.module.css";
import { Sentence } from "./Sentence";
import type { Preview } from "./usePrune";

interface PruneFactsProps {
  preview: Preview | null;
  problem: { code: string; message: string } | null;
  isOld: boolean;
}

export function PruneFacts({ preview, problem, isOld }: PruneFactsProps) {
  if (problem) {
    return (
      <p className={styles.problem} role="alert">
        <Sentence text={problem.message} /> <code>{problem.code}</code>
      </p>
    );
  }
  return (
    <div className={styles.facts} role="status" aria-label="What would go" aria-busy={isOld} data-old={isOld || undefined}>
      {preview === null ? <p>Counting…</p> : preview.pruned.sessionCount === 0 ? <p>Nothing is that old.{spared(preview)}</p> : <Numbers preview={preview} />}
    </div>
  );
}

function Numbers({ preview }: { preview: Preview }) {
  const { pruned, conversations, oldest, newest } = preview;
  const facts = [
    ["Conversations", conversations === null ? "not known" : count(conversations)],
    ["Sessions", count(pruned.sessionCount)],
    ["Messages", count(pruned.messageCount)],
    ["Text", bytes(pruned.bytes)],
    ["Cost", <Money key="cost" cost={pruned.cost} />],
    ["Last active", oldest && newest ? `${day(oldest)} – ${day(newest)}` : "not known"],
  ] as const;
  return (
    <>
      <dl className={styles.numbers}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {pruned.detachedIds.length > 0 && <p>{plural(pruned.detachedIds.length, "branch or reset stays and loses its parent", "branches and resets stay and lose their parent")}.</p>}
      {pruned.skipped.length > 0 && <p>{spared(preview)}</p>}
    </>
  );
}

const day = (moment: string) => dateAndTime(moment).split(",")[0];

function spared({ pruned: { skipped } }: Preview): string {
  return skipped.length > 0 ? ` ${plural(skipped.length, "conversation is", "conversations are")} live or busy and spared.` : "";
}
