/** The numbers of a conversation: tokens told apart, cost alone and with subagents, times, places and segments. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useQuery } from "urql";
import { KINDS } from "../../components/kinds";
import { Money } from "../../components/Money";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import { readFragment } from "../../graphql/generated";
import type { Numbers_UsageFragment, NumbersOfQuery } from "../../graphql/generated/graphql";
import { toProblem } from "../../graphql/problem";
import { count, dateAndTime, plural, tokens } from "../../lib/format";
import { changeView, useView } from "../../lib/useView";
import { type OpenView, toLocation } from "../../lib/view";
import styles from "./Inspector.module.css";
import { NumbersOf, UsageFragment } from "./inspectorQueries";

type Conversation = NonNullable<NumbersOfQuery["session"]>["conversation"];

export function NumbersPanel({ open }: { open: OpenView }) {
  const variables = { id: open.id, profile: open.profile };
  const [{ data, error }, reload] = useQuery({ query: NumbersOf, variables });
  if (error && !data?.session) return <ProblemPane problem={toProblem(error)} onRetry={() => reload({ requestPolicy: "network-only" })} />;
  if (!data?.session) return <p className={styles.note}>{data ? "There are no numbers to show." : "Loading the numbers…"}</p>;

  const { conversation, kind, kindReason } = data.session;
  return (
    <div className={styles.scroll} role="region" aria-label="Numbers" tabIndex={0}>
      <p className={styles.summary}>
        <span>Of the whole conversation</span>
        <TakeQuery label="Take the numbers' query" request={{ document: NumbersOf, variables }} />
      </p>
      <Tokens conversation={conversation} />
      <Facts conversation={conversation} kind={`${KINDS[kind].word}: ${kindReason}`} />
      <Segments conversation={conversation} open={open} />
    </div>
  );
}

const TOKENS: { name: string; field: keyof Numbers_UsageFragment }[] = [
  { name: "Input", field: "inputTokens" },
  { name: "Cache read", field: "cacheReadTokens" },
  { name: "Cache write", field: "cacheWriteTokens" },
  { name: "Output", field: "outputTokens" },
  { name: "Reasoning", field: "reasoningTokens" },
  { name: "Total", field: "totalTokens" },
  { name: "API calls", field: "apiCalls" },
];

function Tokens({ conversation }: { conversation: Conversation }) {
  const own = readFragment(UsageFragment, conversation.usage);
  const all = readFragment(UsageFragment, conversation.usageWithSubagents);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Tokens</th>
          <th scope="col">Own</th>
          <th scope="col">With subagents</th>
        </tr>
      </thead>
      <tbody>
        {TOKENS.map(({ name, field }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{count(own[field] as number)}</td>
            <td>{count(all[field] as number)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Cost</th>
          <td>
            <Money cost={conversation.cost} />
          </td>
          <td>
            <Money cost={conversation.costWithSubagents} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function Facts({ conversation, kind }: { conversation: Conversation; kind: string }) {
  const { startedAt, lastActiveAt, endedAt, model, source, workspace, tip, id } = conversation;
  const facts: [string, ReactNode][] = [
    ["Started", startedAt && dateAndTime(startedAt)],
    ["Last active", lastActiveAt && dateAndTime(lastActiveAt)],
    ["Ended", endedAt ? `${dateAndTime(endedAt)}${tip.endReason ? `, ${tip.endReason}` : ""}` : "never closed"],
    ["Kind", kind],
    ["Source", source],
    ["Model", model],
    ["Workspace", workspace],
    ["Folder", tip.cwd],
    ["Git branch", tip.gitBranch],
    ["Id", <code key="id">{id}</code>],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function Segments({ conversation, open }: { conversation: Conversation; open: OpenView }) {
  const { view } = useView();
  const { segments, id } = conversation;
  if (segments.length < 2) return null;
  return (
    <section className={styles.segments}>
      <h2>{plural(segments.length, "segment")}</h2>
      <ol>
        {segments.map((segment, index) => {
          const there = changeView(view, { open: { type: "conversation", profile: open.profile, id, segment: index === 0 ? null : segment.id } });
          return (
            <li key={segment.nodeId}>
              <Link {...toLocation(there)}>{segment.startedAt ? dateAndTime(segment.startedAt) : segment.id}</Link>
              <span>
                {plural(segment.messageCount, "message")} · {tokens(segment.usage.totalTokens)} tok · <Money cost={segment.cost} />
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
