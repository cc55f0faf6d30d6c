/** Asks the worker for tokens, one text at a time, and ends it when one takes too long. */
import type { Line } from "../spans";
import type { Job } from "./worker";

/** More than this is shown plain, in characters. */
export const MOST = 100_000;
const PATIENCE = 6_000;
const KEPT = 200;

interface Waiting extends Omit<Job, "id"> {
  key: string;
  tell: (lines: Line[] | null) => void;
}

/** What is needed of a worker: a job in, lines of tokens out, and an end to it. */
export interface Tokenizer {
  run: (job: Job, tell: (id: number, lines: Line[] | null) => void, fail: () => void) => void;
  terminate: () => void;
}

export class Highlighter {
  readonly #start: () => Tokenizer;
  readonly #known = new Map<string, Line[] | null>();
  readonly #asked = new Map<string, Promise<Line[] | null>>();
  readonly #queue: Waiting[] = [];
  #worker: Tokenizer | null = null;
  #isBusy = false;
  #nextId = 0;

  constructor(start: () => Tokenizer) {
    this.#start = start;
  }

  /** Tokens that were found before; undefined where they were not asked for, null where there are none. */
  known(language: string, text: string): Line[] | null | undefined {
    return text.length > MOST ? null : this.#known.get(`${language} ${text}`);
  }

  /** Lines of tokens; null where the text stays plain: too long, or too hard. */
  highlight(language: string, text: string): Promise<Line[] | null> {
    const key = `${language} ${text}`;
    const known = this.known(language, text);
    if (known !== undefined) return Promise.resolve(known);
    const asked = this.#asked.get(key) ?? new Promise<Line[] | null>((tell) => this.#queue.push({ key, language, text, tell }));
    this.#asked.set(key, asked);
    this.#next();
    return asked;
  }

  #next(): void {
    const job = this.#isBusy ? undefined : this.#queue.shift();
    if (!job) return;
    this.#isBusy = true;
    const id = this.#nextId++;
    const finish = (lines: Line[] | null, isBroken: boolean) => {
      clearTimeout(timer);
      if (isBroken) this.#stop();
      this.#keep(job, lines);
      this.#isBusy = false;
      this.#next();
    };
    const timer = setTimeout(() => finish(null, true), PATIENCE);
    try {
      this.#worker ??= this.#start();
      this.#worker.run({ id, language: job.language, text: job.text }, (answered, lines) => answered === id && finish(lines, false), () => finish(null, true));
    } catch {
      finish(null, true);
    }
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  #keep({ key, tell }: Waiting, lines: Line[] | null): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= KEPT && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, lines);
    this.#asked.delete(key);
    tell(lines);
  }
}
