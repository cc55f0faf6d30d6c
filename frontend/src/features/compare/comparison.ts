/**
 * Compares two transcripts message by message from the start, page by page, up to the first difference; from there on
 * both go on at their own pace. Pages are fetched when they are needed.
 */
/* oxlint-disable no-await-in-loop -- one page tells where the next one begins, and one message whether to go on */
import type { CompareMessagesQuery } from "../../graphql/generated/graphql";

type Messages = NonNullable<NonNullable<CompareMessagesQuery["session"]>["messages"]>;
export type Message = Messages["nodes"][number];

export interface Page {
  messages: readonly Message[];
  /** Where the next page begins; null after the last one. */
  next: string | null;
  total: number;
}

export interface Source {
  /** The sessions to read one after the other: the segments of a conversation, or one alone. */
  sessions: readonly string[];
  /** The greatest page that may be asked for. */
  maxPageSize: number;
  load: (session: string, after: string | null, size: number) => Promise<Page>;
}

export interface Side {
  messages: readonly Message[];
  isComplete: boolean;
}

export interface ComparisonState {
  phase: "comparing" | "apart" | "same";
  /** Messages at the start that both have. */
  shared: number;
  /** Where each one goes on after the shared beginning. */
  from: { left: number; right: number };
  /** Of one side alone and compacted: what the other one, forked off later, no longer carries. */
  skipped: { left: number; right: number };
  left: Side;
  right: Side;
  isLoading: boolean;
  error: unknown;
}

/** The first page is small, since most branches part early; later ones cost fewer requests. */
export const FIRST_PAGE = 60;
const LATER_PAGE = 500;
const PROGRESS_STEP = 250;

type Name = "left" | "right";
/** Whether two long messages, equal as far as they were loaded, are equal to their ends. */
type CompareWhole = (left: Message, right: Message) => Promise<boolean>;

export class Comparison {
  readonly #sides: Record<Name, SideReader>;
  readonly #compareWhole: CompareWhole;
  readonly #listeners = new Set<() => void>();
  #phase: ComparisonState["phase"] = "comparing";
  #shared = 0;
  #from = { left: 0, right: 0 };
  #skipped = { left: 0, right: 0 };
  #work: Promise<void> | null = null;
  #error: unknown = null;
  #state: ComparisonState;

  constructor(left: Source, right: Source, compareWhole: CompareWhole) {
    this.#sides = { left: new SideReader(left), right: new SideReader(right) };
    this.#compareWhole = compareWhole;
    this.#state = this.#snapshot();
  }

  readonly getState = (): ComparisonState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    void this.#run(() => this.#findDifference());
    return () => this.#listeners.delete(listener);
  };

  /** One page more of a side, or of both. */
  readonly loadMore = (...names: Name[]): void => {
    if (this.#phase === "apart") void this.#run(async () => void (await Promise.all(names.map((name) => this.#sides[name].more()))));
  };

  readonly retry = (): void => {
    this.#error = null;
    void this.#run(() => this.#findDifference());
  };

  /** One task at a time; while nobody listens there is none. */
  async #run(task: () => Promise<void>): Promise<void> {
    if (this.#work || this.#error) return;
    this.#work = task();
    this.#publish();
    try {
      await this.#work;
    } catch (error) {
      this.#error = error;
    }
    this.#work = null;
    this.#publish();
  }

  async #findDifference(): Promise<void> {
    while (this.#phase === "comparing" && this.#listeners.size > 0) {
      const [left, right] = await Promise.all([this.#sides.left.at(this.#from.left), this.#sides.right.at(this.#from.right)]);
      if (left && right && (await this.#isSame(left, right))) this.#step(1);
      else if (!left && !right) this.#phase = "same";
      else if (!(left && right && (await this.#skipCompacted()))) this.#phase = "apart";
    }
  }

  #step(count: number): void {
    this.#from = { left: this.#from.left + count, right: this.#from.right + count };
    this.#shared += count;
    if (this.#shared % PROGRESS_STEP === 0) this.#publish();
  }

  async #isSame(left: Message, right: Message): Promise<boolean> {
    if (!isAlike(left, right)) return false;
    return !left.contentTruncated || this.#compareWhole(left, right);
  }

  /** A branch carries only what was live when it forked off: what its parent compacted before may be passed over. */
  async #skipCompacted(): Promise<boolean> {
    for (const [name, other] of [["left", "right"], ["right", "left"]] as const) {
      let index = this.#from[name];
      while ((await this.#sides[name].at(index))?.state === "COMPACTED") index += 1;
      const here = await this.#sides[name].at(index);
      const there = await this.#sides[other].at(this.#from[other]);
      if (index > this.#from[name] && here && there && (await this.#isSame(here, there))) {
        this.#skipped = { ...this.#skipped, [name]: this.#skipped[name] + index - this.#from[name] };
        this.#from = { ...this.#from, [name]: index };
        return true;
      }
    }
    return false;
  }

  #publish(): void {
    this.#state = this.#snapshot();
    this.#listeners.forEach((listener) => listener());
  }

  #snapshot(): ComparisonState {
    const { left, right } = this.#sides;
    return {
      phase: this.#phase,
      shared: this.#shared,
      from: this.#from,
      skipped: this.#skipped,
      left: left.side,
      right: right.side,
      isLoading: this.#work !== null,
      error: this.#error,
    };
  }
}

/** One transcript as it grows, over the sessions that it is made of. */
class SideReader {
  readonly #source: Source;
  readonly #seen = new Set<string>();
  #messages: Message[] = [];
  #session = 0;
  #after: string | null = null;
  #pages = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  get #isComplete(): boolean {
    return this.#session >= this.#source.sessions.length;
  }

  get #pageSize(): number {
    return Math.min(this.#pages === 0 ? FIRST_PAGE : LATER_PAGE, this.#source.maxPageSize);
  }

  get side(): Side {
    return { messages: this.#messages, isComplete: this.#isComplete };
  }

  /** The message at a place, after loading as far as that; undefined behind the end. */
  async at(index: number): Promise<Message | undefined> {
    while (index >= this.#messages.length && !this.#isComplete) await this.more();
    return this.#messages[index];
  }

  async more(): Promise<void> {
    const session = this.#source.sessions[this.#session];
    if (session === undefined) return;
    const page = await this.#source.load(session, this.#after, this.#pageSize);
    this.#pages += 1;
    const fresh = page.messages.filter((message) => !this.#isCarried(message));
    this.#messages = this.#messages.concat(fresh);
    for (const message of fresh) this.#seen.add(identity(message));
    this.#after = page.next;
    if (page.next === null) this.#session += 1;
  }

  /** A continuation begins with copies out of the segment before; they count once. */
  #isCarried(message: Message): boolean {
    return this.#session > 0 && this.#seen.has(identity(message));
  }
}

const identity = ({ role, timestamp, content, toolCalls }: Message) => JSON.stringify([role, timestamp, content, toolCalls.map(({ id }) => id)]);

/** Role, text and tool calls, as far as they are loaded; a copy has another id and may have another moment. */
export function isAlike(left: Message, right: Message): boolean {
  return (
    left.role === right.role &&
    left.contentBytes === right.contentBytes &&
    left.content === right.content &&
    left.toolCalls.length === right.toolCalls.length &&
    left.toolCalls.every((call, index) => {
      const other = right.toolCalls[index];
      return call.name === other?.name && call.argumentsText === other.argumentsText;
    })
  );
}
