/** Everything of the period in four figures, and how sure they are. */
import { moneyText } from "../../components/Money";
import { count, plural, tokens } from "../../lib/format";
import { certainty } from "./certainty";
import type { Total } from "./usageQuery";
import styles from "./UsagePage.module.css";

export function Totals({ total, timeZone }: { total: Total; timeZone: string }) {
  const { cost, usage, sessions, messages } = total;
  const tiles = [
    { name: "Cost", value: moneyText(cost), note: certainty(cost) },
    { name: "Tokens", value: tokens(usage.totalTokens), note: `${tokens(usage.outputTokens)} of output` },
    { name: "Sessions", value: count(sessions), note: plural(messages, "message") },
    { name: "Calls", value: count(usage.apiCalls), note: "to a model" },
  ];
  return (
    <>
      <dl className={styles.tiles} aria-label="Totals">
        {tiles.map(({ name, value, note }) => (
          <div key={name} className={styles.tile}>
            <dt>{name}</dt>
            <dd className={styles.value}>{value}</dd>
            <dd className={styles.note}>{note}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{booking(total, timeZone)}</p>
    </>
  );
}

function booking({ bookedBy: { spent, lastSeen, start, undated } }: Total, timeZone: string): string {
  const parts = [
    spent > 0 && `${count(spent)} on the day they were spent`,
    lastSeen > 0 && `${count(lastSeen)} on the last of several days`,
    start > 0 && `${count(start)} on the day their session started`,
    undated > 0 && `${count(undated)} on none`,
  ].filter(Boolean);
  const days = `Days are those of ${timeZone}.`;
  return parts.length > 0 ? `${days} What one model used in one session is booked as one part: ${parts.join(", ")}.` : days;
}
