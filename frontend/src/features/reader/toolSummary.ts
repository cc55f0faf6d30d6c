/** A tool call in one line: a verb, its object, whether it went well, how long it took, how much came back. */
import { plural } from "../../lib/format";
import { type Fields, isRecord, parseJson } from "./toolAnswer";
import { type ToolKind, toolOf } from "./toolKinds";
import type { Call } from "./transcript";

export type ToolState = "ok" | "failed" | "unanswered";

export interface ToolSummary {
  verb: string;
  object: string;
  state: ToolState;
  milliseconds: number | null;
  /** Of the answer; null where there is none. */
  bytes: number | null;
}

/** Arguments that tell what a call is about, the most telling first. */
const OBJECTS = ["command", "path", "file_path", "pattern", "query", "url", "urls", "goal", "task", "question", "prompt", "code", "name", "text", "content", "action"];
const OBJECTS_OF = new Map<ToolKind, readonly string[]>([
  ["memory", ["content", "old_text", "action"]],
  ["search", ["pattern", "query", "path"]],
]);
const LONGEST = 200;

export function summarize(call: Call, calledAt: string | null): ToolSummary {
  return {
    verb: toolOf(call.name).verb,
    object: objectOf(call),
    state: call.answer === null ? "unanswered" : call.answer.isError ? "failed" : "ok",
    milliseconds: elapsed(calledAt, call.answer?.timestamp ?? null),
    bytes: call.answer?.contentBytes ?? null,
  };
}

/** The arguments by name; empty where they are no JSON object. */
export function argumentsOf({ argumentsText }: Call): Fields {
  const values = parseJson(argumentsText);
  return isRecord(values) ? values : {};
}

function objectOf(call: Call): string {
  const values = argumentsOf(call);
  if (Object.keys(values).length === 0) return firstLine(call.argumentsText === "{}" ? "" : (call.argumentsText ?? ""));
  if (Array.isArray(values.todos)) return plural(values.todos.length, "task");
  if (typeof values.patch === "string") return pathsOfPatch(values.patch);
  if (Array.isArray(values.tasks)) return plural(values.tasks.length, "task");
  if (Array.isArray(values.operations)) return plural(values.operations.length, "change");
  const name = (OBJECTS_OF.get(toolOf(call.name).kind) ?? OBJECTS).find((each) => Object.hasOwn(values, each) && values[each] !== null);
  return firstLine(inWords(name === undefined ? Object.values(values)[0] : values[name]));
}

const pathsOfPatch = (patch: string) =>
  firstLine([...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)].map(([, path]) => path).join(", ")) || "a patch";

function inWords(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.every((each) => typeof each === "string") ? value.join(", ") : plural(value.length, "item");
  if (!isRecord(value)) return value === undefined ? "" : String(value);
  return plural(Object.keys(value).length, "field");
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function elapsed(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  const milliseconds = Date.parse(to) - Date.parse(from);
  return milliseconds >= 0 ? milliseconds : null;
}
