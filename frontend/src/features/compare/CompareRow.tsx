/** One row: the folded beginning, a message of it, the fork, a pair of messages, or the end. */
import { Icon } from "../../components/Icon";
import { plural } from "../../lib/format";
import styles from "./Compare.module.css";
import type { Item } from "./items";
import { MessageCell } from "./MessageCell";
import { useWords } from "./useWords";

interface CompareRowProps {
  item: Item;
  profile: string;
  isUnfolded: boolean;
  onToggle: () => void;
}

export function CompareRow({ item, profile, isUnfolded, onToggle }: CompareRowProps) {
  switch (item.type) {
    case "shared":
      return (
        <button type="button" className={styles.shared} aria-expanded={isUnfolded} aria-keyshortcuts="o" onClick={onToggle}>
          <Icon name={isUnfolded ? "down" : "chevron"} size={12} />
          <strong>{plural(item.messages, "message")}</strong>
          <span>
            the same in both{item.turns > 0 && `, ${plural(item.turns, "turn")}`}
            {item.isWhole && ": there is no difference"}
          </span>
        </button>
      );
    case "message":
      return (
        <div className={styles.single}>
          <MessageCell message={item.message} profile={profile} />
        </div>
      );
    case "fork":
      return <p className={styles.fork}>{item.text}</p>;
    case "end":
      return <p className={styles.end}>{item.text}</p>;
    default:
      return <PairRow item={item} profile={profile} />;
  }
}

function PairRow({ item, profile }: { item: Extract<Item, { type: "pair" }>; profile: string }) {
  const { pair, turn, ends } = item;
  const words = useWords(pair);
  return (
    <>
      {turn !== null && <p className={styles.turn}>Turn {turn}</p>}
      <div className={styles.pair} data-same={pair.isSame || undefined}>
        {(["left", "right"] as const).map((side) => {
          const message = pair[side];
          const name = side === "left" ? "A" : "B";
          return (
            <div key={side} className={styles.cell} data-side={side} data-empty={message === null || undefined}>
              {message && <MessageCell message={message} profile={profile} name={name} words={words?.[side]} isSame={pair.isSame} />}
              {!message && ends[side] && <p className={styles.ends}>{name} ends here</p>}
            </div>
          );
        })}
      </div>
    </>
  );
}
