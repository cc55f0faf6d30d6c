import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aConversation, aCost, aProfile, noFacets, noneHidden } from "../../test/builders";
import { openDashboard } from "../../test/render";
import { refuse, type Sent, serve } from "../../test/server";
import { dayOf, daysLater, dayStart, longDay } from "./calendar";
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
  "DAY,MODEL": [
    aRow({ day: today, model: "big/one", cost: aCost({ usd: 7, actualUsd: 7, estimatedUsd: 6.5, status: "ACTUAL" }) }),
    aRow({ day: today, model: "nous/hermes-4" }),
  ],
  "SOURCE,MODEL": [aRow({ source: "cli", model: "big/one", sessions: 3 }), aRow({ source: "cron", model: "nous/hermes-4", sessions: 9 }), aRow({ source: null, model: "big/one", sessions: 2 })],
  TASK: [aRow({ cost: aCost({ usd: 0, estimatedUsd: null, status: "INCLUDED" }) }), aRow({ task: "compression" })],
};

const total = aRow({ sessions: 14, messages: 90, cost: aCost({ usd: 7.5, actualUsd: 2.5, estimatedUsd: 6, status: "MIXED", unknownSessions: 12 }) });

const dearest = [
  aConversation("c1", { cost: aCost({ usd: 2, status: "ACTUAL", actualUsd: 2 }), costWithSubagents: aCost({ usd: 5, unknownSessions: 1 }), subagentCount: 2 }),
  aConversation("c2", { cost: { ...noCost, unknownSessions: 1 }, costWithSubagents: { ...noCost, unknownSessions: 1 }, model: null }),
];

function serveUsage(change: object = {}) {
  return serve({
    profiles: () => [aProfile(), aProfile("work")],
    usage: ({ by, timeZone }) => ({ rows: byDimension[String(by)] ?? [], total, timeZone, bookedBy, failures: [], ...change }),
    conversations: () => ({ ...aConnection(dearest), hidden: noneHidden, failures: [], facets: noFacets }),
    conversation: ({ id }) => aConversation(String(id)),
  });
}

const asked = (sent: Sent[], operation: string) => sent.filter((each) => each.operation === operation).map(({ variables }) => variables);

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
    const table = within(screen.getByRole("region", { name: "Usage by model" }));
    expect(table.getAllByRole("rowheader").map((header) => header.textContent)).toEqual(["big/one", "nous/hermes-4", "small/free"]);
  });

  it("draws a bar a day, and names the marks that occur", async () => {
    serveUsage();
    const { user } = openDashboard("/usage?period=7d");
    expect(await screen.findByRole("img", { name: "Cost for each of 7 days, at most $3.00 on one" })).toBeTruthy();
    for (const mark of ["billed", "estimated", "a part without a price"]) expect(screen.getAllByText(mark)[0]).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Tokens" }));
    expect(await screen.findByRole("img", { name: "Tokens for each of 7 days, at most 1.5K tokens on one" })).toBeTruthy();
    expect(window.location.search).toBe("?period=7d&measure=tokens");
  });

  it("asks for the period from the browser's midnight on, in its time zone, of the profile", async () => {
    const sent = serveUsage();
    const { user } = openDashboard("/usage?in=work");
    await screen.findByRole("region", { name: "Usage by day" });
    await user.click(screen.getByRole("button", { name: "This month" }));
    const now = new Date();
    const month = new Date(now.getFullYear(), now.getMonth(), 1).toISOString();
    const variables = { profiles: ["work"], by: ["DAY"], from: month, to: null, timeZone: timeZoneHere(), filter: null };
    await waitFor(() => expect(asked(sent, "UsageBy").at(-1)).toEqual(variables));
    await user.click(screen.getByRole("button", { name: "All" }));
    await waitFor(() => expect(asked(sent, "UsageBy").at(-1)?.from).toBeNull());
  });

  it("leads to the conversations of a model, none of them hidden", async () => {
    serveUsage();
    const { user } = openDashboard("/usage?by=model&in=work&q=fox");
    await user.click(await screen.findByRole("link", { name: "Conversations of nous/hermes-4" }));
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

  it("is a calendar that one tab stop and the arrow keys lead through, and a day of it narrows the page", async () => {
    const sent = serveUsage();
    const { user } = openDashboard("/usage?period=30d");
    const grid = within(await screen.findByRole("grid", { name: "Activity by day, cost" }));
    const days = grid.getAllByRole("gridcell");
    expect(days).toHaveLength(30);
    expect(days.filter((cell) => cell.getAttribute("tabindex") === "0")).toHaveLength(1);
    const last = grid.getByRole("gridcell", { name: `${longDay(today)}: ≈ $3.00 + ?, 1 session` });
    last.focus();
    await user.keyboard("{ArrowLeft}{ArrowUp}");
    const before = daysLater(today, -8);
    expect(document.activeElement?.getAttribute("aria-label")).toBe(`${longDay(before)}: nothing`);
    await user.keyboard("{End}{Enter}");
    await waitFor(() => expect(window.location.search).toBe(`?only=day%3A${today}`));
    expect(last.getAttribute("aria-selected")).toBe("true");
    await waitFor(() => expect(asked(sent, "UsageBy")).toContainEqual(expect.objectContaining({ from: dayStart(today).toISOString(), to: dayStart(daysLater(today, 1)).toISOString() })));
    await user.click(screen.getByRole("button", { name: new RegExp("^day: ") }));
    await waitFor(() => expect(window.location.search).toBe(""));
  });

  it("narrows to a row by a click, counts each session once, and widens again", async () => {
    const sent = serveUsage();
    const { user } = openDashboard("/usage?by=model");
    await user.click(await screen.findByRole("link", { name: "big/one" }));
    await user.click(screen.getByRole("button", { name: "Source" }));
    const table = within(await screen.findByRole("region", { name: "Usage by source" }));
    await waitFor(() => expect(table.getAllByRole("rowheader").map((each) => each.textContent)).toEqual(["cli", "no source"]));
    expect(window.location.search).toBe("?by=source&only=model%3Abig%2Fone");
    expect(asked(sent, "UsageBy")).toContainEqual(expect.objectContaining({ by: ["MODEL"] }));
    expect(within(screen.getByLabelText("Totals")).getByText("$7.00")).toBeTruthy();
    await waitFor(() => expect(asked(sent, "DearestConversations").at(-1)?.filter).toMatchObject({ models: ["big/one"], audience: "ALL", archived: "INCLUDE" }));
    await user.click(screen.getByRole("button", { name: "model: big/one" }));
    await waitFor(() => expect(screen.getByText("≈ $7.50 + ?")).toBeTruthy());
  });

  it("names the dearest conversations with and without subagents, unknown ones too, and opens them", async () => {
    serveUsage();
    const { user } = openDashboard("/usage");
    const link = await screen.findByRole("link", { name: "Title of c1" });
    expect(cells(/Title of c1/).slice(0, 5)).toEqual(["$2.00", "≈ $5.00 + ?", "2", "hermes-4", "default"]);
    expect(cells(/Title of c2/).slice(0, 4)).toEqual(["cost unknown", "the same", "0", "no model"]);
    expect(screen.getByText(/^Conversations that were last active since .*, archived ones included, with all that they ever cost, also before the period\./)).toBeTruthy();
    await user.click(link);
    await waitFor(() => expect(window.location.pathname).toBe("/p/default/c/c1"));
  });

  it("asks for the dates of one's own, of the audience", async () => {
    const sent = serveUsage({ rows: [aRow({ day: "2026-03-29" })] });
    openDashboard("/usage?period=custom&begin=2026-03-28&end=2026-03-29&who=chats");
    expect(await screen.findByRole("img", { name: /for each of 2 days/ })).toBeTruthy();
    const [first] = asked(sent, "UsageBy");
    expect(first).toMatchObject({ from: dayStart("2026-03-28").toISOString(), to: dayStart("2026-03-30").toISOString(), filter: { audience: "CHATS", archived: "INCLUDE" } });
    expect(screen.getByText(new RegExp(`Days are those of ${timeZoneHere()}`))).toBeTruthy();
  });
});
