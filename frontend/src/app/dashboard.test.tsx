import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aConversation, aMessage, aProfile, aSession, noFacets, noneHidden } from "../test/builders";
import { openDashboard } from "../test/render";
import { refuse, type Root, serve } from "../test/server";

type Conversation = ReturnType<typeof aConversation>;

function listOf(conversations: Conversation[], change: object = {}): Root {
  return {
    profiles: () => [aProfile(), aProfile("work")],
    conversations: () => ({ ...aConnection(conversations), hidden: noneHidden, failures: [], facets: noFacets, ...change }),
  };
}

const withMessages = (conversation: Conversation, ...messages: { nodeId: string }[]) => ({
  ...conversation,
  messages: () => aConnection(messages),
});

describe("an address that leads nowhere", () => {
  it("says so, and leads back", async () => {
    serve(listOf([aConversation("a")]));
    const { user } = openDashboard("/p/work/nothing/here");
    const back = await screen.findByRole("link", { name: "To the conversations" });
    expect([document.title, screen.queryByText("Title of a"), screen.queryByRole("link", { name: "Skip to the list" })]).toEqual(["Not found · Hermes Sessions", null, null]);
    await user.click(back);
    expect(await screen.findByText("Title of a")).toBeTruthy();
  });
});

describe("the list", () => {
  it("shows conversations, and what it hides as clicks that show it", async () => {
    const hidden = { ...noneHidden, archived: 22, subagents: 60 };
    const sent = serve(listOf([aConversation("a"), aConversation("b")], { hidden }));
    const { user } = openDashboard("/");
    expect(await screen.findByText("Title of a")).toBeTruthy();
    expect(screen.getByText("2 of 24")).toBeTruthy();

    await user.click(screen.getByRole("button", { name: "22 archived" }));
    expect(window.location.search).toBe("?archived=include");
    await waitFor(() => expect(sent.findLast(({ operation }) => operation === "ConversationList")?.variables.filter).toMatchObject({ archived: "INCLUDE" }));
  });

  it("asks all profiles unless the address names one", async () => {
    const sent = serve(listOf([aConversation("a")]));
    openDashboard("/?in=work");
    await screen.findByText("Title of a");
    expect(sent.find(({ operation }) => operation === "ConversationList")?.variables.profiles).toEqual(["work"]);
  });

  it("names the filter that emptied it, and drops just that one", async () => {
    serve(listOf([], { hidden: { ...noneHidden, otherFilters: 3 } }));
    const { user } = openDashboard("/?q=fox&source=cli");
    await user.click(await screen.findByRole("button", { name: "text “fox”" }));
    expect(window.location.search).toBe("?source=cli");
  });

  it("does not blame a filter where there is nothing at all", async () => {
    serve(listOf([]));
    openDashboard("/");
    expect(await screen.findByText("No conversation here yet")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "chats alone" })).toBeNull();
  });

  it("shows a failing profile beside the conversations of the others", async () => {
    const failures = [{ profile: "work", code: "STORE_DAMAGED", message: "The file is not a database." }];
    serve(listOf([aConversation("a")], { failures }));
    openDashboard("/");
    expect((await screen.findByRole("alert")).textContent).toContain("The file is not a database. STORE_DAMAGED");
    expect(screen.getByText("Title of a")).toBeTruthy();
  });

  it("shows an error in its pane with the code", async () => {
    refuse(503, "STORE_BUSY", "Another program holds the lock.");
    openDashboard("/");
    expect((await screen.findByRole("alert")).textContent).toContain("STORE_BUSY");
  });

  it("moves its cursor by j and opens by Enter", async () => {
    serve({ ...listOf([aConversation("a"), aConversation("b")]), conversation: () => null });
    const { user } = openDashboard("/");
    await screen.findByText("Title of b");
    await user.keyboard("j{Enter}");
    expect(window.location.pathname).toBe("/p/default/c/b");
  });
});

describe("the token", () => {
  it("is asked for when the server refuses, and sent from then on", async () => {
    refuse(401, "UNAUTHENTICATED", "A token is needed.");
    const { user } = openDashboard("/");
    const field = await screen.findByLabelText("Token");
    const sent = serve(listOf([aConversation("a")]));
    await user.type(field, "secret");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText("Title of a")).toBeTruthy();
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer secret");
  });
});

describe("the reader", () => {
  it("shows the whole conversation with its seams, and unfolds a tool call to its result", async () => {
    const call = { id: "c1", name: "terminal", argumentsText: '{"command":"make"}', arguments: null, result: aMessage("3") };
    const messages = [
      aMessage("1", { content: "Build **it**" }),
      aMessage("2", { role: "assistant", content: "", toolCalls: [call] }),
      aMessage("3", { role: "tool", content: '{"output":"all good","exit_code":0}' }),
      aMessage("4", { content: "Go on" }),
    ];
    const seam = { kind: "CONTINUATION", at: null, fromSession: aSession("a", { endReason: "compression" }), toSession: aSession("a2") };
    const conversation = { ...aConversation("a"), messages: () => aConnection(messages, { "message:default:4": seam }) };
    serve({ ...listOf([aConversation("a")]), conversation: () => conversation });
    const { user } = openDashboard("/p/default/c/a");

    const feed = await screen.findByRole("feed", { name: "Transcript" });
    expect((await within(feed).findByText("it")).tagName).toBe("STRONG");
    expect(within(feed).getByRole("separator").textContent).toContain("ended by compression");
    expect(within(feed).getAllByRole("article")).toHaveLength(4);
    await user.click(within(feed).getByRole("button", { name: /Ran make/ }));
    expect(within(feed).getByText("all good")).toBeTruthy();
  });

  it("shows what a segment's model was told first where everything is shown, and asks for it on demand", async () => {
    const conversation = { ...aConversation("a"), messages: () => aConnection([aMessage("1"), aMessage("2")]) };
    const sent = serve({ ...listOf([aConversation("a")]), conversation: () => conversation, session: () => aSession("s1", { systemPrompt: "Be brief." }) });
    const { user } = openDashboard("/p/default/c/a?mode=everything");
    const [first, second] = await screen.findAllByRole("article");
    expect(within(second as HTMLElement).queryByRole("button", { name: "System prompt" })).toBeNull();
    const asked = () => sent.filter(({ operation }) => operation === "SystemPromptOf").map(({ variables }) => variables);
    expect(asked()).toEqual([]);
    await user.click(within(first as HTMLElement).getByRole("button", { name: "System prompt" }));
    expect(await screen.findByText("Be brief.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "System prompt 9 B" })).toBeTruthy();
    expect(asked()).toEqual([{ id: "s1", profile: "default" }]);
  });

  it("says when there is no such conversation", async () => {
    serve({ ...listOf([]), conversation: () => null });
    openDashboard("/p/work/c/gone");
    expect((await screen.findByRole("alert")).textContent).toContain("no conversation gone in the profile work");
  });
});

describe("doing", () => {
  it("renames in place", async () => {
    const conversation = withMessages(aConversation("a"), aMessage("1"));
    const sent = serve({
      ...listOf([aConversation("a")]),
      conversation: () => conversation,
      renameSession: () => ({ session: null, conversation: { ...aConversation("a"), title: "Better", displayTitle: "Better" }, userErrors: [] }),
    });
    const { user } = openDashboard("/");
    await screen.findByText("Title of a");
    await user.keyboard("r");
    await user.clear(screen.getByLabelText("Title"));
    await user.type(screen.getByLabelText("Title"), "Better{Enter}");
    expect(await screen.findByText("Better")).toBeTruthy();
    expect(sent.find(({ operation }) => operation === "RenameConversation")?.variables).toEqual({ input: { id: "a", profile: "default", title: "Better" } });
  });

  it("explains a title that is taken beside the field", async () => {
    const holder = aSession("b", { conversation: aConversation("b") });
    const error = { __typename: "TitleTakenError", code: "TITLE_TAKEN", message: "“Plan” belongs to another conversation.", path: ["input", "title"], holder };
    serve({ ...listOf([aConversation("a")]), renameSession: () => ({ session: null, conversation: null, userErrors: [error] }) });
    const { user } = openDashboard("/");
    await screen.findByText("Title of a");
    await user.keyboard("r");
    await user.type(screen.getByLabelText("Title"), "Plan{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("“Plan” belongs to another conversation.");
    expect(screen.getByRole("link", { name: /^Open “/ }).getAttribute("href")).toContain("/p/default/c/b");
    expect(screen.getByLabelText("Title")).toBeTruthy();
  });

  it("deletes at once by exact id, and brings back from the bin", async () => {
    let all = [aConversation("a"), aConversation("b")];
    const sent = serve({
      profiles: () => [],
      conversations: () => ({ ...aConnection(all), hidden: noneHidden, failures: [], facets: noFacets }),
      deleteSession: () => {
        all = [aConversation("b")];
        return { deletedIds: ["a"], detachedIds: [], messageCount: 2, bytes: 9, alreadyAbsent: false, dryRun: false, binId: "bin-7", userErrors: [] };
      },
      restoreSessions: () => {
        all = [aConversation("a"), aConversation("b")];
        return { changedIds: ["a"], skipped: [], sessionCount: 1, messageCount: 2, dryRun: false, userErrors: [] };
      },
    });
    const { user } = openDashboard("/");
    await screen.findByText("Title of a");
    await user.keyboard("#");
    await waitFor(() => expect(screen.queryByText("Title of a")).toBeNull());
    expect(sent.find(({ operation }) => operation === "DeleteConversation")?.variables.input).toMatchObject({ id: "a", exact: true, force: false });

    await user.keyboard("z");
    expect(await screen.findByText("Title of a")).toBeTruthy();
    expect(sent.find(({ operation }) => operation === "RestoreSessions")?.variables.input).toEqual({ profile: "default", binId: "bin-7" });
  });

  it("deletes a busy conversation on a second word alone", async () => {
    const busy = { __typename: "BasicError", code: "SESSION_BUSY", message: "The agent is working on it.", path: [] };
    const sent = serve({
      ...listOf([aConversation("a")]),
      deleteSession: () => ({ deletedIds: [], detachedIds: [], messageCount: 0, bytes: 0, alreadyAbsent: false, dryRun: false, binId: null, userErrors: [busy] }),
    });
    const { user } = openDashboard("/");
    await screen.findByText("Title of a");
    await user.keyboard("#");
    await user.click(await screen.findByRole("button", { name: "Delete anyway" }));
    const forced = sent.filter(({ operation }) => operation === "DeleteConversation").map(({ variables }) => (variables.input as { force: boolean }).force);
    expect(forced).toEqual([false, true]);
  });
});
