/** What is searched and what is not, in words, with the changes that search more. */
import type { Narrowing } from "../../components/FilterChips";
import type { SearchField } from "../../graphql/generated/graphql";
import { FIND_FIELDS, type ListView } from "../../lib/view";

export type Field = ListView["findFields"][number];
type Change = Partial<ListView>;

const FIELD_NAMES: Record<Field, string> = {
  id: "ids",
  title: "titles",
  content: "messages",
  tool: "tool calls with results",
  reasoning: "reasoning",
};

export const ROLE_NAMES: Record<NonNullable<ListView["findRole"]>, string> = { user: "you", assistant: "the assistant", tool: "tools" };

/** What the API looks at unless fields are named. */
const USUAL: readonly Field[] = FIND_FIELDS.filter((field) => field !== "reasoning");

export const searchedFields = ({ findFields }: ListView): readonly Field[] => (findFields.length ? findFields : USUAL);

/** Ids and titles were written by nobody. */
const isWritten = (field: Field): boolean => field !== "id" && field !== "title";

/** What was looked at, in words. */
export function searchedWords(list: ListView): string {
  const fields = searchedFields(list).filter((field) => list.findRole === null || isWritten(field));
  return inWords(fields.map((field) => FIELD_NAMES[field])) || "nothing";
}

/** The fields as a filter names them: none for the usual ones. */
function chosen(wanted: ReadonlySet<Field>): Field[] {
  const fields = FIND_FIELDS.filter((field) => wanted.has(field));
  return fields.join() === USUAL.join() ? [] : fields;
}

export function toggleField(list: ListView, field: Field): Change {
  const wanted = new Set(searchedFields(list));
  if (!wanted.delete(field)) wanted.add(field);
  return { findFields: chosen(wanted) };
}

export interface LeftOut {
  sentence: string;
  label: string;
  change: Change;
}

/** What the search did not look at, each with the change that looks at it too. */
export function leftOut(unsearched: readonly SearchField[], list: ListView): LeftOut[] {
  const fields = unsearched.map((field) => field.toLowerCase() as Field);
  const { findRole } = list;
  const unwritten = findRole === null ? [] : fields.filter((field) => !isWritten(field));
  const others = fields.filter((field) => !unwritten.includes(field));
  const all: (LeftOut | false)[] = [
    others.length > 0 && {
      sentence: `${names(others)} ${isOne(others) ? "was" : "were"} not searched`,
      label: `search ${isOne(others) ? "it" : "them"} too`,
      change: { findFields: chosen(new Set([...searchedFields(list), ...others])) },
    },
    findRole !== null && unwritten.length > 0 && {
      sentence: `${names(unwritten)} were not searched`,
      label: `drop “by ${ROLE_NAMES[findRole]}”`,
      change: { findRole: null },
    },
    list.findArchived === "exclude" && {
      sentence: "Archived conversations were left out",
      label: "search them too",
      change: { findArchived: "include" },
    },
  ];
  return all.filter((each) => each !== false);
}

const isOne = (fields: readonly Field[]): boolean => fields.join() === "reasoning";

/** "Ids, titles and reasoning". */
function names(fields: readonly Field[]): string {
  const text = inWords(fields.map((field) => FIELD_NAMES[field]));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The filters that hold, in words, each with the change that drops just that one. */
export function narrowings(list: ListView): Narrowing<Change>[] {
  const { findFields, findRole, findArchived, findFrom, findUntil } = list;
  const isNarrowed = USUAL.some((field) => !searchedFields(list).includes(field));
  const all: (Narrowing<Change> | false)[] = [
    isNarrowed && { name: `in ${inWords(findFields.map((field) => FIELD_NAMES[field]))}`, drop: { findFields: [] } },
    findRole !== null && { name: `by ${ROLE_NAMES[findRole]}`, drop: { findRole: null } },
    findArchived !== "include" && { name: findArchived === "only" ? "archived alone" : "without archived", drop: { findArchived: "include" } },
    findFrom !== null && { name: `from ${findFrom}`, drop: { findFrom: null } },
    findUntil !== null && { name: `until ${findUntil}`, drop: { findUntil: null } },
  ];
  return all.filter((each) => each !== false);
}

export function inWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
