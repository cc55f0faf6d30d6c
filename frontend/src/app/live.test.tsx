import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aConnection, aConversation, aProfile, noFacets, noneHidden } from "../test/builders";
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
