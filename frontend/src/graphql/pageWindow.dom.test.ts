import { gql } from "urql";
import { describe, expect, it, vi } from "vitest";
import { aConnection, aConversation, aMessage } from "../test/builders";
import { serve } from "../test/server";
import { createApiClient } from "./client";
import { LiveSocket } from "./live";
import { type Connection, PageWindow, type Position } from "./pageWindow";

interface Answer {
  conversation: { messages: Connection<{ node: { id: string } }> };
}

const Messages = gql<Answer>`
  query ($first: Int, $after: String, $last: Int, $before: String, $around: ID) {
    conversation(id: "a") {
      nodeId
      messages(first: $first, after: $after, last: $last, before: $before, around: $around) {
        edges { cursor node { nodeId id } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`;

const rank = (cursor: string) => Number(cursor.split(":").at(-1));

/** Pages as the server cuts them, over messages 1 to `count`, less those that are gone. */
function page(count: number, gone: ReadonlySet<number>, { first, after, last, before, around }: Position, make: (id: string) => { nodeId: string } = aMessage) {
  const all = Array.from({ length: count }, (_, index) => index + 1).filter((id) => !gone.has(id));
  const size = first ?? last ?? 0;
  const left = all.filter((id) => (after ? id > rank(after) : true) && (before ? id < rank(before) : true));
  const start = around ? all.indexOf(Number(around)) - Math.floor(size / 2) : 0;
  const ids = around ? all.slice(start, start + size) : last ? left.slice(-last) : left.slice(0, first);
  const connection = aConnection(ids.map((id) => make(String(id))));
  const pageInfo = { ...connection.pageInfo, hasNextPage: ids.at(-1) !== all.at(-1), hasPreviousPage: ids[0] !== all[0] };
  return { ...connection, pageInfo };
}

function open(anchor: Position) {
  const gone = new Set<number>();
  let count = 20;
  const grow = (by: number) => {
    count += by;
  };
  const messages = (position: Position) => page(count, gone, position);
  serve({ conversation: () => ({ __typename: "Conversation", nodeId: "conversation:a", messages }) });
  const window = new PageWindow({
    client: createApiClient(new LiveSocket(), () => {}),
    document: Messages,
    variables: {},
    select: (data) => data.conversation.messages,
    anchor,
    size: 4,
  });
  const leave = window.subscribe(() => {});
  const ids = () => window.getState().edges.map(({ node }) => Number(node.id));
  return { window, ids, gone, leave, grow };
}

interface ListAnswer {
  conversations: Connection<{ node: { id: string } }>;
  server?: { maxPageSize: number };
}

const Conversations = gql<ListAnswer>`
  query ($first: Int, $after: String, $isAnchor: Boolean!) {
    conversations(first: $first, after: $after) {
      edges { cursor node { nodeId id profile { nodeId name } } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
    server @include(if: $isAnchor) { maxPageSize }
  }
`;

/** A window on a list of conversations of one profile. */
function openList(count: number, most?: (data: ListAnswer) => number) {
  const sent = serve({
    conversations: (position) => page(count, new Set(), position, aConversation),
    server: () => ({ __typename: "Server", maxPageSize: 10 }),
  });
  const window = new PageWindow({
    client: createApiClient(new LiveSocket(), () => {}),
    document: Conversations,
    variables: {},
    select: (data) => data.conversations,
    anchor: { first: 4 },
    size: 4,
    most,
  });
  const listener = vi.fn<() => void>();
  window.subscribe(listener);
  return { window, sent, listener };
}

describe("a page window", () => {
  it("grows page by page to the end, each row once", async () => {
    const { window, ids } = open({ first: 8 });
    await vi.waitFor(() => expect(ids()).toHaveLength(8));
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toHaveLength(12));
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toHaveLength(16));
    expect(window.getState().hasAfter).toBe(true);
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1)));
    expect(window.getState().hasAfter).toBe(false);
  });

  it("grows in both directions from the middle", async () => {
    const { window, ids } = open({ first: 4, around: "10" });
    await vi.waitFor(() => expect(ids()).toEqual([8, 9, 10, 11]));
    window.loadBefore();
    await vi.waitFor(() => expect(ids()).toEqual([4, 5, 6, 7, 8, 9, 10, 11]));
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]));
    expect([window.getState().hasBefore, window.getState().hasAfter]).toEqual([true, true]);
  });

  it("grows by longer pages where it may, up to the most that the server gives", async () => {
    const { window, sent } = openList(42, (data) => data.server?.maxPageSize ?? 0);
    window.subscribe(window.loadAfter);
    await vi.waitFor(() => expect(window.getState().edges).toHaveLength(42));
    expect(sent.map(({ variables }) => variables.first)).toEqual([4, 8, 10, 10, 10]);
  });

  it("leaves the pages before alone when one more arrives, although all rows name one profile", async () => {
    const { window, listener } = openList(12);
    await vi.waitFor(() => expect(window.getState().edges).toHaveLength(4));
    window.loadAfter();
    await vi.waitFor(() => expect(window.getState().edges).toHaveLength(8));
    listener.mockClear();
    window.loadAfter();
    await vi.waitFor(() => expect(window.getState().edges).toHaveLength(12));
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it("does not ask for more while it waits", async () => {
    const { window, ids } = open({ first: 4 });
    await vi.waitFor(() => expect(ids()).toHaveLength(4));
    window.loadAfter();
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toHaveLength(8));
    expect(window.getState().loading).toBeNull();
  });

  it("opens no gap and doubles no row when its first page ends elsewhere after a refetch", async () => {
    const { window, ids, gone, leave } = open({ first: 4 });
    await vi.waitFor(() => expect(ids()).toHaveLength(4));
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]));

    leave();
    gone.add(2);
    const leaveAgain = window.subscribe(() => {});
    await vi.waitFor(() => expect(ids()).toEqual([1, 3, 4, 5, 6, 7, 8, 9]));

    leaveAgain();
    gone.delete(2);
    window.subscribe(() => {});
    await vi.waitFor(() => expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]));
  });

  it("gives up pages that lie outside what is kept, and loads them again", async () => {
    const { window, ids } = open({ first: 4 });
    await vi.waitFor(() => expect(ids()).toHaveLength(4));
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toHaveLength(8));
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toHaveLength(12));
    window.keep(5, 12);
    expect(ids()).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect([window.getState().hasBefore, window.getState().hasAfter]).toEqual([true, true]);
    window.loadBefore();
    await vi.waitFor(() => expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
    window.keep(0, 3);
    expect(ids()).toEqual([1, 2, 3, 4]);
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]));
  });

  it("goes on after its end once somebody learned that there is more", async () => {
    const { window, ids, grow } = open({ last: 4 });
    await vi.waitFor(() => expect(ids()).toEqual([17, 18, 19, 20]));
    grow(2);
    window.noteMore();
    expect(window.getState().hasAfter).toBe(true);
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toEqual([17, 18, 19, 20, 21, 22]));
    expect(window.getState().hasAfter).toBe(false);
  });

  it("takes what was added at the end into its last page while that is not full", async () => {
    const { window, ids, grow } = open({ first: 4, after: "message:default:18" });
    await vi.waitFor(() => expect(ids()).toEqual([19, 20]));
    grow(1);
    window.noteMore();
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toEqual([19, 20, 21]));
    grow(3);
    window.noteMore();
    window.loadAfter();
    await vi.waitFor(() => expect(ids()).toEqual([19, 20, 21, 22]));
    expect(window.getState().hasAfter).toBe(true);
  });
});
