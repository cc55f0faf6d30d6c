/** Fields that have no place of their own in a view, by name. */
import { Visible } from "../../components/Visible";
import { writeJson } from "./prettyJson";
import type { Fields } from "./toolAnswer";
import styles from "./tools.module.css";

/** Say that all is well, which the line of the call does. */
const SILENT = new Set(["success", "status:ok", "status:success", "status:completed", "matches_format"]);

const NONE: readonly string[] = [];

interface FactsProps {
  fields: Fields | null | undefined;
  /** What the view shows itself. */
  without?: readonly string[];
}

export function Facts({ fields, without = NONE }: FactsProps) {
  const shown = Object.entries(fields ?? {}).filter(
    ([name, value]) => !without.includes(name) && value !== null && value !== "" && value !== true && value !== undefined && !SILENT.has(name) && !SILENT.has(`${name}:${String(value)}`),
  );
  if (shown.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {shown.map(([name, value]) => (
        <div key={name} className={styles.fact} data-tone={name === "error" ? "bad" : name === "warning" ? "warn" : undefined}>
          <dt>
            <Visible text={name.replaceAll("_", " ")} where="code" />
          </dt>
          <dd>
            <Visible text={typeof value === "object" ? (writeJson(value) ?? "nested too deep to be shown") : String(value)} where="code" />
          </dd>
        </div>
      ))}
    </dl>
  );
}
