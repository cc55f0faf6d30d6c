/** The table of usage as a file for spreadsheets. */
import type { UsageView } from "../../lib/usageView";
import { costParts } from "./certainty";
import type { Row } from "./usageQuery";

type Cell = string | number | null;

const COLUMNS: [name: string, of: (row: Row) => Cell][] = [
  ["cost_usd", ({ cost }) => cost.usd ?? null],
  ["billed_usd", ({ cost }) => (cost.usd === null ? null : costParts(cost).billed)],
  ["estimated_usd", ({ cost }) => (cost.usd === null ? null : costParts(cost).estimated)],
  ["cost_status", ({ cost }) => cost.status],
  ["sessions_without_price", ({ cost }) => cost.unknownSessions],
  ["total_tokens", ({ usage }) => usage.totalTokens],
  ["input_tokens", ({ usage }) => usage.inputTokens],
  ["cache_read_tokens", ({ usage }) => usage.cacheReadTokens],
  ["cache_write_tokens", ({ usage }) => usage.cacheWriteTokens],
  ["output_tokens", ({ usage }) => usage.outputTokens],
  ["calls", ({ usage }) => usage.apiCalls],
  ["sessions", ({ sessions }) => sessions],
];

/** A text that a spreadsheet would take for a formula gets an apostrophe in front: stored names may be anybody's. */
export function csvCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^\s*[=+\-@\t\r\n|%＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n;\t]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines as RFC 4180 has them; an unknown cost is an empty cell. */
export function usageCsv(rows: readonly Row[], by: UsageView["by"]): string {
  const head = [by, ...COLUMNS.map(([name]) => name)];
  const lines = rows.map((row) => [row[by] ?? null, ...COLUMNS.map(([, of]) => of(row))]);
  return [head, ...lines].map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

/** Hands a text to the browser as a file; the mark at the start tells spreadsheets that it is UTF-8. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
