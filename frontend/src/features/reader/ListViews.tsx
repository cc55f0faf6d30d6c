/** A list of tasks with the state of each, and changes of the agent's memory. */
import { Icon, type IconName } from "../../components/Icon";
import { Lines, type Row } from "../../components/Lines";
import { Visible } from "../../components/Visible";
import { LongText } from "./LongText";
import { recordsIn, textIn } from "./toolAnswer";
import { Facts } from "./Facts";
import styles from "./tools.module.css";
import type { ToolViewProps } from "./toolView";

const STATES = new Map<string, { word: string; icon?: IconName }>([
  ["completed", { word: "done", icon: "check" }],
  ["in_progress", { word: "in progress", icon: "chevron" }],
  ["pending", { word: "open" }],
  ["cancelled", { word: "cancelled", icon: "cross" }],
]);

export function TodoView({ args, answer, isFailed }: ToolViewProps) {
  const todos = recordsIn(answer?.fields?.todos ?? args.todos);
  return (
    <>
      <ul className={styles.todos}>
        {todos.map((todo, index) => {
          const status = textIn(todo, "status");
          const { word, icon } = STATES.get(status) ?? { word: status };
          return (
            <li key={index} className={styles.todo} data-status={status}>
              <span className={styles.box}>{icon && <Icon name={icon} size={11} />}</span>
              <span className={styles.task}>
                <Visible text={textIn(todo, "content", "text", "title")} />
              </span>
              <span className={status === "in_progress" || status === "cancelled" ? styles.status : "visually-hidden"}>{word}</span>
            </li>
          );
        })}
      </ul>
      {isFailed && !answer?.fields && <LongText text={answer?.text ?? ""} tone="bad" label="Error" />}
      <Facts fields={answer?.fields} without={["todos", "summary"]} />
    </>
  );
}

export function MemoryView({ args, answer, isFailed }: ToolViewProps) {
  const operations = Array.isArray(args.operations) ? recordsIn(args.operations) : [args];
  const rows = operations.flatMap((operation) => changedRows(textIn(operation, "old_text"), "removed").concat(changedRows(textIn(operation, "content"), "added")));
  return (
    <>
      {rows.length > 0 && (
        <div className={styles.frame}>
          <p className={styles.caption}>{textIn(args, "target") === "user" ? "About the user" : "Notes of the agent"}</p>
          <Lines rows={rows} label="Change of the memory" />
        </div>
      )}
      {answer && !answer.fields && <LongText text={answer.text} tone={isFailed ? "bad" : "plain"} label="Result" />}
      <Facts fields={answer?.fields} without={["target", "done"]} />
    </>
  );
}

const changedRows = (text: string, change: "added" | "removed"): Row[] =>
  text ? text.split("\n").map((line) => ({ line: [{ text: line }], change, sign: change === "added" ? "+" : "−" })) : [];
