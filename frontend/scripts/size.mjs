/** Weighs what the dashboard loads first, as it travels (gzip), and fails when it is over budget. */
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const site = fileURLToPath(new URL("../../backend/hermes_sessions/web/static/", import.meta.url));
const budgets = [
  { name: "JS", ending: ".js", limit: 180_000 },
  { name: "CSS", ending: ".css", limit: 15_000 },
];

const html = readFileSync(`${site}index.html`, "utf8");
const loaded = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1]);

let over = false;
for (const { name, ending, limit } of budgets) {
  const files = loaded.filter((file) => file.endsWith(ending));
  if (files.length === 0) throw new Error(`index.html loads no ${name}`);
  const bytes = files.reduce((sum, file) => sum + statSync(`${site}${file}.gz`).size, 0);
  over ||= bytes > limit;
  const verdict = bytes > limit ? "OVER" : "ok";
  console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB of ${limit / 1000} kB gzipped, ${verdict}`);
}
process.exitCode = over ? 1 : 0;
