/** The conversations of the period that cost most, with their subagents. */
import { Link } from "@tanstack/react-router";
import { useQuery } from "urql";
import { moneyMeaning, moneyText } from "../../components/Money";
import { PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import type { DearestConversationsQuery, DearestConversationsQueryVariables } from "../../graphql/generated/graphql";
import { toProblem } from "../../graphql/problem";
import { count, dateAndTime, plural } from "../../lib/format";
import { changeView, useView } from "../../lib/useView";
import type { UsageView } from "../../lib/usageView";
import { toLocation, type View } from "../../lib/view";
import { type Days, daysText } from "./period";
import { DEAREST_SIZE, DearestConversations, dearestVariables, parts } from "./usageQuery";
import styles from "./UsagePage.module.css";

type Conversation = NonNullable<DearestConversationsQuery["conversations"]>["nodes"][number];

const WHICH: Partial<Record<UsageView["by"], (value: string) => string>> = {
  model: (value) => `whose latest model is ${value}`,
  source: (value) => `that began in ${value}`,
  workspace: (value) => `in ${value} or below it`,
};

/** What the period and the narrowing mean for whole conversations, which is not what they mean for parts of sessions. */
export function meaning({ only, audience }: Pick<UsageView, "only" | "audience">, days: Days): string {
  const which = parts(only).flatMap(({ by, value }) => WHICH[by]?.(value) ?? []);
  const who = audience === "chats" ? "Chats" : audience === "automation" ? "Automated conversations" : "Conversations";
  const isBounded = days.first !== null || days.last !== null;
  const when = isBounded ? `that were last active ${daysText(days)}` : "of all time";
  const cost = isBounded ? "with all that they ever cost, also before the period" : "with all that they cost";
  return `${[who, ...which, when].join(" ")}, archived ones included, ${cost}. The order is that of their own cost.`;
}

export function Dearest({ view, days }: { view: View; days: Days }) {
  const variables = dearestVariables(view, days);
  return (
    <section className={styles.section} aria-label="Most expensive conversations">
      <div className={styles.bar}>
        <h3>Most expensive conversations</h3>
        {variables && <TakeQuery label="Take the query of the most expensive conversations" request={{ document: DearestConversations, variables }} />}
      </div>
      {variables ? (
        <>
          <p className={styles.note}>{meaning(view.usage, days)}</p>
          <Answer variables={variables} />
        </>
      ) : (
        <p className={styles.note}>Conversations cannot be chosen by a task, or by what is not given: drop that filter to see them.</p>
      )}
    </section>
  );
}

function Answer({ variables }: { variables: DearestConversationsQueryVariables }) {
  const [{ data, error, fetching, stale }, reload] = useQuery({ query: DearestConversations, variables });
  const list = data?.conversations;
  if (error && !list) return <ProblemPane problem={toProblem(error)} onRetry={() => reload({ requestPolicy: "network-only" })} />;
  if (!list) return <PageSkeleton label="Loading the most expensive conversations" rows={3} />;
  if (list.nodes.length === 0) return <p>None.</p>;
  return (
    <div className={styles.scroll} role="region" aria-label="Most expensive conversations, a table" tabIndex={0} data-old={fetching || stale || undefined}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Conversation</th>
            <th scope="col">Own cost</th>
            <th scope="col">With subagents</th>
            <th scope="col">Subagents</th>
            <th scope="col" className={styles.word}>Model</th>
            <th scope="col" className={styles.word}>Profile</th>
            <th scope="col">Last active</th>
          </tr>
        </thead>
        <tbody>
          {list.nodes.map((node) => (
            <Line key={node.nodeId} node={node} />
          ))}
        </tbody>
      </table>
      {list.totalCount > DEAREST_SIZE && <p className={styles.note}>The first {DEAREST_SIZE} of {plural(list.totalCount, "conversation")}.</p>}
    </div>
  );
}

function Line({ node: { id, displayTitle, model, profile, lastActiveAt, subagentCount, cost, costWithSubagents } }: { node: Conversation }) {
  const { view } = useView();
  const there = changeView(view, { open: { type: "conversation", profile: profile.name, id } });
  return (
    <tr>
      <th scope="row">
        <Link {...toLocation(there)} className={styles.title}>
          <span className="in-short">{displayTitle}</span>
        </Link>
      </th>
      <td title={moneyMeaning(cost)}>{moneyText(cost)}</td>
      <td title={moneyMeaning(costWithSubagents)}>{subagentCount > 0 ? moneyText(costWithSubagents) : <span className={styles.none}>the same</span>}</td>
      <td>{count(subagentCount)}</td>
      <td className={styles.word}>{model ?? <span className={styles.none}>no model</span>}</td>
      <td className={styles.word}>{profile.name}</td>
      <td>{lastActiveAt ? <time dateTime={lastActiveAt}>{dateAndTime(lastActiveAt)}</time> : <span className={styles.none}>not known</span>}</td>
    </tr>
  );
}
