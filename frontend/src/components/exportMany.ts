/** Several conversations written into one file. */
import { authorization } from "../lib/token";
import type { Part } from "./bulkChanges";

/** The formats that stay sound when one conversation stands behind the other. */
export const EXPORT_FORMATS = [
  { format: "md", name: "Markdown, one file", between: "\n\n" },
  { format: "jsonl", name: "JSON lines, one file", between: "" },
] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number]["format"];

interface Written {
  file: Blob;
  /** Conversations that could not be written, and why. */
  failures: string[];
}

export async function writeMany(parts: readonly Part[], format: ExportFormat, onDone: (done: number) => void): Promise<Written> {
  const between = EXPORT_FORMATS.find((each) => each.format === format)?.between ?? "";
  const names = parts.flatMap(({ profile, ids }) => (ids ?? []).map((id) => ({ profile, id })));
  const texts: BlobPart[] = [];
  const failures: string[] = [];
  await names.reduce(async (before, { profile, id }, index) => {
    await before;
    const address = `/export/${encodeURIComponent(profile)}/${encodeURIComponent(id)}.${format}`;
    const answer = await fetch(address, { headers: authorization(), credentials: "same-origin" }).catch(() => null);
    if (answer?.ok) texts.push(await answer.blob(), between);
    else failures.push(`${profile} ${id}: ${answer ? `the server answered with status ${answer.status}` : "the server does not answer"}`);
    onDone(index + 1);
  }, Promise.resolve());
  return { file: new Blob(texts), failures };
}

/** Hands a file to the browser as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
