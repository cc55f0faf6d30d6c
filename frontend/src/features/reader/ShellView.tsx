/** A command as it was typed, what it printed, and how it ended; also code that was executed. */
import { CodeBlock } from "../../components/CodeBlock";
import { Visible } from "../../components/Visible";
import { LongText } from "./LongText";
import { numberIn, textIn } from "./toolAnswer";
import { toolOf } from "./toolKinds";
import { Facts } from "./Facts";
import styles from "./tools.module.css";
import type { ToolViewProps } from "./toolView";

export function ShellView({ call, args, answer, rest, isFailed }: ToolViewProps) {
  const command = textIn(args, "command", "cmd", "script");
  const code = textIn(args, "code");
  const exitCode = numberIn(answer?.fields, "exit_code");
  const output = answer?.fields ? textIn(answer.fields, "output", "stdout") : (answer?.text ?? "");
  const error = textIn(answer?.fields, "error", "stderr");
  const end = answer?.cutField ? answer.cutField.end : (answer?.end ?? null);
  const prompt = command && (
    <div className={styles.prompt}>
      <code className={styles.command}>
        <Visible text={command} where="code" />
      </code>
      {exitCode !== null && (
        <span className={styles.exit} data-failed={exitCode !== 0 || undefined}>
          exit {exitCode}
        </span>
      )}
    </div>
  );
  return (
    <>
      {toolOf(call.name).kind === "code" && code && <CodeBlock text={code} language={textIn(args, "language") || "python"} />}
      <Facts fields={args} without={["command", "cmd", "script", "code", "language", "timeout"]} />
      {output || rest ? (
        <LongText text={output} end={end} rest={rest} tone={isFailed ? "bad" : "plain"} label={`Output of ${call.name}`} title={prompt} />
      ) : (
        prompt && <div className={styles.silent}>{prompt}{answer && !error && <p className={styles.none}>It printed nothing.</p>}</div>
      )}
      {error && !output.includes(error) && <LongText text={error} tone="bad" label="Error" />}
      <Facts fields={answer?.fields} without={["output", "stdout", "error", "stderr", ...(command || !exitCode ? ["exit_code"] : []), "duration_seconds", "tool_calls_made", "status", "traceback"]} />
    </>
  );
}
