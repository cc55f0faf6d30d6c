/** What a call unfolds to: the view of its kind, or all of it as stored. */
import { useState } from "react";
import { CodeBlock } from "../../components/CodeBlock";
import { Sentence } from "../../components/Sentence";
import { LongText } from "./LongText";
import { prettyJson } from "./prettyJson";
import styles from "./ToolLine.module.css";
import { readAnswer } from "./toolAnswer";
import { toolOf } from "./toolKinds";
import { argumentsOf } from "./toolSummary";
import { DelegateView } from "./DelegateView";
import { DiffView } from "./DiffView";
import { ReadView, WriteView } from "./FileView";
import { MemoryView, TodoView } from "./ListViews";
import { OtherView } from "./OtherView";
import { SearchView, SessionsView } from "./SearchView";
import { ShellView } from "./ShellView";
import type { ToolViewProps } from "./toolView";
import { WebView } from "./WebView";
import type { Call, Message } from "./transcript";
import { type Rest, useFullMessage } from "./useFullMessage";

interface ToolBodyProps {
  call: Call;
  caller: Message;
}

export function ToolBody({ call, caller }: ToolBodyProps) {
  if (call.resultId === null) {
    return (
      <>
        <Parts call={call} caller={caller} content={null} />
        <p className={styles.none}>No result was stored.</p>
      </>
    );
  }
  return <Answered call={call} caller={caller} messageId={call.resultId} />;
}

function Answered({ call, caller, messageId }: ToolBodyProps & { messageId: string }) {
  const full = useFullMessage(messageId, call.result);
  const text = full.text ?? call.result?.content ?? null;
  if (full.error && text === null) return <p className={styles.none}><Sentence text={full.error.message} /></p>;
  if (text === null && full.isLoading) return <p className={styles.none}>Loading…</p>;
  return <Parts call={call} caller={caller} content={text} end={full.end} rest={full.rest} />;
}

interface PartsProps extends ToolBodyProps {
  content: string | null;
  end?: string | null;
  rest?: Rest;
}

function Parts({ call, caller, content, end = null, rest }: PartsProps) {
  const [isRaw, setRaw] = useState(false);
  const answer = content === null ? null : readAnswer(content, rest ? end : null, rest !== undefined);
  const props = { call, args: argumentsOf(call), answer, rest, isFailed: call.answer?.isError ?? false, calledAt: caller.timestamp };
  return (
    <>
      {isRaw ? <Raw call={call} content={content} end={end} rest={rest} /> : <View {...props} caller={caller} />}
      <button type="button" className={styles.raw} aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
        As stored
      </button>
    </>
  );
}

function View({ caller, ...props }: ToolViewProps & { caller: Message }) {
  const { id, profile } = caller.session;
  // What does not parse is shown as it is.
  const isReadable = Object.keys(props.args).length > 0 || !props.call.argumentsText || props.call.argumentsText === "{}";
  switch (isReadable ? toolOf(props.call.name).kind : "other") {
    case "shell":
    case "code":
      return <ShellView {...props} />;
    case "read":
      return <ReadView {...props} />;
    case "write":
      return <WriteView {...props} />;
    case "edit":
      return <DiffView {...props} />;
    case "search":
      return <SearchView {...props} />;
    case "sessions":
      return <SessionsView {...props} profile={profile.name} />;
    case "todo":
      return <TodoView {...props} />;
    case "memory":
      return <MemoryView {...props} />;
    case "web":
      return <WebView {...props} />;
    case "delegate":
      return <DelegateView {...props} session={id} profile={profile.name} />;
    default:
      return <OtherView {...props} />;
  }
}

function Raw({ call, content, end, rest }: Omit<PartsProps, "caller">) {
  const pretty = content === null || rest ? null : prettyJson(content);
  return (
    <>
      {call.argumentsText && <CodeBlock text={prettyJson(call.argumentsText) ?? call.argumentsText} language="json" title="Arguments" isWrapped />}
      {content !== null && (pretty === null ? <LongText text={content} end={end} rest={rest} label="Result as stored" /> : <CodeBlock text={pretty} language="json" title="Result" isWrapped />)}
    </>
  );
}
