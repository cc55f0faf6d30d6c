import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aConversation, aProfile, noFacets, noneHidden } from "../../test/builders";
import { openDashboard } from "../../test/render";
import { refuse, type Root, serve } from "../../test/server";
import { timeLeft } from "./entries";
import { restoredText } from "./useRestore";

const anEntry = (binId: string, change: object = {}) => ({
  __typename: "BinEntry",
  binId,
  profile: "default",
  title: `Deleted ${binId}`,
  sessionIds: ["a", "b"],
  messageCount: 34,
  bytes: 5_200,
  deletedAt: "2026-03-01T10:00:00.000000Z",
  expiresAt: "2026-03-31T10:00:00.000000Z",
  ...change,
});

const restored = (change: object = {}) => ({ changedIds: ["a", "b"], sessionCount: 2, messageCount: 34, skipped: [], dryRun: false, userErrors: [], ...change });

function serveBins(bins: Record<string, () => object[]>, change: Root = {}) {
  return serve({
    profiles: () => Object.keys(bins).map((name) => aProfile(name)),
    bin: ({ profile }) => bins[String(profile)]?.(),
    ...change,
  });
}

const failing = () => {
  throw new Error("The bin is locked.");
};

const titles = () => screen.getAllByRole("rowheader").map((header) => header.textContent);

describe("the bin", () => {
  it("shows what was deleted from all profiles, the latest first", async () => {
    const later = anEntry("2", { profile: "work", deletedAt: "2026-03-02T10:00:00.000000Z", title: null, sessionIds: ["w1"] });
    serveBins({ default: () => [anEntry("3", { deletedAt: "2026-03-03T10:00:00.000000Z" }), anEntry("1")], work: () => [later] });
    openDashboard("/bin");
    await waitFor(() => expect(titles()).toEqual(["Deleted 3", "no title, w1", "Deleted 1"]));
    const row = within(screen.getByRole("row", { name: /Deleted 1/ }));
    expect(row.getAllByRole("cell").map((cell) => cell.textContent).slice(1, 5)).toEqual(["default", "2", "34", "5.2 kB"]);
    expect(row.getByTitle(/^31 Mar 2026/)).toBeTruthy();
  });

  it("asks one profile alone where the address names one", async () => {
    const sent = serveBins({ default: () => [anEntry("1")], work: () => [anEntry("2", { profile: "work" })] });
    openDashboard("/bin?in=work");
    await waitFor(() => expect(titles()).toEqual(["Deleted 2"]));
    expect(sent.filter(({ operation }) => operation === "BinOf").map(({ variables }) => variables.profile)).toEqual(["work"]);
  });

  it("shows a failing profile beside the others", async () => {
    serveBins({ default: () => [anEntry("1")], work: failing });
    openDashboard("/bin");
    expect((await screen.findByRole("alert")).textContent).toContain("work The bin is locked.");
    expect(titles()).toEqual(["Deleted 1"]);
  });

  it("restores, says what came back, and no longer shows it", async () => {
    let entries = [anEntry("1"), anEntry("2")];
    let answer: ((result: object) => void) | undefined;
    const sent = serveBins({ default: () => entries }, { restoreSessions: () => new Promise<object>((resolve) => { answer = resolve; }) });
    const { user } = openDashboard("/bin");
    await user.click(await screen.findByRole("button", { name: "Restore “Deleted 1”" }));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Restore “Deleted 1”" }).disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Restore “Deleted 2”" }).disabled).toBe(false);
    entries = [anEntry("2")];
    answer?.(restored());
    expect(await screen.findByText("Brought back “Deleted 1” (2 sessions, 34 messages)")).toBeTruthy();
    await waitFor(() => expect(titles()).toEqual(["Deleted 2"]));
    expect(sent.find(({ operation }) => operation === "RestoreSessions")?.variables.input).toEqual({ profile: "default", binId: "1" });
  });

  it("filters by title and id, and keeps the text in the address", async () => {
    serveBins({ default: () => [anEntry("1"), anEntry("2", { title: null, sessionIds: ["20260301_ab"] })] });
    const { user } = openDashboard("/bin");
    await user.type(await screen.findByRole("searchbox", { name: "Filter by title or id" }), "_AB");
    await waitFor(() => expect(titles()).toEqual(["no title, 20260301_ab"]));
    expect(screen.getByText("1 of 2 deletions")).toBeTruthy();
    expect(window.location.search).toBe("?bin=_AB");
    await user.type(screen.getByRole("searchbox"), "C");
    await user.click(await screen.findByRole("button", { name: "Drop the filter" }));
    await waitFor(() => expect(titles()).toHaveLength(2));
  });

  it("restores what is ticked and shown, one after the other, and tells what came of it", async () => {
    let entries = [anEntry("1"), anEntry("2"), anEntry("3", { title: "Other" })];
    const taken = { id: "b", code: "ID_TAKEN", reason: "Another session has the id." };
    const sent = serveBins({ default: () => entries }, {
      restoreSessions: ({ input }) => {
        const { binId } = input as unknown as { binId: string };
        if (binId === "1") entries = entries.filter((entry) => entry.binId !== binId);
        return restored(binId === "1" ? {} : { sessionCount: 0, messageCount: 0, skipped: [taken] });
      },
    });
    const { user } = openDashboard("/bin");
    await user.click(await screen.findByRole("checkbox", { name: "Tick all that are shown" }));
    expect(screen.getByText("3 deletions ticked")).toBeTruthy();
    await user.type(screen.getByRole("searchbox"), "deleted");
    await waitFor(() => expect(titles()).toEqual(["Deleted 1", "Deleted 2"]));
    await user.click(screen.getByRole("button", { name: "Restore the ticked" }));
    expect(await screen.findByText(/^Brought back 1 of 2 deletions \(2 sessions, 34 messages\)\. “Deleted 2” could not be brought back/)).toBeTruthy();
    const inputs = sent.filter(({ operation }) => operation === "RestoreSessions").map(({ variables }) => variables.input);
    expect(inputs).toEqual([{ profile: "default", binId: "1" }, { profile: "default", binId: "2" }]);
    await waitFor(() => expect(titles()).toEqual(["Deleted 2"]));
  });

  it("leaves no undo of a deletion that was restored here", async () => {
    let entries: object[] = [];
    const deleted = { deletedIds: ["a", "b"], detachedIds: [], messageCount: 34, alreadyAbsent: false, binId: "1", userErrors: [] };
    const sent = serveBins({ default: () => entries }, {
      conversations: () => ({ ...aConnection([aConversation("c1")]), hidden: noneHidden, failures: [], facets: noFacets }),
      deleteSession: () => {
        entries = [anEntry("1")];
        return deleted;
      },
      restoreSessions: () => {
        entries = [];
        return restored();
      },
    });
    const { user } = openDashboard("/");
    await screen.findByText("Title of c1");
    await user.keyboard("j#");
    await screen.findByRole("button", { name: "Undo" });
    await user.click(screen.getByRole("link", { name: "Bin" }));
    await user.click(await screen.findByRole("button", { name: "Restore “Deleted 1”" }));
    await screen.findByText(/^Brought back/);
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    await user.keyboard("z");
    expect(await screen.findByText("Nothing to undo")).toBeTruthy();
    expect(sent.filter(({ operation }) => operation === "RestoreSessions")).toHaveLength(1);
  });

  it("says why something was refused, and keeps it", async () => {
    const error = { __typename: "BasicError", code: "READ_ONLY", message: "The server changes nothing.", path: [] };
    serveBins({ default: () => [anEntry("1")] }, { restoreSessions: () => restored({ sessionCount: 0, messageCount: 0, userErrors: [error] }) });
    const { user } = openDashboard("/bin");
    await user.click(await screen.findByRole("button", { name: "Restore “Deleted 1”" }));
    expect(await screen.findByText("The server changes nothing. (READ_ONLY)")).toBeTruthy();
    expect(titles()).toEqual(["Deleted 1"]);
  });

  it("says how long things stay, and what it means when none do", async () => {
    serveBins({ default: () => [] });
    openDashboard("/bin");
    expect(await screen.findByText("The bin is empty")).toBeTruthy();
    expect(screen.getByText(/for 30 days, unless/)).toBeTruthy();
    expect(screen.getByText(/With 0 there is no bin/)).toBeTruthy();
  });

  it("shows an error with its code", async () => {
    refuse(503, "STORE_BUSY", "Another program holds the lock.");
    openDashboard("/bin");
    expect((await screen.findByRole("alert")).textContent).toContain("STORE_BUSY");
  });
});

describe("the time that is left", () => {
  const now = Date.parse("2026-03-01T10:00:00Z");

  it("is told in whole days and hours, never more than there is", () => {
    const texts = ["2026-03-31T09:59:00Z", "2026-03-02T10:00:00Z", "2026-03-02T09:59:00Z", "2026-03-01T10:20:00Z", "2026-03-01T09:00:00Z", null];
    expect(texts.map((text) => timeLeft(text, now))).toEqual(["29 days left", "1 day left", "23 hours left", "under an hour left", "goes with the next look", "not known"]);
  });
});

describe("what restoring did", () => {
  const skipped = [{ id: "b", code: "ID_TAKEN" as const, reason: "Another session has the id." }];

  it("tells the part that could not come back, and why", () => {
    const text = restoredText({ sessionCount: 1, messageCount: 3, skipped }, "“Plan”");
    expect(text).toBe("Brought back a part of “Plan” (1 session, 3 messages); 1 session left out. b: Another session has the id. (ID_TAKEN)");
  });

  it("tells when nothing came back", () => {
    expect(restoredText({ sessionCount: 0, messageCount: 0, skipped }, "“Plan”")).toMatch(/^“Plan” could not be brought back: 1 session left out/);
  });
});
