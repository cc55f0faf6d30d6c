import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aCost, aProfile, noFacets, noneHidden } from "../../test/builders";
import { openDashboard } from "../../test/render";
import { refuse, serve } from "../../test/server";
import { dayOf } from "./calendar";
import { timeZoneHere } from "./usageQuery";

const tokensOf = (totalTokens: number) => ({ totalTokens, inputTokens: totalTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0, apiCalls: 2 });
const bookedBy = { spent: 3, lastSeen: 0, start: 1, undated: 0 };
const noCost = { usd: null, actualUsd: null, estimatedUsd: null, status: "UNKNOWN", unknownSessions: 2 };
const today = dayOf(new Date());

const aRow = (change: object = {}) => ({
  day: null, month: null, profile: null, model: null, source: null, workspace: null, task: null,
  sessions: 1, messages: 4, usage: tokensOf(1_500), cost: aCost(), bookedBy, ...change,
});

const byDimension: Record<string, object[]> = {
  DAY: [aRow({ day: today, cost: aCost({ usd: 3, actualUsd: 1, estimatedUsd: 2, status: "MIXED", unknownSessions: 1 }) })],
  MODEL: [aRow({ model: "small/free", cost: noCost }), aRow({ model: "nous/hermes-4" }), aRow({ model: "big/one", cost: aCost({ usd: 7, actualUsd: 7, estimatedUsd: 6.5, status: "ACTUAL" }) })],
  TASK: [aRow({ cost: aCost({ usd: 0, estimatedUsd: null, status: "INCLUDED" }) }), aRow({ task: "compression" })],
};

const total = aRow({ sessions: 14, messages: 90, cost: aCost({ usd: 7.5, actualUsd: 2.5, estimatedUsd: 6, status: "MIXED", unknownSessions: 12 }) });

function serveUsage(change: object = {}) {
  return serve({
    profiles: () => [aProfile(), aProfile("work")],
    usage: ({ by, timeZone }) => ({ rows: byDimension[String(by)], total, timeZone, bookedBy, failures: [], ...change }),
    conversations: () => ({ ...aConnection([]), hidden: noneHidden, failures: [], facets: noFacets }),
  });
}

const cells = (name: RegExp) => within(screen.getByRole("row", { name })).getAllByRole("cell").map((cell) => cell.textContent);

describe("the usage", () => {
  it("tells billed, estimated and unknown apart, in the totals and in each row", async () => {
    serveUsage();
    openDashboard("/usage?by=model");
    await screen.findByRole("row", { name: /big\/one/ });
    expect(screen.getByText("≈ $7.50 + ?")).toBeTruthy();
    expect(screen.getByText("billed $2.50, estimated $5.00, and 12 sessions without a price")).toBeTruthy();
    expect(cells(/small\/free/).slice(0, 3)).toEqual(["cost unknown", "2 sessions without a price", "1.5K"]);
    expect(cells(/big/).slice(0, 2)).toEqual(["$7.00", "billed $7.00"]);
    expect(cells(/nous/).slice(0, 2)).toEqual(["≈ $0.50", "estimated $0.50"]);
    expect(screen.getAllByRole("rowheader").map((header) => header.textContent)).toEqual(["big/one", "nous/hermes-4", "small/free"]);
  });

  it("draws a bar a day, and names the marks that occur", async () => {
    serveUsage();
    const { user } = openDashboard("/usage?period=7d");
    expect(await screen.findByRole("img", { name: "Cost for each of 7 days, at most $3.00 on one" })).toBeTruthy();
    for (const mark of ["billed", "estimated", "a part without a price"]) expect(screen.getByText(mark)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Tokens" }));
    expect(await screen.findByRole("img", { name: "Tokens for each of 7 days, at most 1.5K tokens on one" })).toBeTruthy();
    expect(window.location.search).toBe("?period=7d&measure=tokens");
  });

  it("asks for the period from the browser's midnight on, in its time zone, of the profile", async () => {
    const sent = serveUsage();
    const { user } = openDashboard("/usage?in=work");
    await screen.findByRole("row", { name: new RegExp(String(new Date().getFullYear())) });
    await user.click(screen.getByRole("button", { name: "This month" }));
    const now = new Date();
    const month = new Date(now.getFullYear(), now.getMonth(), 1).toISOString();
    await waitFor(() => expect(sent.at(-1)?.variables).toEqual({ profiles: ["work"], by: ["DAY"], from: month, timeZone: timeZoneHere() }));
    await user.click(screen.getByRole("button", { name: "All" }));
    await waitFor(() => expect(sent.at(-1)?.variables.from).toBeNull());
  });

  it("leads to the conversations of a model, none of them hidden", async () => {
    serveUsage();
    const { user } = openDashboard("/usage?by=model&in=work&q=fox");
    await user.click(await screen.findByRole("link", { name: "nous/hermes-4" }));
    await waitFor(() => expect(window.location.pathname).toBe("/"));
    const search = new URLSearchParams(window.location.search);
    expect(Object.fromEntries(search)).toMatchObject({ in: "work", audience: "all", model: "nous/hermes-4", archived: "include", empty: "show" });
    expect(search.has("q")).toBe(false);
  });

  it("names what is no task, and what a subscription includes", async () => {
    serveUsage();
    openDashboard("/usage?by=task");
    await screen.findByRole("row", { name: /compression/ });
    expect(cells(/the conversations themselves/).slice(0, 2)).toEqual(["included", "included in a subscription"]);
  });

  it("says when nothing was used", async () => {
    serveUsage({ rows: [], total: aRow({ sessions: 0, messages: 0, usage: tokensOf(0), cost: { ...noCost, unknownSessions: 0 } }) });
    openDashboard("/usage");
    expect(await screen.findByText("Nothing was used in this period")).toBeTruthy();
    expect(screen.queryByText(/\$0/)).toBeNull();
  });

  it("shows a failing profile beside the numbers of the others", async () => {
    serveUsage({ failures: [{ profile: "work", code: "STORE_DAMAGED", message: "The file is not a database." }] });
    openDashboard("/usage");
    expect((await screen.findByRole("alert")).textContent).toContain("The file is not a database. STORE_DAMAGED");
    expect(screen.getByText("≈ $7.50 + ?")).toBeTruthy();
  });

  it("shows an error with its code", async () => {
    refuse(503, "STORE_BUSY", "Another program holds the lock.");
    openDashboard("/usage");
    expect((await screen.findByRole("alert")).textContent).toContain("STORE_BUSY");
  });
});
