/** The cost of several conversations as one figure, as the API sums it over sessions. */
import type { Money_CostFragment } from "../../graphql/generated/graphql";

type Amount = number | null | undefined;

/** Null where nothing is known; what is unknown is left out, never 0. */
function sum(amounts: readonly Amount[]): number | null {
  const known = amounts.filter((amount) => amount !== null && amount !== undefined);
  return known.length === 0 ? null : known.reduce((total, amount) => total + amount, 0);
}

export function sumCosts(costs: readonly Money_CostFragment[]): Money_CostFragment {
  const statuses = new Set(costs.map(({ status }) => status).filter((status) => status !== "UNKNOWN"));
  const paid = [...statuses].filter((status) => status !== "INCLUDED");
  return {
    usd: sum(costs.map(({ usd }) => usd)),
    actualUsd: sum(costs.map(({ actualUsd }) => actualUsd)),
    estimatedUsd: sum(costs.map(({ estimatedUsd }) => estimatedUsd)),
    status: statuses.size === 0 ? "UNKNOWN" : paid.length === 0 ? "INCLUDED" : paid.length === 1 ? (paid[0] ?? "MIXED") : "MIXED",
    unknownSessions: costs.reduce((total, { unknownSessions }) => total + unknownSessions, 0),
  };
}
