/** A tool call as one line that unfolds to what was asked and what came back. */
import { CodeBlock } from "../../components/CodeBlock";
import { Icon } from "../../components/Icon";
import { bytes, duration } from "../../lib/format";
import { LongText } from "./LongText";
import styles from "./ToolLine.module.css";
import { argumentText, resultText, summarize, type ToolState } from "./toolSummary";
import type { Call } from "./transcript";
import { useFullMessage } from "./useFullMessage";

const STATES: Record<ToolState, string> = { ok: "ok", failed: "failed", unanswered: "no result", unknown: "cut" };

interface ToolLineProps {
  call: Call;
  calledAt: string | null;
  isOpen: boolean;
  onToggle: () => void;
}

export function ToolLine({ call, calledAt, isOpen, onToggle }: ToolLineProps) {
  const { verb, object, state, milliseconds } = summarize(call, calledAt);
  return (
    <div className={styles.tool} data-state={state}>
      <button type="button" className={styles.line} aria-expanded={isOpen} onClick={onToggle}>
        <span className={styles.turn} data-open={isOpen || undefined}>
          <Icon name="chevron" size={12} />
        </span>
        <span className={styles.verb} title={call.name}>
          {verb}
        </span>{" "}
        <code className={styles.object}>{object}</code>{" "}
        {call.result && call.result.contentBytes > 1000 && <span className={styles.fact}>{bytes(call.result.contentBytes)}</span>}{" "}
        {milliseconds !== null && <span className={styles.fact}>{duration(milliseconds)}</span>}{" "}
        <span className={styles.state}>{STATES[state]}</span>
      </button>
      {isOpen && (
        <div className={styles.body}>
          {argumentText(call) && <CodeBlock text={argumentText(call)} language={call.name} note="asked" />}
          {call.resultId ? <Result call={call} messageId={call.resultId} isFailed={state === "failed"} /> : <p className={styles.none}>No result was stored.</p>}
        </div>
      )}
    </div>
  );
}

function Result({ call, messageId, isFailed }: { call: Call; messageId: string; isFailed: boolean }) {
  const { result } = call;
  const full = useFullMessage(messageId, result === null);
  const text = full.text ?? result?.content;
  if (full.error && text === undefined) return <p className={styles.none}>{full.error.message}</p>;
  if (text === undefined || text === null) return <p className={styles.none}>{full.isLoading ? "Loading…" : "The result is empty."}</p>;
  const rest = full.rest(result);
  return <LongText text={resultText(text, rest !== undefined)} rest={rest} tone={isFailed ? "bad" : "plain"} label={`Result of ${call.name}`} />;
}
