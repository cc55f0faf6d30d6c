/** The one socket for all that is followed: opened by the first subscription, and opened again whenever it breaks. */
import type { Client, FormattedExecutionResult } from "graphql-ws";
import type { SubscriptionForwarder } from "urql";
import { authorization } from "../lib/token";
import { ENDPOINT } from "./endpoint";

/** Whether changes reach the page: not asked for yet or on its way, standing, or broken off. */
export type Connection = "waiting" | "open" | "lost";

const LONGEST_WAIT = 10_000;
const SILENCE = 20_000;

/** After the first failure at once, then ever later, so that a server that starts again is not stormed. */
async function waitBefore(attempt: number): Promise<void> {
  const wait = Math.min(LONGEST_WAIT, 250 * 2 ** attempt);
  await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random() / 2)));
}

function socketAddress(): string {
  const url = new URL(ENDPOINT, window.location.href);
  url.protocol = url.protocol.replace("http", "ws");
  return url.href;
}

function cursorIn({ data }: Pick<FormattedExecutionResult, "data">): string | undefined {
  const [event] = Object.values((data ?? {}) as Record<string, { resumeCursor?: string }>);
  return event?.resumeCursor;
}

export class LiveSocket {
  #client: Promise<Client> | null = null;
  #connection: Connection = "waiting";
  readonly #listeners = new Set<() => void>();

  readonly getConnection = (): Connection => this.#connection;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /**
   * Carries one subscription; after a break it begins anew, and its first event says so. One that asks for
   * `resumeCursor` and takes `after` goes on behind the last event that has come.
   */
  readonly forward: SubscriptionForwarder = ({ query = "", variables, operationName }) => ({
    subscribe: (sink) => {
      // Sent as it is at the moment, each time that the socket opens.
      const request = { query, operationName, variables: { ...(variables as Record<string, unknown>) } };
      let stop: (() => void) | null = null;
      let isStopped = false;
      void this.#connect().then((client) => {
        if (isStopped) return;
        stop = client.subscribe(request, {
          ...sink,
          next: (result) => {
            request.variables.after = cursorIn(result) ?? request.variables.after;
            sink.next(result as FormattedExecutionResult);
          },
        });
      });
      return {
        unsubscribe: () => {
          isStopped = true;
          stop?.();
        },
      };
    },
  });

  /** Ends the socket and all that it carries. */
  readonly close = (): void => {
    void this.#client?.then((client) => client.dispose());
    this.#client = null;
  };

  #connect(): Promise<Client> {
    this.#client ??= import("graphql-ws").then(({ createClient }) =>
      createClient({
        url: socketAddress(),
        connectionParams: authorization,
        keepAlive: SILENCE,
        retryAttempts: Infinity,
        retryWait: waitBefore,
        shouldRetry: () => true,
        on: {
          connected: () => this.#tell("open"),
          closed: (event) => this.#tell((event as CloseEvent).wasClean && (event as CloseEvent).code === 1000 ? "waiting" : "lost"),
        },
      }),
    );
    return this.#client;
  }

  #tell(connection: Connection): void {
    this.#connection = connection;
    this.#listeners.forEach((listener) => listener());
  }
}
