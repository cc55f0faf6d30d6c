/** The server's end of `graphql-transport-ws` for tests: says yes to every connection, and tells what the test tells. */
import { vi } from "vitest";

interface Frame {
  type: string;
  id?: string;
  payload?: unknown;
}

interface Asked {
  operationName: string;
  variables: Record<string, unknown>;
}

class TestSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static readonly all: TestSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string; wasClean: boolean }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  readonly readyState = 1;
  readonly followed = new Map<string, Asked>();

  constructor() {
    TestSocket.all.push(this);
    queueMicrotask(() => this.onopen?.());
  }

  send(text: string): void {
    const frame = JSON.parse(text) as Frame & { payload?: Asked };
    if (frame.type === "connection_init") this.receive({ type: "connection_ack" });
    if (frame.type === "subscribe" && frame.id && frame.payload) this.followed.set(frame.id, frame.payload);
    if (frame.type === "complete" && frame.id) this.followed.delete(frame.id);
  }

  receive(frame: Frame): void {
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(frame) }));
  }

  close(code = 1000, reason = ""): void {
    this.onclose?.({ code, reason, wasClean: code === 1000 });
  }
}

/** Opens a way to tell subscribers something, and to break their connection. */
export function socketServer() {
  TestSocket.all.length = 0;
  vi.stubGlobal("WebSocket", TestSocket);
  const asked = (operation: string) => TestSocket.all.flatMap((socket) => [...socket.followed.values()]).filter((each) => each.operationName === operation);
  return {
    followers: (operation: string) => asked(operation).length,
    /** The variables of each such subscription, also of those of connections that broke. */
    asked: (operation: string) => asked(operation).map(({ variables }) => variables),
    tell(operation: string, data: object): void {
      const socket = TestSocket.all.at(-1);
      for (const [id, { operationName }] of socket?.followed ?? []) {
        if (operationName === operation) socket?.receive({ type: "next", id, payload: { data } });
      }
    },
    break: () => TestSocket.all.at(-1)?.close(1006),
  };
}
