/** Several page windows side by side, opened a few at a time, as one state. */
import type { PageWindow, WindowState } from "./pageWindow";

export class WindowSet<Data, Edge> {
  readonly #windows: readonly PageWindow<Data, Edge>[];
  readonly #step: number;
  readonly #listeners = new Set<() => void>();
  #stops: (() => void)[] = [];
  #opened: number;
  #states: readonly WindowState<Data, Edge>[] = [];

  constructor(windows: readonly PageWindow<Data, Edge>[], step: number) {
    this.#windows = windows;
    this.#step = step;
    this.#opened = Math.min(step, windows.length);
    this.#take();
  }

  /** The states of the windows that are open. */
  readonly getState = (): readonly WindowState<Data, Edge>[] => this.#states;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#open(0);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stops.forEach((stop) => stop());
      this.#stops = [];
    };
  };

  get hasMore(): boolean {
    return this.#opened < this.#windows.length;
  }

  /** Opens a few more, once those that are open have answered. */
  readonly openMore = (): void => {
    if (!this.hasMore || this.#states.some(({ loading }) => loading === "anchor")) return;
    const before = this.#opened;
    this.#opened = Math.min(before + this.#step, this.#windows.length);
    this.#open(before);
  };

  #open(from: number): void {
    const windows = this.#windows.slice(from, this.#opened);
    this.#stops.push(...windows.map((window) => window.subscribe(this.#publish)));
    this.#publish();
  }

  #take(): void {
    this.#states = this.#windows.slice(0, this.#opened).map((window) => window.getState());
  }

  readonly #publish = (): void => {
    this.#take();
    this.#listeners.forEach((listener) => listener());
  };
}
