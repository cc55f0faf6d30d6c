/** A tool call in one line: a verb, its object, whether it went well, how long it took. */
import { plural } from "../../lib/format";
import type { Call } from "./transcript";

/** Unknown where the end of the answer, which tells, was not loaded. */
export type ToolState = "ok" | "failed" | "unanswered" | "unknown";

export interface ToolSummary {
  verb: string;
  object: string;
  state: ToolState;
  milliseconds: number | null;
}

const VERBS: Record<string, string> = {
  terminal: "Ran",
  bash: "Ran",
  shell: "Ran",
  execute_code: "Executed",
  process: "Managed process",
  read_file: "Read",
  write_file: "Wrote",
  patch: "Edited",
  search_files: "Searched files for",
  session_search: "Searched sessions for",
  web_search: "Searched the web for",
  web_extract: "Fetched",
  browser_navigate: "Went to",
  browser_click: "Clicked",
  browser_type: "Typed",
  vision_analyze: "Looked at",
  image_generate: "Drew",
  delegate_task: "Delegated",
  todo: "Updated the list",
  memory: "Remembered",
  clarify: "Asked",
  cronjob: "Scheduled",
  skill_view: "Read the skill",
};

/** Arguments that tell what a call is about, the most telling first. */
const OBJECTS = ["command", "path", "file_path", "pattern", "query", "url", "urls", "goal", "task", "question", "prompt", "code", "name", "text", "content", "action"];
const LONGEST = 200;

export function parseJson(text: string | null | undefined): unknown {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function summarize(call: Call, calledAt: string | null): ToolSummary {
  const verb = VERBS[call.name];
  return {
    verb: verb ?? call.name,
    object: objectOf(call),
    state: stateOf(call),
    milliseconds: elapsed(calledAt, call.result?.timestamp ?? null),
  };
}

function objectOf({ argumentsText }: Call): string {
  const values = parseJson(argumentsText);
  if (!isRecord(values)) return firstLine(argumentsText ?? "");
  const name = OBJECTS.find((each) => values[each] !== undefined && values[each] !== null);
  const value = name === undefined ? Object.values(values)[0] : values[name];
  return firstLine(inWords(value));
}

function inWords(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.every((each) => typeof each === "string") ? value.join(", ") : plural(value.length, "item");
  return value === undefined ? "" : JSON.stringify(value);
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** Tools answer in JSON: a non-zero exit code, an error or an explicit lack of success is a failure. */
function stateOf({ result, resultId }: Call): ToolState {
  if (!result) return resultId === null ? "unanswered" : "ok";
  if (result.contentTruncated) return "unknown";
  const answer = parseJson(result.content);
  if (!isRecord(answer)) return /^(?:error|traceback)\b/i.test(result.content ?? "") ? "failed" : "ok";
  const { exit_code: exitCode, error, success } = answer;
  const failed = (typeof exitCode === "number" && exitCode !== 0) || (Boolean(error) && error !== "null") || success === false;
  return failed ? "failed" : "ok";
}

function elapsed(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  const milliseconds = Date.parse(to) - Date.parse(from);
  return milliseconds >= 0 ? milliseconds : null;
}

/** JSON that was cut inside a text of its outermost object, as far as it goes. */
function parseCut(text: string): unknown {
  const longestEscape = 6;
  for (let trimmed = 0; trimmed <= longestEscape; trimmed += 1) {
    const value = parseJson(`${text.slice(0, text.length - trimmed)}"}`);
    if (value !== null) return value;
  }
  return null;
}

/** A result as text to read: what a tool printed, not the JSON around it. */
export function resultText(content: string, isCut = false): string {
  const answer = isCut ? parseCut(content) : parseJson(content);
  if (!isRecord(answer)) return answer === null ? content : JSON.stringify(answer, null, 2);
  const { output, error } = answer;
  const printed = [output, error].filter((part) => typeof part === "string" && part !== "");
  const isShellAnswer = "output" in answer && Object.keys(answer).every((key) => ["output", "exit_code", "error"].includes(key));
  return isShellAnswer ? printed.join("\n") : JSON.stringify(answer, null, 2);
}

/** Arguments as text to read: the command of a shell call, pretty JSON for the others. */
export function argumentText({ argumentsText }: Call): string {
  const values = parseJson(argumentsText);
  if (!isRecord(values)) return argumentsText ?? "";
  const names = Object.keys(values);
  if (names.length === 1 && typeof values.command === "string") return values.command;
  return JSON.stringify(values, null, 2);
}
