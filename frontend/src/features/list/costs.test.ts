import { describe, expect, it } from "vitest";
import type { Money_CostFragment } from "../../graphql/generated/graphql";
import { aCost } from "../../test/builders";
import { sumCosts } from "./costs";

const cost = (change: object) => aCost(change) as Money_CostFragment;
const billed = cost({ usd: 1, actualUsd: 1, estimatedUsd: null, status: "ACTUAL" });
const estimated = cost({ usd: 0.25, estimatedUsd: 0.25 });
const included = cost({ usd: 0, estimatedUsd: null, status: "INCLUDED" });
const unknown = cost({ usd: null, estimatedUsd: null, status: "UNKNOWN", unknownSessions: 2 });

describe("the cost of several conversations", () => {
  it("is the sum of what is known, and counts what is not", () => {
    expect(sumCosts([billed, estimated, unknown])).toEqual({ usd: 1.25, actualUsd: 1, estimatedUsd: 0.25, status: "MIXED", unknownSessions: 2 });
  });

  it("is unknown, and not 0, where nothing is known", () => {
    expect(sumCosts([unknown, unknown])).toMatchObject({ usd: null, status: "UNKNOWN", unknownSessions: 4 });
  });

  it("keeps the kind of figure that all have", () => {
    expect(sumCosts([included, included])).toMatchObject({ usd: 0, status: "INCLUDED" });
    expect(sumCosts([estimated, included])).toMatchObject({ usd: 0.25, status: "ESTIMATED" });
  });
});
