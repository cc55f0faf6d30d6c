/** What a search in files found, by file. */
import { type Fields, isRecord, numberIn, recordsIn, textIn } from "./toolAnswer";

export interface FileHits {
  path: string;
  hits: { line: number | null; text: string }[];
  /** Where lines were only counted. */
  count: number | null;
}

export function searchHits(fields: Fields): FileHits[] {
  const files = new Map<string, FileHits>();
  const at = (path: string) => {
    const file = files.get(path) ?? { path, hits: [], count: null };
    files.set(path, file);
    return file;
  };
  for (const match of recordsIn(fields.matches)) {
    at(textIn(match, "path", "file")).hits.push({ line: numberIn(match, "line") ?? numberIn(match, "line_number"), text: textIn(match, "content", "text") });
  }
  let path = "";
  for (const row of textIn(fields, "matches_text").split("\n")) {
    const hit = /^ +(\d{1,9}): ?(.*)$/.exec(row);
    if (hit) at(path).hits.push({ line: Number(hit[1]), text: hit[2] ?? "" });
    else if (row) path = row;
  }
  if (Array.isArray(fields.files)) for (const file of fields.files) if (typeof file === "string") at(file);
  if (isRecord(fields.counts)) for (const [file, count] of Object.entries(fields.counts)) at(file).count = typeof count === "number" ? count : null;
  return [...files.values()];
}

/** The columns of a line where a literal pattern stands; a regular expression is not run: it might never end. */
export function placesOf(pattern: string, text: string): [number, number][] {
  if (!pattern || /[\\^$.|?*+()[\]{}]/.test(pattern)) return [];
  const places: [number, number][] = [];
  for (let at = text.indexOf(pattern); at >= 0 && places.length < 50; at = text.indexOf(pattern, at + pattern.length)) places.push([at, at + pattern.length]);
  return places;
}
