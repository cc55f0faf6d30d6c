/** Usage as one bar a day. The table says the same in words, so that to a screen reader this is one picture. */
import { memo } from "react";
import { moneyText } from "../../components/Money";
import { plural, tokens, usd } from "../../lib/format";
import type { UsageView } from "../../lib/usageView";
import { dayText, shortDay } from "./calendar";
import { certainty } from "./certainty";
import styles from "./DayChart.module.css";
import type { Bar } from "./days";

const STEP = 10;
const HEIGHT = 150;
/** Above the greatest bar, for the mark of what has no price. */
const HEADROOM = 8;

export const DayChart = memo(function DayChart({ bars, measure }: { bars: readonly Bar[]; measure: UsageView["measure"] }) {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const greatest = Math.max(...bars.map(({ solid, light }) => solid + light));
  const top = measure === "cost" ? usd(greatest) : `${tokens(greatest)} tokens`;
  return (
    <figure className={styles.figure}>
      <p className={styles.top} aria-hidden="true">{top}</p>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT + HEADROOM}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${measure === "cost" ? "Cost" : "Tokens"} for each of ${plural(bars.length, "day")}, at most ${top} on one`}
      >
        {bars.map((bar, index) => (
          <DayBar key={bar.day} bar={bar} x={index * STEP} scale={greatest > 0 ? HEIGHT / greatest : 0} />
        ))}
      </svg>
      <p className={styles.ends} aria-hidden="true">
        <span>{shortDay(first.day)}</span>
        <span>{shortDay(last.day)}</span>
      </p>
      {measure === "cost" && <Legend bars={bars} />}
    </figure>
  );
});

function DayBar({ bar, x, scale }: { bar: Bar; x: number; scale: number }) {
  const solid = bar.solid * scale;
  const light = bar.light * scale;
  const base = HEIGHT + HEADROOM;
  const size = { x: x + 1, width: STEP - 2 };
  return (
    <g>
      <rect className={styles.day} x={x} y={0} width={STEP} height={base}>
        <title>{tip(bar)}</title>
      </rect>
      {solid > 0 && <rect className={styles.solid} {...size} y={base - solid} height={solid} />}
      {light > 0 && <rect className={styles.light} {...size} y={base - solid - light} height={light} />}
      {bar.isPartial && <rect className={styles.unknown} {...size} y={base - solid - light - 6} height={5} />}
    </g>
  );
}

function tip({ day, row }: Bar): string {
  if (!row) return `${dayText(day)}: nothing`;
  return `${dayText(day)}: ${moneyText(row.cost)} (${certainty(row.cost)}), ${tokens(row.usage.totalTokens)} tokens, ${plural(row.sessions, "session")}`;
}

/** Names the marks that occur. */
function Legend({ bars }: { bars: readonly Bar[] }) {
  const marks = [
    { name: "billed", mark: styles.solid, occurs: bars.some(({ solid }) => solid > 0) },
    { name: "estimated", mark: styles.light, occurs: bars.some(({ light }) => light > 0) },
    { name: "a part without a price", mark: styles.unknown, occurs: bars.some(({ isPartial }) => isPartial) },
  ];
  return (
    <figcaption className={styles.legend}>
      {marks
        .filter(({ occurs }) => occurs)
        .map(({ name, mark }) => (
          <span key={name} className={styles.entry}>
            <svg width="12" height="12" aria-hidden="true">
              <rect className={mark} x="1" y="1" width="10" height="10" />
            </svg>
            {name}
          </span>
        ))}
    </figcaption>
  );
}
