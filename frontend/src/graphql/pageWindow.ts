/**
 * A stretch of one connection: an anchor page, then pages that continue it in both directions, as one list.
 * Every page stays a live query, and where a refetch moves the end of a page its neighbour follows, so that no gap opens.
 * Pages that nobody looks at any more may be given up at either end; they come again like any other.
 */
import { type AnyVariables, type Client, type CombinedError, type OperationResult, type TypedDocumentNode } from "urql";
import { pipe, subscribe } from "wonka";

export interface Position {
  first?: number;
  after?: string;
  last?: number;
  before?: string;
  around?: string;
}

export interface Connection<Edge> {
  edges: Edge[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

export interface WindowState<Data, Edge> {
  edges: Edge[];
  /** The anchor page's whole answer: totals and the like. */
  data: Data | null;
  /** The whole answer that the first edge came with. */
  firstData: Data | null;
  /** The whole answer that the last edge came with: the newest totals. */
  lastData: Data | null;
  hasAfter: boolean;
  hasBefore: boolean;
  loading: "anchor" | "after" | "before" | null;
  /** The data is from before, a newer answer is on its way. */
  stale: boolean;
  error: CombinedError | null;
}

interface Page<Data> {
  position: Position;
  result: OperationResult<Data> | null;
  data: Data | null;
  stop: () => void;
}

export interface WindowOptions<Data, Edge> {
  client: Client;
  document: TypedDocumentNode<Data, AnyVariables>;
  variables: Record<string, unknown>;
  /** Null when the answer has no such connection. */
  select: (data: Data) => Connection<Edge> | null | undefined;
  anchor: Position;
  size: number;
  /** Up to how many each page after the anchor is twice as long as the one before it. All are of `size` without. */
  most?: (data: Data) => number;
  /** Past the cache: pages that were given up leave nothing behind. */
  uncached?: boolean;
}

export class PageWindow<Data, Edge> {
  readonly #options: WindowOptions<Data, Edge>;
  #pages: Page<Data>[] = [];
  #anchor = 0;
  #hasGrown = false;
  #listeners = new Set<() => void>();
  #state: WindowState<Data, Edge> = EMPTY;

  constructor(options: WindowOptions<Data, Edge>) {
    this.#options = options;
  }

  readonly getState = (): WindowState<Data, Edge> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#pages.forEach((page) => page.stop());
    };
  };

  readonly loadAfter = (): void => {
    const after = this.#connection(this.#pages.at(-1))?.pageInfo.endCursor;
    if (!this.#state.hasAfter || this.#state.loading) return;
    const goesOn = this.#hasGrown && this.#isHalfFull(this.#pages.at(-1));
    this.#hasGrown = false;
    // Without an end there was nothing at all: that page itself takes what has come.
    if (after && !goesOn) this.#pages.push(newPage({ first: this.#nextSize(), after }));
    this.#run(this.#pages.length - 1, goesOn);
  };

  readonly loadBefore = (): void => {
    const before = this.#connection(this.#pages[0])?.pageInfo.startCursor;
    if (!this.#state.hasBefore || this.#state.loading || !before) return;
    this.#pages.unshift(newPage({ last: this.#options.size, before }));
    this.#anchor += 1;
    this.#run(0);
  };

  /** Gives up the pages at both ends that lie wholly outside these edges; `end` is not one of them. False: there are none. */
  readonly keep = (start: number, end: number): boolean => {
    if (this.#state.loading) return false;
    const sizes = this.#pages.map((page) => this.#connection(page)?.edges.length ?? 0);
    const starts = sizes.map((_, index) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0));
    const isKept = (_: unknown, index: number) => (starts[index] ?? 0) < end && (starts[index] ?? 0) + (sizes[index] ?? 0) > start;
    const first = this.#pages.findIndex(isKept);
    const last = this.#pages.findLastIndex(isKept);
    if (first < 0 || (first === 0 && last === this.#pages.length - 1)) return false;
    this.#pages.forEach((page, index) => (index < first || index > last) && page.stop());
    this.#pages = this.#pages.slice(first, last + 1);
    this.#anchor = Math.min(Math.max(this.#anchor - first, 0), this.#pages.length - 1);
    this.#publish();
    return true;
  };

  /** The connection has grown at its end, as somebody else learned: there is something to load after. */
  readonly noteMore = (): void => {
    if (this.#state.hasAfter) return;
    this.#hasGrown = true;
    this.#publish();
  };

  /** Asks again for the pages that failed. */
  readonly retry = (): void => {
    this.#pages.forEach((page, index) => {
      if (page.result?.error) this.#run(index, true);
    });
  };

  /** Asks for all pages again while what is there stays as it is. */
  readonly refresh = async (): Promise<void> => {
    const { client, document, variables } = this.#options;
    const answers = this.#pages.map((page, index) => {
      const isAnchor = index === this.#anchor;
      return client.query(document, { ...variables, ...page.position, isAnchor }, { requestPolicy: "network-only" }).toPromise();
    });
    await Promise.all(answers);
  };

  #start(): void {
    if (this.#pages.length === 0) this.#pages = [newPage(this.#options.anchor)];
    this.#pages.forEach((_, index) => this.#run(index));
  }

  #run(index: number, again = false): void {
    const page = this.#pages[index];
    if (!page) return;
    const { client, document, variables } = this.#options;
    const isAnchor = index === this.#anchor;
    page.stop();
    page.result = null;
    const source = client.query(
      document,
      { ...variables, ...page.position, isAnchor },
      { requestPolicy: again ? "network-only" : isAnchor ? "cache-and-network" : "cache-first", uncached: this.#options.uncached },
    );
    const { unsubscribe } = pipe(source, subscribe((result) => this.#receive(page, result)));
    page.stop = unsubscribe;
    this.#publish();
  }

  #receive(page: Page<Data>, result: OperationResult<Data>): void {
    page.result = result;
    page.data = result.data ?? (result.error ? page.data : null);
    this.#relink(this.#pages.indexOf(page));
    this.#publish();
  }

  /** Moves the neighbours of a page to where it now begins and ends. */
  #relink(index: number): void {
    const info = this.#connection(this.#pages[index])?.pageInfo;
    const next = this.#pages[index + 1];
    if (info?.endCursor && index >= this.#anchor && next && next.position.after !== info.endCursor) {
      next.position = { ...next.position, after: info.endCursor };
      this.#run(index + 1);
    }
    const previous = this.#pages[index - 1];
    if (info?.startCursor && index <= this.#anchor && previous && previous.position.before !== info.startCursor) {
      previous.position = { ...previous.position, before: info.startCursor };
      this.#run(index - 1);
    }
  }

  /** Such a page takes what has come since: else each message of a live conversation would be a page of its own. */
  #isHalfFull(page: Page<Data> | undefined): boolean {
    const { first = 0, around } = page?.position ?? {};
    return around === undefined && (this.#connection(page)?.edges.length ?? first) < first;
  }

  #nextSize(): number {
    const { size, most } = this.#options;
    if (!most || !this.#state.data) return size;
    return Math.min((this.#pages.at(-1)?.position.first ?? size) * 2, most(this.#state.data));
  }

  #connection(page: Page<Data> | undefined): Connection<Edge> | null {
    return (page?.data && this.#options.select(page.data)) ?? null;
  }

  #publish(): void {
    const waiting = this.#pages.findIndex((page) => page.result === null);
    const anchorPage = this.#pages[this.#anchor];
    const edges = this.#pages.flatMap((page) => this.#connection(page)?.edges ?? []);
    const known = this.#state.edges;
    const isKnown = edges.length === known.length && edges.every((edge, index) => edge === known[index]);
    this.#state = {
      edges: isKnown ? known : edges,
      data: anchorPage?.data ?? null,
      firstData: this.#pages[0]?.data ?? anchorPage?.data ?? null,
      lastData: this.#pages.at(-1)?.data ?? anchorPage?.data ?? null,
      hasAfter: this.#hasGrown || (this.#connection(this.#pages.at(-1))?.pageInfo.hasNextPage ?? false),
      hasBefore: this.#connection(this.#pages[0])?.pageInfo.hasPreviousPage ?? false,
      loading: waiting < 0 ? null : waiting === this.#anchor ? "anchor" : waiting < this.#anchor ? "before" : "after",
      stale: this.#pages.some((page) => page.result?.stale || (page.result === null && page.data !== null)),
      error: this.#pages.find((page) => page.result?.error)?.result?.error ?? null,
    };
    this.#listeners.forEach((listener) => listener());
  }
}

const EMPTY: WindowState<never, never> = {
  edges: [],
  data: null,
  firstData: null,
  lastData: null,
  hasAfter: false,
  hasBefore: false,
  loading: "anchor",
  stale: false,
  error: null,
};

const newPage = <Data>(position: Position): Page<Data> => ({ position, result: null, data: null, stop: () => {} });
