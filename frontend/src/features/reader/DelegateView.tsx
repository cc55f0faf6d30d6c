/** Work that was handed to subagents: the tasks, what came back, and the sessions that they started. */
import { useQuery } from "urql";
import { Markdown } from "../../components/Markdown";
import { Visible } from "../../components/Visible";
import { graphql } from "../../graphql/generated";
import { duration } from "../../lib/format";
import { Cut, LongText } from "./LongText";
import { SessionLink } from "./SessionLink";
import { type Fields, numberIn, recordsIn, textIn } from "./toolAnswer";
import { Facts } from "./Facts";
import styles from "./tools.module.css";
import type { ToolViewProps } from "./toolView";

const StartedSessions = graphql(`
  query StartedSessions($id: ID!, $profile: String) {
    session(id: $id, profile: $profile) {
      nodeId
      children(first: 50, kinds: [SUBAGENT]) {
        edges { cursor node { nodeId id displayTitle startedAt } }
      }
    }
  }
`);

/** Clocks of a call and of the session that it starts are not read at one moment, in milliseconds. */
const SLACK = 2_000;

interface DelegateViewProps extends ToolViewProps {
  session: string;
  profile: string;
}

export function DelegateView({ call, args, answer, rest, isFailed, calledAt, session, profile }: DelegateViewProps) {
  const tasks = Array.isArray(args.tasks) && args.tasks.length > 0 ? recordsIn(args.tasks) : [args];
  const results = recordsIn(answer?.fields?.results);
  const started = useStarted(session, profile, calledAt, call.answer?.timestamp ?? null);
  return (
    <>
      {tasks.map((task, index) => (
        <Task key={index} task={task} result={results.find((result) => (numberIn(result, "task_index") ?? 0) === index)} />
      ))}
      {started.length > 0 && (
        <p className={styles.started}>
          {started.length === 1 ? "Its session:" : "Their sessions:"}
          {started.map(({ id, displayTitle }) => (
            <SessionLink key={id} id={id} profile={profile}>
              <Visible text={displayTitle} />
            </SessionLink>
          ))}
        </p>
      )}
      {rest && <Cut rest={rest} />}
      {answer && !answer.fields && <LongText text={answer.text} end={answer.end} tone={isFailed ? "bad" : "plain"} label={`Result of ${call.name}`} />}
      <Facts fields={answer?.fields} without={["results", "goals", "mode", "count", "live_transcripts_hint", "total_duration_seconds"]} />
    </>
  );
}

function Task({ task, result }: { task: Fields; result: Fields | undefined }) {
  const context = textIn(task, "context");
  const summary = textIn(result, "summary");
  const error = textIn(result, "error");
  const seconds = numberIn(result, "duration_seconds");
  const facts = [textIn(result, "status"), textIn(result, "model"), seconds !== null && duration(seconds * 1000)].filter(Boolean).join(" · ");
  return (
    <section className={styles.frame}>
      <div className={styles.goal}>
        <Markdown text={textIn(task, "goal", "prompt", "description", "task")} />
        {context && <LongText text={context} label="What the subagent was told" />}
      </div>
      {result && (
        <div className={styles.outcome}>
          {facts && <p className={styles.caption}>{facts}</p>}
          {summary && <Markdown text={summary} />}
          {error && <LongText text={error} tone="bad" label="Error" />}
        </div>
      )}
    </section>
  );
}

/** The subagents of the session that started between the call and its answer. */
function useStarted(id: string, profile: string, calledAt: string | null, answeredAt: string | null) {
  const [{ data }] = useQuery({ query: StartedSessions, variables: { id, profile } });
  const from = calledAt === null ? Number.NaN : Date.parse(calledAt) - SLACK;
  const until = answeredAt === null ? Number.POSITIVE_INFINITY : Date.parse(answeredAt) + SLACK;
  const sessions = data?.session?.children.edges.map(({ node }) => node) ?? [];
  return sessions.filter(({ startedAt }) => startedAt !== null && Date.parse(startedAt) >= from && Date.parse(startedAt) <= until);
}
