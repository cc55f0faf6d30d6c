import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aConversation, aMessage, aProfile, noFacets, noneHidden } from "../test/builders";
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

const event = (message: object | null) => ({ messageStream: { __typename: "MessageEvent", message } });

describe("a conversation that the agent writes", () => {
  it("goes on while it is read, and takes a late result into its call", async () => {
    const socket = socketServer();
    const call = { id: "call-1", name: "terminal", argumentsText: '{"command":"make"}', arguments: null, result: null };
    const messages = [aMessage("1", { role: "user", content: "Build it" }), aMessage("2", { role: "assistant", content: "Building.", toolCalls: [call] })];
    const conversation = aConversation("a");
    serve({
      profiles: () => [aProfile()],
      conversations: () => ({ ...aConnection([conversation]), hidden: noneHidden, failures: [], facets: noFacets }),
      conversation: () => ({ ...conversation, messages: () => aConnection(messages) }),
    });
    openDashboard("/p/default/c/a");
    await screen.findByText("Building.");
    await waitFor(() => expect(socket.followers("MessageStream")).toBe(1));
    act(() => socket.tell("MessageStream", event(null)));
    messages.push(aMessage("3", { role: "tool", content: "made", toolCallId: "call-1", toolName: "terminal" }), aMessage("4", { role: "assistant", content: "It stands." }));
    act(() => socket.tell("MessageStream", event({ __typename: "Message", nodeId: "message:3" })));
    expect(await screen.findByText("It stands.")).toBeTruthy();
    expect(screen.queryByText("Tool result")).toBeNull();
    expect(screen.queryByText("no result")).toBeNull();
  });
});
