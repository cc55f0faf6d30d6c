/** How well a cost is known: what was billed, what is estimated beside it, and what has no price. */
import { plural, usd } from "../../lib/format";
import type { Row } from "./usageQuery";

type Cost = Row["cost"];

/** The billed part of a cost and the estimated rest, in US dollars; together they are what is known. */
export function costParts({ usd: known, actualUsd }: Pick<Cost, "usd" | "actualUsd">): { billed: number; estimated: number } {
  const billed = Math.min(actualUsd ?? 0, known ?? 0);
  return { billed, estimated: (known ?? 0) - billed };
}

/** "billed $1.20, estimated $3.00, and 12 sessions without a price". */
export function certainty(cost: Cost): string {
  const { billed, estimated } = costParts(cost);
  const known = [
    billed > 0 && `billed ${usd(billed)}`,
    estimated > 0 && `estimated ${usd(estimated)}`,
    cost.status === "INCLUDED" && "included in a subscription",
  ].filter(Boolean);
  const unknown = cost.unknownSessions > 0 && `${plural(cost.unknownSessions, "session")} without a price`;
  return [known.join(", "), unknown].filter(Boolean).join(", and ");
}
