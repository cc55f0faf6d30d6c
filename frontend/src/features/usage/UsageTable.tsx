/** Usage in words and figures, one row for each value: its name narrows the page to it, its last cell leads to its conversations. */
import { memo } from "react";
import { Icon } from "../../components/Icon";
import { moneyText } from "../../components/Money";
import { ViewLink } from "../../components/ViewLink";
import { count, tokens } from "../../lib/format";
import { changeView, useView } from "../../lib/useView";
import type { UsageView } from "../../lib/usageView";
import type { View } from "../../lib/view";
import { certainty } from "./certainty";
import { conversationsOf, GROUPING_NAMES, narrowTo, valueText } from "./narrowing";
import type { Row } from "./usageQuery";
import styles from "./UsagePage.module.css";

type Grouping = UsageView["by"];

/** Days from the latest on, all else from the dearest on; what has no price goes by its tokens. */
export function sortedRows(rows: readonly Row[], by: Grouping): Row[] {
  if (by === "day") return rows.toSorted((a, b) => (b.day ?? "").localeCompare(a.day ?? ""));
  return rows.toSorted((a, b) => (b.cost.usd ?? -1) - (a.cost.usd ?? -1) || b.usage.totalTokens - a.usage.totalTokens);
}

export const UsageTable = memo(function UsageTable({ rows, by }: { rows: readonly Row[]; by: Grouping }) {
  const { view } = useView();
  const leads = by !== "day" && by !== "task";
  return (
    <div className={styles.scroll} role="region" aria-label={`Usage by ${by}`} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{GROUPING_NAMES[by]}</th>
            <th scope="col">Cost</th>
            <th scope="col" className={styles.meaning}>What is known of it</th>
            <th scope="col">Tokens</th>
            <th scope="col">Input</th>
            <th scope="col">Cached</th>
            <th scope="col">Output</th>
            <th scope="col">Calls</th>
            <th scope="col">Sessions</th>
            {leads && <th scope="col"><span className="visually-hidden">Conversations</span></th>}
          </tr>
        </thead>
        <tbody>
          {sortedRows(rows, by).map((row) => (
            <UsageLine key={row[by] ?? ""} row={row} by={by} leads={leads} view={view} />
          ))}
        </tbody>
      </table>
    </div>
  );
});

function UsageLine({ row, by, leads, view }: { row: Row; by: Grouping; leads: boolean; view: View }) {
  const { usage, cost, sessions } = row;
  const value = row[by] ?? "";
  return (
    <tr>
      <th scope="row">
        <Name value={value} by={by} view={view} />
      </th>
      <td>{moneyText(cost)}</td>
      <td className={styles.meaning}>{certainty(cost)}</td>
      <td>{tokens(usage.totalTokens)}</td>
      <td>{tokens(usage.inputTokens)}</td>
      <td>{tokens(usage.cacheReadTokens + usage.cacheWriteTokens)}</td>
      <td>{tokens(usage.outputTokens)}</td>
      <td>{count(usage.apiCalls)}</td>
      <td>{count(sessions)}</td>
      {leads && <td className={styles.lead}><Conversations value={value} by={by} view={view} /></td>}
    </tr>
  );
}

interface NameProps {
  value: string;
  by: Grouping;
  view: View;
}

function Name({ value, by, view }: NameProps) {
  const text = valueText(by, value);
  const change = narrowTo(view.usage.only, by, value);
  const isNone = value === "" ? styles.none : undefined;
  if (change === null || view.usage.only.some((each) => each.by === by)) return <span className={`in-short ${isNone ?? ""}`}>{text}</span>;
  return (
    <ViewLink view={changeView(view, change)} className={isNone} title={`Show ${text} alone`}>
      <span className="in-short">{text}</span>
    </ViewLink>
  );
}

function Conversations({ value, by, view }: NameProps) {
  const list = conversationsOf(by, value, view.list);
  if (list === null) return null;
  return (
    <ViewLink view={changeView(view, { page: null, open: null, list })} className={styles.leading} aria-label={`Conversations of ${value}`} title={`Conversations of ${value}`}>
      <Icon name="chat" size={14} />
    </ViewLink>
  );
}
