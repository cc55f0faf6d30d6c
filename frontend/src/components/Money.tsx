/** What something cost, and how well that is known: an unknown cost is never shown as zero. */
import { type FragmentType, graphql, readFragment } from "../graphql/generated";
import type { Money_CostFragment } from "../graphql/generated/graphql";
import { plural, usd } from "../lib/format";

const MoneyFragment = graphql(`
  fragment Money_cost on Cost {
    usd
    actualUsd
    estimatedUsd
    status
    unknownSessions
  }
`);

/** "$1.20", "≈ $1.20" for an estimate, "$1.20 + ?" where a part is unknown. */
export function moneyText({ usd: value, status, unknownSessions }: Money_CostFragment): string {
  if (value === null || value === undefined || status === "UNKNOWN") return "cost unknown";
  if (status === "INCLUDED") return "included";
  const figure = status === "ACTUAL" ? usd(value) : `≈ ${usd(value)}`;
  return unknownSessions > 0 ? `${figure} + ?` : figure;
}

export function moneyMeaning({ actualUsd, estimatedUsd, status, unknownSessions }: Money_CostFragment): string {
  const parts = [
    actualUsd !== null && actualUsd !== undefined && `billed ${usd(actualUsd)}`,
    estimatedUsd !== null && estimatedUsd !== undefined && `estimated ${usd(estimatedUsd)}`,
    status === "INCLUDED" && "included in a subscription",
    unknownSessions > 0 && `${plural(unknownSessions, "session")} of unknown cost`,
  ];
  const known = parts.filter(Boolean).join(", ");
  return known || "nothing is known about the cost";
}

export function Money({ cost }: { cost: FragmentType<typeof MoneyFragment> }) {
  const data = readFragment(MoneyFragment, cost);
  return <span title={moneyMeaning(data)}>{moneyText(data)}</span>;
}
