/** Figures of a store, each with its name; what is not known says so. */
import type { Engine, SearchIndexState, StoreFindingsQuery } from "../../graphql/generated/graphql";
import { bytes, count } from "../../lib/format";
import type { Store } from "./statuses";
import styles from "./StoresPage.module.css";

export type Health = NonNullable<StoreFindingsQuery["profile"]>["health"];
export type Fact = readonly [name: string, value: string, isBad?: boolean];

const ENGINES: Record<Engine, string> = { SQLITE: "SQLite", POSTGRES: "PostgreSQL" };

const known = (value: number | null | undefined, write = count): string => (value === null || value === undefined ? "not known" : write(value));

export const storeFacts = (store: Store): Fact[] => [
  ["Engine", ENGINES[store.engine]],
  ["Size", known(store.sizeBytes, bytes)],
  ["Conversations", known(store.conversationCount)],
  ["Sessions", known(store.sessionCount)],
  ["Messages", known(store.messageCount)],
  ["Schema", known(store.schemaVersion)],
];

const INDEX_STATES: Record<SearchIndexState, string> = {
  NONE: "not there",
  UNKNOWN_TOKENIZER: "Hermes' own",
  DAMAGED: "damaged",
  BUILDING: "being filled",
  STALE: "out of date",
  MISSING_TRIGGERS: "not kept",
  OK: "complete",
};
const WELL = new Set<SearchIndexState>(["OK", "UNKNOWN_TOKENIZER"]);

/** "all complete", or the state of each one that is not. */
export function indexesText({ items, reason }: Health["searchIndexes"]): string {
  if (!items) return reason ?? "not known";
  if (items.length === 0) return "none";
  const others = items.filter(({ state }) => state !== "OK");
  return others.length === 0 ? "complete" : others.map(({ name, state }) => `${name} ${INDEX_STATES[state]}`).join(", ");
}

export function healthFacts(health: Health): Fact[] {
  const { walBytes, freePages, pageBytes, journalMode, library, libraryWarnings, danglingParents, undercountedSessions, searchIndexes } = health;
  const isKnown = freePages !== null && freePages !== undefined && pageBytes;
  // A database of a server has no file of its own that there were anything to say about.
  const ofTheFile: Fact[] = journalMode ? [
    ["Write-ahead log", walBytes === null || walBytes === undefined ? "none" : bytes(walBytes)],
    ["Journal", journalMode],
    ["Free in the file", isKnown ? bytes(freePages * pageBytes) : "not known"],
    ["Library", library ?? "not known", libraryWarnings.length > 0],
  ] : [];
  return [
    ...ofTheFile,
    ["Orphans", count(danglingParents), danglingParents > 0],
    ["Undercounted", count(undercountedSessions), undercountedSessions > 0],
    ["Search indexes", indexesText(searchIndexes), searchIndexes.items?.some(({ state }) => !WELL.has(state))],
  ];
}

export function Facts({ facts, label }: { facts: readonly Fact[]; label: string }) {
  return (
    <dl className={styles.facts} aria-label={label}>
      {facts.map(([name, value, isBad]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-bad={isBad || undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
