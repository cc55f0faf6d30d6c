/** Of when and of whom the page tells: the period, dates of its own, the audience and the profile. */
import { ProfileScope } from "../../components/ProfileScope";
import { Segments } from "../../components/Segments";
import type { UsageView } from "../../lib/usageView";
import { dayOf } from "./calendar";
import { periodDays } from "./period";
import styles from "./UsagePage.module.css";

const PERIOD_NAMES: Record<UsageView["period"], string> = { "7d": "7 days", "30d": "30 days", "90d": "90 days", month: "This month", all: "All", custom: "Dates" };
const AUDIENCE_NAMES: Record<UsageView["audience"], string> = { all: "Chats and automation", chats: "Chats", automation: "Automation" };

interface UsageToolsProps {
  usage: UsageView;
  now: Date;
  onChange: (change: Partial<UsageView>) => void;
}

export function UsageTools({ usage, now, onChange }: UsageToolsProps) {
  const { period, since, until, audience, only } = usage;
  const choose = (chosen: UsageView["period"]) => {
    const days = periodDays(usage, now);
    const dates = chosen === "custom" ? { since: days.first, until: days.last ?? dayOf(now) } : {};
    // A day that may lie outside the new period would leave nothing to see.
    onChange({ period: chosen, ...dates, only: only.filter(({ by }) => by !== "day") });
  };
  return (
    <>
      <Segments label="Period" names={PERIOD_NAMES} value={period} onChange={choose} />
      {period === "custom" && (
        <div className={styles.dates} role="group" aria-label="Dates">
          <input type="date" aria-label="From" value={since ?? ""} max={until ?? undefined} onChange={(event) => onChange({ since: event.target.value || null })} />
          <span aria-hidden="true">–</span>
          <input type="date" aria-label="Until" value={until ?? ""} min={since ?? undefined} onChange={(event) => onChange({ until: event.target.value || null })} />
        </div>
      )}
      <select className={styles.select} aria-label="Audience" value={audience} onChange={(event) => onChange({ audience: event.target.value as UsageView["audience"] })}>
        {Object.entries(AUDIENCE_NAMES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <ProfileScope />
    </>
  );
}
