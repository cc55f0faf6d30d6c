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
    spent > 0 && `${count(spent)} on the day of use`,
    lastSeen > 0 && `${count(lastSeen)} used over several days on the last of them`,
    start > 0 && `${count(start)} of unknown days on the day the session started`,
    undated > 0 && `${count(undated)} without any day`,
  ].filter(Boolean);
  const days = `Days are those of ${timeZone}.`;
  return parts.length > 0 ? `${days} Each model’s use in a session counts once: ${parts.join(", ")}.` : days;
}
