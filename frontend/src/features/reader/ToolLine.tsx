/** A tool call as one line that unfolds to what was asked and what came back. */
import { Icon } from "../../components/Icon";
import { Visible } from "../../components/Visible";
import { bytes, duration } from "../../lib/format";
import { ToolBody } from "./ToolBody";
import styles from "./ToolLine.module.css";
import { summarize, type ToolState } from "./toolSummary";
import type { Call, Message } from "./transcript";

const STATES: Record<ToolState, string> = { ok: "ok", failed: "failed", unanswered: "no result" };
const WORTH_TELLING = 1_000;

interface ToolLineProps {
  call: Call;
  /** The message that makes the call. */
  caller: Message;
  isOpen: boolean;
  onToggle: () => void;
}

export function ToolLine({ call, caller, isOpen, onToggle }: ToolLineProps) {
  const { verb, object, state, milliseconds, bytes: size } = summarize(call, caller.timestamp);
  return (
    <div className={styles.tool} data-state={state}>
      <button type="button" className={styles.line} aria-expanded={isOpen} onClick={onToggle}>
        <span className={styles.turn} data-open={isOpen || undefined}>
          <Icon name="chevron" size={12} />
        </span>
        <span className={styles.verb} title={call.name}>
          <Visible text={verb} where="code" />
        </span>{" "}
        <code className={styles.object}>
          <Visible text={object} where="code" />
        </code>{" "}
        {size !== null && size > WORTH_TELLING && <span className={styles.fact}>{bytes(size)}</span>}{" "}
        {milliseconds !== null && <span className={styles.fact}>{duration(milliseconds)}</span>}{" "}
        <span className={styles.state}>{STATES[state]}</span>
      </button>
      {isOpen && (
        <div className={styles.body}>
          <ToolBody call={call} caller={caller} />
        </div>
      )}
    </div>
  );
}
