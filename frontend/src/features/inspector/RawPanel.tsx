/** A session as it is stored: every column with a button that copies it. */
import { useState } from "react";
import { useQuery } from "urql";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import type { RawOfQuery } from "../../graphql/generated/graphql";
import { problem, toProblem } from "../../graphql/problem";
import type { OpenView } from "../../lib/view";
import styles from "./Inspector.module.css";
import { RawOf } from "./inspectorQueries";
import { RawColumn, RawText } from "./RawColumn";
import { SystemPrompt } from "./SystemPrompt";
import { columnsOf } from "./rawColumns";

type Session = NonNullable<RawOfQuery["session"]>;

export function RawPanel({ open }: { open: OpenView }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const openId = open.segment ?? open.id;
  // Another conversation is another choice.
  const [shown, setShown] = useState(openId);
  if (shown !== openId) {
    setShown(openId);
    setChosen(null);
  }
  const variables = { id: chosen ?? openId, profile: open.profile };
  const [{ data, error, stale, fetching }, reload] = useQuery({ query: RawOf, variables });
  const session = data?.session;
  if (error && !session) return <ProblemPane problem={toProblem(error)} onRetry={() => reload({ requestPolicy: "network-only" })} />;
  if (data && !session && !fetching) {
    const message = `There is no session ${variables.id} in the profile ${variables.profile}.`;
    return <ProblemPane problem={problem("NOT_FOUND", message, "It may have been deleted, or the store was replaced.")} />;
  }
  if (!session) return <p className={styles.note}>Loading what is stored…</p>;
  return (
    <div className={styles.scroll} role="region" aria-label="Raw" tabIndex={0} data-old={stale || undefined}>
      <div className={styles.summary}>
        <Segment session={session} onChoose={setChosen} />
        <TakeQuery label="Take the raw session's query" request={{ document: RawOf, variables }} />
      </div>
      {session.warnings.map((warning) => (
        <p key={warning} className={styles.note} data-warn>
          {warning}
        </p>
      ))}
      <dl className={styles.columns}>
        {columnsOf(session).map(({ name, value }) => (
          <RawColumn key={name} name={name} value={value} />
        ))}
      </dl>
      <RawText name="modelConfig" text={session.modelConfig === null ? null : JSON.stringify(session.modelConfig, null, 2)} />
      <SystemPrompt key={session.nodeId} id={session.id} profile={open.profile} />
    </div>
  );
}

/** Which session is shown; a conversation of several segments lets one choose. */
function Segment({ session, onChoose }: { session: Session; onChoose: (id: string) => void }) {
  const { segments } = session.conversation;
  const place = segments.findIndex(({ id }) => id === session.id);
  if (segments.length < 2 || place < 0) return <span>As it is stored</span>;
  return (
    <select className={styles.select} aria-label="Segment" value={session.id} onChange={(event) => onChoose(event.target.value)}>
      {segments.map(({ id }, index) => (
        <option key={id} value={id}>
          Segment {index + 1} of {segments.length}
        </option>
      ))}
    </select>
  );
}
