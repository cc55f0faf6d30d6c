/** Usage in words and figures, one row for each value; models, sources, folders and profiles lead to their conversations. */
import { Link } from "@tanstack/react-router";
import { moneyText } from "../../components/Money";
import { count, tokens } from "../../lib/format";
import { changeView, useView } from "../../lib/useView";
import { DEFAULT_LIST, type ListView, toLocation, type UsageView } from "../../lib/view";
import { dayText } from "./calendar";
import { certainty } from "./certainty";
import type { Row } from "./usageQuery";
import styles from "./UsagePage.module.css";

type Grouping = UsageView["by"];

export const GROUPING_NAMES: Record<Grouping, string> = {
  day: "Day",
  model: "Model",
  source: "Source",
  workspace: "Workspace",
  profile: "Profile",
  task: "Task",
};

const NOT_GIVEN: Record<Grouping, string> = {
  day: "no date",
  model: "no model",
  source: "no source",
  workspace: "no workspace",
  profile: "no profile",
  task: "the conversations themselves",
};

/** Days from the latest on, all else from the dearest on; what has no price goes by its tokens. */
export function sortedRows(rows: readonly Row[], by: Grouping): Row[] {
  if (by === "day") return rows.toSorted((a, b) => (b.day ?? "").localeCompare(a.day ?? ""));
  return rows.toSorted((a, b) => (b.cost.usd ?? -1) - (a.cost.usd ?? -1) || b.usage.totalTokens - a.usage.totalTokens);
}

/** All conversations that hold a value, the archived and automated ones too: all of them count here. */
function narrowing(by: Grouping, value: string, list: ListView): ListView | null {
  const all: ListView = { ...DEFAULT_LIST, profile: list.profile, audience: "all", archived: "include", empty: "show" };
  if (by === "model") return { ...all, models: [value] };
  if (by === "source") return { ...all, sources: [value] };
  if (by === "workspace") return { ...all, workspace: value };
  return by === "profile" ? { ...all, profile: value } : null;
}

export function UsageTable({ rows, by }: { rows: readonly Row[]; by: Grouping }) {
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
          </tr>
        </thead>
        <tbody>
          {sortedRows(rows, by).map((row) => (
            <UsageLine key={row[by] ?? ""} row={row} by={by} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function UsageLine({ row, by }: { row: Row; by: Grouping }) {
  const { usage, cost, sessions } = row;
  return (
    <tr>
      <th scope="row">
        <Name value={row[by] ?? null} by={by} />
      </th>
      <td>{moneyText(cost)}</td>
      <td className={styles.meaning}>{certainty(cost)}</td>
      <td>{tokens(usage.totalTokens)}</td>
      <td>{tokens(usage.inputTokens)}</td>
      <td>{tokens(usage.cacheReadTokens + usage.cacheWriteTokens)}</td>
      <td>{tokens(usage.outputTokens)}</td>
      <td>{count(usage.apiCalls)}</td>
      <td>{count(sessions)}</td>
    </tr>
  );
}

function Name({ value, by }: { value: string | null; by: Grouping }) {
  const { view } = useView();
  if (value === null || value === "") return <span className={styles.none}>{NOT_GIVEN[by]}</span>;
  if (by === "day") return dayText(value);
  const list = narrowing(by, value, view.list);
  if (list === null) return value;
  return <Link {...toLocation(changeView(view, { page: null, open: null, list }))}>{value}</Link>;
}
