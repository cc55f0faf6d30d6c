/** Reads what tools are asked and what they answer: JSON in most cases, cut in the middle in some. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  /** As stored; its beginning where it is cut. */
  text: string;
  /** The end of a text that is cut. */
  end: string | null;
  /** The fields of a JSON object; null for anything else. */
  fields: Fields | null;
  /** The field that was cut, and its end. */
  cutField: { name: string; end: string } | null;
}

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

export const recordsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** A field's text; empty where it has none. */
export function textIn(fields: Fields | null | undefined, ...names: string[]): string {
  const name = names.find((each) => typeof fields?.[each] === "string" && fields[each] !== "");
  return name === undefined ? "" : String(fields?.[name]);
}

export const numberIn = (fields: Fields | null | undefined, name: string): number | null =>
  typeof fields?.[name] === "number" ? (fields[name] as number) : null;

/** Hermes wraps what comes from outside in a warning to the model; people read what is inside. */
const WRAPPED = /^<untrusted_tool_result source="[^"]*">\n[\s\S]*?\n\n([\s\S]*)\n<\/untrusted_tool_result>$/;

export function readAnswer(content: string, end: string | null = null, isCut = end !== null): Answer {
  const text = WRAPPED.exec(content)?.[1] ?? content;
  const none = { text, end, fields: null, cutField: null };
  if (!isCut) {
    const fields = parseJson(text);
    return { ...none, fields: isRecord(fields) ? fields : null };
  }
  const fields = parseBeginning(text);
  const name = Object.keys(fields ?? {}).at(-1);
  if (fields === null || name === undefined) return none;
  const after = end === null ? null : parseEnd(name, end);
  return { ...none, fields: { ...after, ...fields }, cutField: after ? { name, end: textIn(after, name) } : null };
}

const LONGEST_ESCAPE = 6;
const cuts = Array.from({ length: LONGEST_ESCAPE + 1 }, (_, length) => length);

/** JSON that was cut inside a text of its outermost object, as far as it goes. */
function parseBeginning(text: string): Record<string, unknown> | null {
  for (const cut of cuts) {
    const value = parseJson(`${text.slice(0, text.length - cut)}"}`);
    if (isRecord(value)) return value;
  }
  return null;
}

/** The end of JSON that begins inside the text of a field of its outermost object. */
function parseEnd(name: string, end: string): Record<string, unknown> | null {
  for (const cut of cuts) {
    const value = parseJson(`{${JSON.stringify(name)}:"${end.slice(cut)}`);
    if (isRecord(value)) return value;
  }
  return null;
}
