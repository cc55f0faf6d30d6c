import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aConversation, aMessage, aProfile, aSession, noFacets, noneHidden } from "../test/builders";
import { openDashboard } from "../test/render";
import { serve } from "../test/server";
import { socketServer } from "../test/socket";

const changed = { sessionChanges: { __typename: "SessionChange", kind: "CREATED", sessionId: "b" } };

function openHome() {
  const socket = socketServer();
  const conversations = [aConversation("a")];
  serve({
    profiles: () => [aProfile()],
    conversations: () => ({ ...aConnection(conversations), hidden: noneHidden, failures: [], facets: noFacets }),
  });
  openDashboard("/?in=default");
  return { socket, conversations };
}

describe("a list of a store that goes on", () => {
  it("shows what another process adds, without a reload", async () => {
    const { socket, conversations } = openHome();
    await screen.findByText("Title of a");
    await waitFor(() => expect(socket.followers("StoreChanges")).toBe(1));
    conversations.unshift(aConversation("b"));
    act(() => socket.tell("StoreChanges", changed));
    expect(await screen.findByText("Title of b")).toBeTruthy();
  });

  it("says when changes no longer arrive, and asks again once they do", async () => {
    const { socket, conversations } = openHome();
    await screen.findByText("Title of a");
    await waitFor(() => expect(socket.followers("StoreChanges")).toBe(1));
    conversations.unshift(aConversation("b"));
    act(() => socket.break());
    expect(await screen.findByText(/connection to the server is lost/)).toBeTruthy();
    await waitFor(() => expect(screen.queryByText(/connection to the server is lost/)).toBeNull(), { timeout: 4000 });
    act(() => socket.tell("StoreChanges", { sessionChanges: { ...changed.sessionChanges, kind: "SYNCED", sessionId: null } }));
    expect(await screen.findByText("Title of b")).toBeTruthy();
  });
});

const event = (message: object | null, resumeCursor = "later", complete = true) => ({
  messageStream: { __typename: "MessageEvent", message, resumeCursor, complete },
});
const stored = (id: string, session = "s1") => ({ __typename: "Message", nodeId: `message:${id}`, session: { __typename: "Session", nodeId: `session:default:${session}` } });

/** A conversation of one segment, or that segment alone, whose page ends at the cursor `page`. */
function openWritten(messages: ReturnType<typeof aMessage>[], address = "/p/default/c/a") {
  const socket = socketServer();
  const conversation = aConversation("a");
  const shown = () => ({ ...aConnection(messages), resumeCursor: "page" });
  serve({
    profiles: () => [aProfile()],
    conversations: () => ({ ...aConnection([conversation]), hidden: noneHidden, failures: [], facets: noFacets }),
    conversation: () => ({ ...conversation, messages: shown }),
    session: () => ({ ...aSession("s1"), conversation, messages: shown }),
  });
  openDashboard(address);
  return socket;
}

/** Until the browser has sent so many subscriptions to what is open, and each time it was told that it is followed. */
async function followed(socket: ReturnType<typeof socketServer>, times = 1, complete = true) {
  await waitFor(() => expect(socket.followers("MessageStream")).toBe(times), { timeout: 4000 });
  act(() => socket.tell("MessageStream", event(null, undefined, complete)));
}

describe("a conversation that the agent writes", () => {
  it("goes on while it is read, and takes a late result into its call", async () => {
    const call = { id: "call-1", name: "terminal", argumentsText: '{"command":"make"}', arguments: null, result: null };
    const messages = [aMessage("1", { role: "user", content: "Build it" }), aMessage("2", { role: "assistant", content: "Building.", toolCalls: [call] })];
    const socket = openWritten(messages);
    await screen.findByText("Building.");
    await followed(socket);
    messages.push(aMessage("3", { role: "tool", content: "made", toolCallId: "call-1", toolName: "terminal" }), aMessage("4", { role: "assistant", content: "It stands." }));
    act(() => socket.tell("MessageStream", event(stored("3"))));
    expect(await screen.findByText("It stands.")).toBeTruthy();
    expect(screen.queryByText("Tool result")).toBeNull();
    expect(screen.queryByText("no result")).toBeNull();
  });

  it("is followed from where its page ended, and after a break from the last event on", async () => {
    const socket = openWritten([aMessage("1")]);
    await followed(socket);
    act(() => socket.tell("MessageStream", event(stored("2"), "second")));
    await screen.findByRole("button", { name: "1 new message: go to the end" });
    act(() => socket.break());
    await followed(socket, 2);
    expect(socket.asked("MessageStream").map(({ after }) => after)).toEqual(["page", "second"]);
  });

  it("is read on where what came meanwhile is not told", async () => {
    const messages = [aMessage("1")];
    const socket = openWritten(messages);
    await screen.findByText("Text of 1");
    messages.push(aMessage("2"));
    await followed(socket, 1, false);
    expect(await screen.findByText("Text of 2")).toBeTruthy();
  });

  it("shows its first message when that comes", async () => {
    const messages: ReturnType<typeof aMessage>[] = [];
    const socket = openWritten(messages);
    await screen.findByText("There is no message to read here.");
    await followed(socket);
    messages.push(aMessage("1"));
    act(() => socket.tell("MessageStream", event(stored("1"))));
    expect(await screen.findByText("Text of 1")).toBeTruthy();
  });

  it("counts under one of its sessions what that session gets, and nothing else", async () => {
    const socket = openWritten([aMessage("1")], "/p/default/s/s1");
    await followed(socket);
    await act(async () => ["s2", "s1", "s2"].forEach((session) => socket.tell("MessageStream", event(stored("2", session)))));
    expect(screen.getByRole("button", { name: "1 new message: go to the end" })).toBeTruthy();
  });
});
