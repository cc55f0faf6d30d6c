import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aProfile, noFacets, noneHidden } from "../../test/builders";
import { openDashboard } from "../../test/render";
import { refuse, serve } from "../../test/server";

const aFinding = (severity: string, code: string, change: object = {}) => ({
  __typename: "Finding", severity, area: "STORE", code, message: `Message of ${code}.`, advice: null, count: null, ids: [], ...change,
});

const aHealth = (findings: object[]) => ({ __typename: "StoreHealth", walBytes: null, findings });

const aStore = (name: string, change: object = {}) => ({
  ...aProfile(name), engine: "SQLITE", schemaVersion: 14, sizeBytes: 2_400_000, sessionCount: 12, messageCount: 345, health: () => aHealth([aFinding("OK", "WELL")]), ...change,
});

function serveStores(stores: ReturnType<typeof aStore>[]) {
  return serve({
    profiles: () => stores,
    profile: ({ name }) => stores.find((store) => store.name === name),
    conversations: () => ({ ...aConnection([]), hidden: noneHidden, failures: [], facets: noFacets }),
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
    for (const text of ["Ready", "Can be read and written.", "SQLite", "2.4 MB", "12", "345"]) expect(first.getByText(text)).toBeTruthy();
    const second = await cardOf("old");
    for (const text of ["Read-only", "The file belongs to another user.", "not known"]) expect(second.getByText(text)).toBeTruthy();
  });

  it("show their problems first, with the advice, and fold what is well", async () => {
    const findings = [aFinding("OK", "WELL"), aFinding("NOTE", "HINT"), aFinding("PROBLEM", "BROKEN", { advice: "Run hermes doctor.", ids: ["s1", "s2"] }), aFinding("WARNING", "ODD")];
    serveStores([aStore("default", { health: () => aHealth(findings) })]);
    openDashboard("/stores");
    const list = await screen.findByRole("list", { name: "Findings of default" });
    expect([...list.children].map((item) => item.querySelector("span")?.textContent)).toEqual(["Problem", "Warning", "Note"]);
    expect(within(list).getByText("Run hermes doctor.")).toBeTruthy();
    expect(within(list).getByText("s1, s2")).toBeTruthy();
    const folded = screen.getByText("1 thing looked at and well").closest("details");
    expect(folded?.open).toBe(false);
    expect(folded?.textContent).toContain("WELL");
  });

  it("leave a failing one beside the others", async () => {
    serveStores([aStore("broken", { status: "DAMAGED", health: failing }), aStore("default")]);
    openDashboard("/stores");
    const broken = await cardOf("broken");
    expect((await broken.findByRole("alert")).textContent).toContain("The file is no database.");
    const whole = await cardOf("default");
    expect(await whole.findByText("Nothing is wrong.")).toBeTruthy();
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
    expect(card.getByText("There is no store yet.")).toBeTruthy();
    expect(sent.map(({ operation }) => operation)).not.toContain("StoreFindings");
  });

  it("show an error with its code", async () => {
    refuse(503, "STORE_BUSY", "Another program holds the lock.");
    openDashboard("/stores");
    expect((await screen.findByRole("alert")).textContent).toContain("STORE_BUSY");
  });
});
