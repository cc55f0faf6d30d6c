/** What a node and all below it add up to. An unknown cost is counted and never taken for zero. */
import { count, plural, usd } from "../../lib/format";
import type { LineageNode, TreeRow } from "./lineage";

export interface Total {
  sessions: number;
  tokens: number;
  messages: number;
  /** The part of the cost that is known; null when nothing is. */
  usd: number | null;
  /** Something of what is known was not billed but estimated. */
  isEstimated: boolean;
  unknownSessions: number;
  /** Nothing below is left out of the answer. */
  isWhole: boolean;
}

const ESTIMATES: ReadonlySet<string> = new Set(["ESTIMATED", "MIXED"]);

function own({ session }: LineageNode, missing: number): Total {
  const { usd: known, status, unknownSessions } = session.cost;
  return {
    sessions: 1,
    tokens: session.usage.totalTokens,
    messages: session.messageCount,
    usd: known,
    isEstimated: ESTIMATES.has(status),
    unknownSessions,
    isWhole: missing === 0,
  };
}

function add(total: Total, more: Total): void {
  total.sessions += more.sessions;
  total.tokens += more.tokens;
  total.messages += more.messages;
  if (more.usd !== null) total.usd = (total.usd ?? 0) + more.usd;
  total.isEstimated ||= more.isEstimated;
  total.unknownSessions += more.unknownSessions;
  total.isWhole &&= more.isWhole;
}

/** For each row in order: its own numbers with those of all rows below it. */
export function subtreeTotals(rows: readonly TreeRow[]): Map<string, Total> {
  const totals = rows.map(({ node, missing }) => own(node, missing));
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const { parent } = rows[index] as TreeRow;
    if (parent !== null) add(totals[parent] as Total, totals[index] as Total);
  }
  return new Map(rows.map(({ node }, index) => [node.session.id, totals[index] as Total]));
}

/** In a column: "$1.20", "≈ $1.20" with estimates in it, "≥ $1.20" where a part is unknown, "no price". */
export function costFigure({ usd: known, isEstimated, unknownSessions, isWhole }: Pick<Total, "usd" | "isEstimated" | "unknownSessions" | "isWhole">): string {
  if (known === null) return "no price";
  if (unknownSessions > 0 || !isWhole) return `≥ ${usd(known)}`;
  return isEstimated ? `≈ ${usd(known)}` : usd(known);
}

/** In a sentence: "≥ $1.20, 2 without a price". */
export function costWords(total: Pick<Total, "usd" | "isEstimated" | "unknownSessions" | "isWhole">): string {
  const { usd: known, unknownSessions, isWhole } = total;
  const parts = [
    costFigure(total),
    known !== null && unknownSessions > 0 && `${count(unknownSessions)} without a price`,
    known === null && unknownSessions > 1 && `of ${plural(unknownSessions, "session")}`,
    !isWhole && "without what is not drawn",
  ];
  return parts.filter(Boolean).join(", ");
}
