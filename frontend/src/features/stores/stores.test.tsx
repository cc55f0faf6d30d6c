import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aCost, aProfile, noFacets, noneHidden } from "../../test/builders";
import { openDashboard } from "../../test/render";
import { refuse, type Root, serve } from "../../test/server";

const aFinding = (severity: string, code: string, change: object = {}) => ({
  __typename: "Finding", severity, area: "STORE", code, message: `Message of ${code}.`, advice: null, count: null, ids: [], ...change,
});

const anIndex = (name: string, state = "OK") => ({ name, state, indexedRows: 4, expectedRows: 4 });

const aHealth = (findings: object[], change: object = {}) => ({
  __typename: "StoreHealth", walBytes: null, pageBytes: 4_096, freePages: 10, journalMode: "wal", library: "3.46.1", libraryWarnings: [],
  danglingParents: 0, undercountedSessions: 0, searchIndexes: { items: [anIndex("messages_fts")], reason: null }, findings, ...change,
});

const aStore = (name: string, change: object = {}) => ({
  ...aProfile(name), engine: "SQLITE", schemaVersion: 14, sizeBytes: 2_400_000, sessionCount: 12, messageCount: 345, health: () => aHealth([aFinding("OK", "WELL")]), ...change,
});

function serveStores(stores: ReturnType<typeof aStore>[], change: Root = {}) {
  return serve({
    profiles: () => stores,
    profile: ({ name }) => stores.find((store) => store.name === name),
    conversations: () => ({ ...aConnection([]), hidden: noneHidden, failures: [], facets: noFacets }),
    server: () => ({ readOnly: false, warnings: [] }),
    ...change,
  });
}

const failing = () => {
  throw new Error("The file is no database.");
};

const cardOf = (name: string) => screen.findByRole("heading", { name }).then((heading) => within(heading.closest("li") as HTMLElement));

describe("the stores", () => {
  it("are told with their size, their counts and their status", async () => {
    serveStores([aStore("default"), aStore("old", { status: "READ_ONLY", statusReason: "The file belongs to another user.", sessionCount: null })]);
    openDashboard("/stores");
    const first = await cardOf("default");
    await first.findByText("Ready");
    for (const text of ["Can be read and written.", "SQLite", "2.4 MB", "12", "345"]) expect(first.getByText(text)).toBeTruthy();
    const second = await cardOf("old");
    await second.findByText("Read-only");
    for (const text of ["The file belongs to another user.", "not known"]) expect(second.getByText(text)).toBeTruthy();
  });

  it("show their problems first, with the advice, and fold what is well", async () => {
    const findings = [aFinding("OK", "WELL"), aFinding("NOTE", "HINT"), aFinding("PROBLEM", "BROKEN", { advice: "Run hermes doctor.", ids: ["s1", "s2"] }), aFinding("WARNING", "ODD")];
    serveStores([aStore("default", { health: () => aHealth(findings) })]);
    openDashboard("/stores");
    const list = await screen.findByRole("list", { name: "Findings of default" });
    expect([...list.children].map((item) => item.querySelector("span")?.textContent)).toEqual(["Problem", "Warning", "Note"]);
    expect(within(list).getByText("Run hermes doctor.")).toBeTruthy();
    expect(within(list).getByText("s1, s2")).toBeTruthy();
    expect(within(list).getByText("Copy 2 ids")).toBeTruthy();
    const folded = screen.getByText("1 thing looked at and well").closest("details");
    expect(folded?.open).toBe(false);
    expect(folded?.textContent).toContain("WELL");
  });

  it("come after what the operator should know", async () => {
    const sentence = "profiles/work in the Hermes home is a link.";
    serveStores([aStore("default")], { server: () => ({ readOnly: false, warnings: [sentence] }) });
    openDashboard("/stores");
    const list = await screen.findByRole("list", { name: "What the operator should know" });
    expect(list.textContent).toBe(sentence);
    expect(screen.getByRole("list", { name: "What the operator should know" }).compareDocumentPosition(await screen.findByRole("heading", { name: "default" }))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("leave a failing one beside the others", async () => {
    serveStores([aStore("broken", { status: "DAMAGED", health: failing }), aStore("default")]);
    openDashboard("/stores");
    const broken = await cardOf("broken");
    expect((await broken.findByRole("alert")).textContent).toContain("The file is no database.");
    const whole = await cardOf("default");
    expect(await whole.findByText("Nothing is wrong.")).toBeTruthy();
  });

  it("tell their sidecars, their library, orphans, undercounts and search indexes", async () => {
    const indexes = { items: [anIndex("messages_fts"), anIndex("messages_fts_trigram", "STALE")], reason: null };
    serveStores([aStore("default", { health: () => aHealth([], { walBytes: 4_200_000, danglingParents: 3, undercountedSessions: 2, searchIndexes: indexes }) })]);
    openDashboard("/stores");
    const card = await cardOf("default");
    const facts = within(await card.findByLabelText("Health of default"));
    const told = Object.fromEntries(facts.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent]));
    expect(told).toEqual({
      "Write-ahead log": "4.2 MB", Journal: "wal", "Free in the file": "41 kB", Library: "3.46.1", Orphans: "3", Undercounted: "2", "Search indexes": "messages_fts_trigram out of date",
    });
  });

  it("of a database server tell nothing of a file", async () => {
    serveStores([aStore("team", { engine: "POSTGRES", health: () => aHealth([], { journalMode: null, library: null, walBytes: null }) })]);
    openDashboard("/stores");
    const facts = within(await (await cardOf("team")).findByLabelText("Health of team"));
    expect(facts.getAllByRole("term").map((term) => term.textContent)).toEqual(["Orphans", "Undercounted", "Search indexes"]);
  });

  it("that cannot be read have no figures that nobody knows", async () => {
    const finding = aFinding("PROBLEM", "DAMAGED");
    serveStores([aStore("broken", { status: "DAMAGED", statusReason: "state.db is damaged.", conversationCount: null, health: () => aHealth([finding]) })]);
    openDashboard("/stores");
    const card = await cardOf("broken");
    expect(await card.findByText("DAMAGED")).toBeTruthy();
    expect(card.getByText("state.db is damaged.")).toBeTruthy();
    expect(card.queryByLabelText("Health of broken")).toBeNull();
    expect(card.queryByRole("button", { name: "Prune broken" })).toBeNull();
  });

  it("do not wait for a slow one, and are looked at again", async () => {
    const never = new Promise(() => {});
    const stores = [aStore("slow"), aStore("default")];
    let messages = 345;
    const sent = serveStores(stores, { profile: ({ name }) => (name === "slow" ? never : { ...stores[1], messageCount: messages }) });
    const { user } = openDashboard("/stores");
    const card = await cardOf("default");
    expect(await card.findByText("345")).toBeTruthy();
    expect((await cardOf("slow")).getByRole("status", { name: "Loading slow" })).toBeTruthy();
    messages = 346;
    await user.click(card.getByRole("button", { name: "Look at default again" }));
    expect(await card.findByText("346")).toBeTruthy();
    messages = 347;
    await user.click(screen.getByRole("button", { name: "Look at all stores again" }));
    expect(await card.findByText("347")).toBeTruthy();
    expect(sent.filter(({ operation, variables }) => operation === "StoreFindings" && variables.profile === "default")).toHaveLength(3);
  });

  it("tell what a prune would take, and delete nothing", async () => {
    const pruned = {
      __typename: "BulkPayload", changedIds: [], detachedIds: ["b"], skipped: [], sessionCount: 43, messageCount: 1_393, bytes: 61_563,
      cost: aCost(), binIds: [], completed: true, userErrors: [],
    };
    const sent = serveStores([aStore("work"), aStore("default")], { pruneSessions: () => pruned });
    const { user } = openDashboard("/stores");
    const card = await cardOf("default");
    await user.click(await card.findByRole("button", { name: "Prune default" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Prune old conversations" }));
    expect((await dialog.findByRole<HTMLSelectElement>("combobox", { name: "Profile" })).value).toBe("default");
    const days = dialog.getByRole("textbox", { name: "Not active for, in days" });
    await user.clear(days);
    await user.type(days, "180");
    expect(await dialog.findByRole("button", { name: "Delete 43 sessions" })).toBeTruthy();
    const inputs = sent.filter(({ operation }) => operation === "PrunePreview").map(({ variables }) => variables.input);
    expect(inputs.at(-1)).toEqual({ profile: "default", olderThanDays: 180, filter: null, includeArchived: false, dryRun: true });
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(document.activeElement).toBe(card.getByRole("button", { name: "Prune default" })));
    expect(inputs.every((input) => (input as { dryRun?: boolean }).dryRun)).toBe(true);
  });

  it("say when the server prunes nothing at all", async () => {
    const sent = serveStores([aStore("default")], { server: () => ({ readOnly: true, warnings: [] }) });
    const { user } = openDashboard("/stores");
    const card = await cardOf("default");
    await user.click(await card.findByRole("button", { name: "Prune default" }));
    expect(await screen.findByText(/^This server is read-only/)).toBeTruthy();
    expect(sent.map(({ operation }) => operation)).not.toContain("PrunePreview");
  });

  it("are measured on request alone", async () => {
    const sizes = { items: [{ name: "messages", isIndex: false, sizeBytes: 900_000 }, { name: "late", isIndex: true, sizeBytes: null }], reason: "Time ran out." };
    const holders = { items: [{ pid: 77, command: "hermes", isThisServer: false, hasLock: true }], hidden: 2 };
    const sent = serveStores([aStore("default", { health: () => ({ ...aHealth([]), sizes, holders }) })]);
    const { user } = openDashboard("/stores");
    const card = await cardOf("default");
    await card.findByText("Nothing is wrong.");
    expect(sent.map(({ operation }) => operation)).not.toContain("StoreParts");
    await user.click(card.getByRole("button", { name: "Largest parts, and who has it open" }));
    expect((await card.findByRole("row", { name: /messages/ })).textContent).toContain("900 kB");
    expect(card.getByRole("row", { name: /late/ }).textContent).toContain("not measured");
    for (const text of ["Time ran out.", "hermes, process 77, holds a lock", "2 processes of other users could not be asked."]) expect(card.getByText(text)).toBeTruthy();
  });

  it("lead to their conversations", async () => {
    serveStores([aStore("work")]);
    const { user } = openDashboard("/stores");
    await user.click(await screen.findByRole("link", { name: "Conversations of work" }));
    await waitFor(() => expect(window.location.pathname + window.location.search).toBe("/?in=work"));
  });

  it("without a store are not examined", async () => {
    const sent = serveStores([aStore("fresh", { status: "EMPTY", sizeBytes: null })]);
    openDashboard("/stores");
    const card = await cardOf("fresh");
    expect(await card.findByText(/^There is no store yet\./)).toBeTruthy();
    expect(sent.map(({ operation }) => operation)).not.toContain("StoreFindings");
  });

  it("show an error with its code", async () => {
    refuse(503, "STORE_BUSY", "Another program holds the lock.");
    openDashboard("/stores");
    expect((await screen.findByRole("alert")).textContent).toContain("STORE_BUSY");
  });
});
