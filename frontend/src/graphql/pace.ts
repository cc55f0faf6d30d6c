/** Holds calls apart: the first at once, then one for all that came meanwhile, none while the page is out of sight or the last one goes on. */
export class Pace {
  readonly #pause: number;
  readonly #run: () => Promise<unknown> | void;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isWanted = false;

  constructor(pause: number, run: () => Promise<unknown> | void) {
    this.#pause = pause;
    this.#run = run;
    document.addEventListener("visibilitychange", this.#look);
  }

  readonly call = (): void => {
    this.#isWanted = true;
    this.#look();
  };

  readonly stop = (): void => {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#isWanted = false;
    document.removeEventListener("visibilitychange", this.#look);
  };

  readonly #look = (): void => {
    if (!this.#isWanted || this.#timer !== null || document.hidden) return;
    this.#isWanted = false;
    const going = this.#run();
    this.#timer = setTimeout(() => (going ? void going.finally(this.#end) : this.#end()), this.#pause);
  };

  readonly #end = (): void => {
    this.#timer = null;
    this.#look();
  };
}
