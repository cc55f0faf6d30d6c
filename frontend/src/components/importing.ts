/** Bringing in sessions from a file: which files can be taken, the question to the API, and its answer in words. */
import { graphql } from "../graphql/generated";
import { plural } from "../lib/format";

export const ImportSessions = graphql(`
  mutation ImportSessions($input: ImportSessionsInput!) {
    importSessions(input: $input) {
      importedIds
      skipped { id code reason }
      cutLinks { childId parentId reason }
      warnings
      sessionCount
      messageCount
      usageRowCount
      completed
      dryRun
      userErrors { __typename code message path }
    }
  }
`);

export const ImportInto = graphql(`
  query ImportInto {
    server { readOnly defaultProfile }
    profiles { nodeId name status isDefault }
  }
`);

/** What one request may hold unless the server is set otherwise. */
export const USUAL_LIMIT = 25_000_000;
export const COMMAND = "hermes-sessions import";
/** The most ids that one deletion takes. */
export const DELETABLE = 10_000;

const ENDINGS = /\.(jsonl?|ndjson)$/i;

/** Why a file cannot be taken, as far as its name and size tell; null when it may be one. */
export function refuseFile({ name, size }: Pick<File, "name" | "size">): string | null {
  if (!ENDINGS.test(name)) return `“${name}” is no export that could be imported. Choose a .json or .jsonl file.`;
  return size === 0 ? `“${name}” is empty.` : null;
}

/** Why a text cannot be an export: it is no JSON from its first character on. */
export function refuseText(name: string, text: string): string | null {
  const first = text.replace(/^\uFEFF/, "").trimStart()[0];
  return first === "{" || first === "[" ? null : `“${name}” holds no JSON: an export begins with { or [.`;
}

/** The size of the request's body: JSON spells quotes and line ends in more bytes than the file has. */
export const requestBytes = (text: string): number => new Blob([JSON.stringify(text)]).size;

interface Counts {
  sessionCount: number;
  messageCount: number;
  usageRowCount: number;
}

export const countsOf = ({ sessionCount, messageCount, usageRowCount }: Counts): string =>
  [plural(sessionCount, "session"), plural(messageCount, "message"), usageRowCount > 0 && plural(usageRowCount, "row of usage", "rows of usage")]
    .filter(Boolean)
    .join(", ");
