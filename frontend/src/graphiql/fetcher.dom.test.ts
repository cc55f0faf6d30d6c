import { fetcherReturnToPromise } from "@graphiql/toolkit";
import { parse } from "graphql";
import { describe, expect, it, vi } from "vitest";
import { saveToken } from "../lib/token";
import { createFetcher } from "./fetcher";

const never = () => Promise.reject(new Error("The door was asked."));
const answer = (status = 200) => Response.json({ data: {} }, { status });

/** A server that lets in who has the token; returns what it was sent. */
function serve(token: string | null) {
  const server = vi.fn<typeof fetch>((_, init) => {
    const isRefused = token !== null && new Headers(init?.headers).get("authorization") !== `Bearer ${token}`;
    return Promise.resolve(answer(isRefused ? 401 : 200));
  });
  vi.stubGlobal("fetch", server);
  return server;
}

const headersOf = (server: ReturnType<typeof serve>, call = 0) => new Headers(server.mock.calls[call]?.[1]?.headers);
const ask = (fetcher: ReturnType<typeof createFetcher>, headers?: Record<string, string>) =>
  fetcherReturnToPromise(fetcher({ query: "{ server { version } }" }, { headers }));

/** A server's end of WebSockets, which answers a subscription with one event. */
class Socket {
  static opened: string[] = [];
  static heard: Record<string, unknown>[] = [];
  static readonly OPEN = 1;
  readyState = Socket.OPEN;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(url: string, protocol: string) {
    Socket.opened.push(`${url} ${protocol}`);
    queueMicrotask(() => this.onopen?.());
  }

  send(text: string) {
    const message = JSON.parse(text) as { type: string; id?: string };
    Socket.heard.push(message);
    if (message.type === "connection_init") this.say({ type: "connection_ack" });
    if (message.type === "subscribe") {
      this.say({ id: message.id, type: "next", payload: { data: { n: 1 } } });
      this.say({ id: message.id, type: "complete" });
    }
  }

  close(code: number, reason: string) {
    this.onclose?.({ code, reason });
  }

  private say(message: unknown) {
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(message) }));
  }
}

describe("GraphiQL's subscriptions", () => {
  it("go over a WebSocket to the profile of the page, with the token of that moment", async () => {
    vi.stubGlobal("WebSocket", Socket);
    const query = "subscription S { n }";
    const fetcher = createFetcher("work", never);
    saveToken("right");
    const events = (await fetcher({ query, operationName: "S" }, { documentAST: parse(query) })) as AsyncIterable<unknown>;
    const told: unknown[] = [];
    for await (const event of events) told.push(event);
    expect(told).toEqual([{ data: { n: 1 } }]);
    expect(Socket.opened).toEqual(["ws://localhost:3000/graphql?profile=work graphql-transport-ws"]);
    expect(Socket.heard[0]).toEqual({ type: "connection_init", payload: { authorization: "Bearer right" } });
    expect(Socket.heard[1]).toMatchObject({ type: "subscribe", payload: { query } });
  });
});

describe("GraphiQL's requests", () => {
  it("go to the profile of the page", async () => {
    const server = serve(null);
    await ask(createFetcher("research & more", never));
    await ask(createFetcher(null, never));
    expect(server.mock.calls.map(([url]) => url)).toEqual(["/graphql?profile=research%20%26%20more", "/graphql"]);
  });

  it("carry the token as a header, which goes before one written by hand", async () => {
    const server = serve("right");
    saveToken("right");
    await ask(createFetcher(null, never), { Authorization: "Bearer stale", "X-Hermes-Profile": "work" });
    expect(headersOf(server).get("authorization")).toBe("Bearer right");
    expect(headersOf(server).get("x-hermes-profile")).toBe("work");
  });

  it("carry none where there is no token", async () => {
    const server = serve(null);
    await ask(createFetcher(null, never));
    expect(headersOf(server).has("authorization")).toBe(false);
  });

  it("wait for a token when they are refused, and are sent again until one is right", async () => {
    const server = serve("right");
    const tokens = ["wrong", "right"];
    const door = vi.fn<() => Promise<void>>(() => Promise.resolve(saveToken(tokens.shift() ?? "")));
    expect(await ask(createFetcher(null, door))).toEqual({ data: {} });
    expect(door).toHaveBeenCalledTimes(2);
    expect(server).toHaveBeenCalledTimes(3);
  });
});
