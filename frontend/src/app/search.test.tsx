import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aConversation, aHit, anAnswer, aMessage, aProfile, aSession, noFacets, noneHidden } from "../test/builders";
import { openDashboard } from "../test/render";
import { refuse, type Root, serve } from "../test/server";

const list: Root = {
  profiles: () => [aProfile(), aProfile("work")],
  conversations: () => ({ ...aConnection([aConversation("a")]), hidden: noneHidden, failures: [], facets: noFacets }),
  conversation: () => ({ ...aConversation("a"), messages: () => aConnection([aMessage("1"), aMessage("2")]) }),
};

const answering = (...hits: ReturnType<typeof aHit>[]): Root => ({ ...list, search: () => anAnswer(hits) });

const searches = (sent: ReturnType<typeof serve>) => sent.filter(({ operation }) => operation === "SearchMessages");

describe("the way into the search", () => {
  it("leads from the text filter by Enter with its words", async () => {
    serve(answering(aHit("a")));
    const { user } = openDashboard("/");
    await user.type(await screen.findByRole("searchbox"), "red fox");
    expect(screen.getByRole("button", { name: "Search all messages for “red fox”" })).toBeTruthy();
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("grid", { name: "Search results" })).toBeTruthy();
    expect(window.location.search).toBe("?q=red+fox&find=red+fox");
  });

  it("leads from anywhere by s into an empty field, and searches once something is typed", async () => {
    const sent = serve(answering(aHit("a")));
    const { user } = openDashboard("/?in=work");
    await screen.findByText("Title of a");
    await user.keyboard("s");
    const field = await screen.findByRole("searchbox", { name: "Search all messages" });
    expect(document.activeElement).toBe(field);
    expect(screen.getByText("Find words in every message")).toBeTruthy();
    expect(searches(sent)).toEqual([]);

    await user.keyboard("fox");
    expect(await screen.findByRole("grid", { name: "Search results" })).toBeTruthy();
    expect(searches(sent).at(-1)?.variables).toMatchObject({ text: "fox", profiles: ["work"] });
  });

  it("leads back by Escape to the list as it was", async () => {
    serve(answering(aHit("a")));
    const { user } = openDashboard("/?q=title&source=cli&find=fox&order=newest");
    await screen.findByRole("grid", { name: "Search results" });
    await user.keyboard("{Escape}");
    expect(await screen.findByRole("grid", { name: "Conversations" })).toBeTruthy();
    expect(window.location.search).toBe("?q=title&source=cli");
  });
});

describe("a hit", () => {
  it("shows its title, its voice and the words that were found", async () => {
    serve(answering(aHit("a", { snippet: "🦊 a red fox", highlights: [{ start: 4, end: 7 }], hitsInConversation: 13 })));
    openDashboard("/?find=red");
    const row = await screen.findByRole("row");
    expect(within(row).getByText("red").tagName).toBe("MARK");
    expect(row.textContent).toContain("Title of a");
    expect(row.textContent).toContain("You");
    expect(row.textContent).toContain("+12 more in this conversation");
    expect(within(row).getByText("default")).toBeTruthy();
  });

  it("opens by j and Enter where it stands, stays in the list, and is marked", async () => {
    serve(answering(aHit("a", { message: aMessage("1") }), aHit("a", { message: aMessage("2") })));
    const { user } = openDashboard("/?find=red");
    await screen.findAllByRole("row");
    screen.getByRole("grid").focus();
    await user.keyboard("j{Enter}");
    await waitFor(() => expect(window.location.pathname).toBe("/p/default/c/a"));
    expect(window.location.search).toBe("?find=red&message=2");
    expect(screen.getAllByRole("row").map((row) => row.getAttribute("aria-selected"))).toEqual(["false", "true"]);
  });

  it("in a subagent names it, and opens that session alone", async () => {
    const session = aSession("helper", { kind: "SUBAGENT", displayTitle: "Find rooms" });
    serve({ ...answering(aHit("a", { session, message: aMessage("7") })), session: () => null });
    const { user } = openDashboard("/?find=red");
    const row = await screen.findByRole("row");
    expect(row.textContent).toContain("Subagent: Find rooms");
    await user.click(row);
    expect(window.location.pathname + window.location.search).toBe("/p/default/s/helper?find=red&message=7");
  });

  it("in a tool's result is read in its call, unfolded", async () => {
    const call = { id: "c1", name: "terminal", argumentsText: '{"command":"make"}', arguments: null, result: aMessage("3") };
    const messages = [aMessage("1"), aMessage("2", { role: "assistant", content: "", toolCalls: [call] }), aMessage("3", { role: "tool", content: "all good" })];
    serve({ ...answering(aHit("a")), conversation: () => ({ ...aConversation("a"), messages: () => aConnection(messages) }) });
    openDashboard("/p/default/c/a?message=3");
    expect((await screen.findByRole("button", { name: /Ran make/ })).getAttribute("aria-expanded")).toBe("true");
    expect(screen.getByText("all good")).toBeTruthy();
  });
});

describe("a search", () => {
  it("without a hit says what was searched, and searches reasoning on request", async () => {
    const sent = serve(answering());
    const { user } = openDashboard("/?find=zebra");
    const status = await screen.findByText("Nothing found for “zebra”");
    expect(status.closest("[role=status]")?.textContent).toContain("Searched: ids, titles, messages and tool calls with results");
    await user.click(screen.getByRole("button", { name: "search it too" }));
    await waitFor(() => expect(searches(sent).at(-1)?.variables.filter).toMatchObject({ fields: ["ID", "TITLE", "CONTENT", "TOOL", "REASONING"] }));
  });

  it("without a hit offers to drop a filter", async () => {
    const sent = serve(answering());
    const { user } = openDashboard("/?find=zebra&role=user");
    const pane = (await screen.findByText("Nothing found for “zebra”")).closest<HTMLElement>("[role=status]");
    expect(pane?.textContent).toContain("Searched: messages and tool calls with results");
    await user.click(within(pane ?? document.body).getByRole("button", { name: "by you" }));
    expect(window.location.search).toBe("?find=zebra");
    await waitFor(() => expect(searches(sent).at(-1)?.variables.filter).not.toHaveProperty("roles"));
  });

  it("tells what could not be looked at, and where there is more", async () => {
    serve({ ...list, search: () => anAnswer([aHit("a")], { degraded: "work: the index is gone.", totalIsCapped: true }) });
    const { user } = openDashboard("/?find=the");
    expect(await screen.findByText("work: the index is gone.")).toBeTruthy();
    expect(screen.getByText("At least 1 conversation")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Narrow by date" }));
    expect(screen.getByLabelText("Until")).toBeTruthy();
  });

  it("shows a failing profile beside the hits of the others", async () => {
    const failures = [{ profile: "work", code: "STORE_DAMAGED", message: "The file is not a database." }];
    serve({ ...list, search: () => anAnswer([aHit("a")], { failures }) });
    openDashboard("/?find=fox");
    expect((await screen.findByRole("alert")).textContent).toContain("The file is not a database. STORE_DAMAGED");
    expect(screen.getByRole("row")).toBeTruthy();
  });

  it("shows an error in its pane with the code", async () => {
    refuse(503, "STORE_BUSY", "Another program holds the lock.");
    openDashboard("/?find=fox");
    expect((await screen.findByRole("alert")).textContent).toContain("STORE_BUSY");
  });

  it("is put in another order", async () => {
    const sent = serve(answering(aHit("a")));
    const { user } = openDashboard("/?find=fox");
    await user.click(await screen.findByRole("button", { name: "Order: Best first" }));
    await user.click(await screen.findByRole("menuitemcheckbox", { name: "Newest first" }));
    await waitFor(() => expect(searches(sent).at(-1)?.variables.sort).toBe("NEWEST"));
    expect(window.location.search).toBe("?find=fox&order=newest");
  });

  it("asks for the next page after the last hit", async () => {
    const pages: Record<string, ReturnType<typeof anAnswer>> = {
      "": anAnswer([aHit("a")], { pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: "1", endCursor: "end of the first" } }),
      "end of the first": anAnswer([aHit("b", { message: aMessage("9") })]),
    };
    serve({ ...list, search: ({ after }: { after?: string }) => pages[after ?? ""] });
    openDashboard("/?find=fox");
    expect(await screen.findByText("Title of b")).toBeTruthy();
    expect(screen.getAllByRole("row")).toHaveLength(2);
  });
});
