/** A call of a tool that has no view of its own: its arguments, and what it answered in words or as JSON. */
import { CodeBlock } from "../../components/CodeBlock";
import { Markdown } from "../../components/Markdown";
import { LongText } from "./LongText";
import { prettyJson } from "./prettyJson";
import { type Answer, textIn } from "./toolAnswer";
import { Facts } from "./Facts";
import styles from "./tools.module.css";
import type { ToolViewProps } from "./toolView";

/** Arguments that are a question in themselves. */
const QUESTIONS = ["question", "prompt"];
const WORDS = ["analysis", "answer", "user_response", "response", "output", "content", "text", "message", "result", "summary"];

export function OtherView({ call, args, answer, rest, isFailed }: ToolViewProps) {
  const question = textIn(args, ...QUESTIONS);
  return (
    <>
      {question ? (
        <>
          <div className={styles.quote}>
            <Markdown text={question} />
          </div>
          <Facts fields={args} without={QUESTIONS} />
        </>
      ) : (
        <Asked text={call.argumentsText} />
      )}
      {answer && <Answered answer={answer} rest={rest} isFailed={isFailed} label={`Result of ${call.name}`} />}
    </>
  );
}

function Asked({ text }: { text: string | null }) {
  if (!text || text === "{}") return null;
  const pretty = prettyJson(text);
  return pretty === null ? <LongText text={text} label="Arguments" /> : <CodeBlock text={pretty} language="json" title="Arguments" />;
}

function Answered({ answer, rest, isFailed, label }: { answer: Answer; isFailed: boolean; label: string } & Pick<ToolViewProps, "rest">) {
  const tone = isFailed ? "bad" : "plain";
  const field = WORDS.find((name) => textIn(answer.fields, name) !== "");
  const isSimple = answer.fields !== null && Object.values(answer.fields).every((value) => typeof value !== "object" || value === null);
  if (field && isSimple) {
    const end = answer.cutField?.name === field ? answer.cutField.end : answer.end;
    return (
      <>
        <LongText text={textIn(answer.fields, field)} end={end} rest={rest} tone={tone} label={label} />
        <Facts fields={answer.fields} without={[field]} />
      </>
    );
  }
  if (answer.fields && isSimple && !rest) return <Facts fields={answer.fields} />;
  const pretty = rest ? null : prettyJson(answer.text);
  if (pretty !== null) return <CodeBlock text={pretty} language="json" title="Result" />;
  return answer.text || rest ? <LongText text={answer.text} end={answer.end} rest={rest} tone={tone} label={label} /> : <p className={styles.none}>The result is empty.</p>;
}
