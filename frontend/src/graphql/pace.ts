/** Holds calls apart: the first at once, then one for all that came meanwhile, and none while the page is out of sight. */
export class Pace {
  readonly #pause: number;
  readonly #run: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isWanted = false;

  constructor(pause: number, run: () => void) {
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
    document.removeEventListener("visibilitychange", this.#look);
  };

  readonly #look = (): void => {
    if (!this.#isWanted || this.#timer !== null || document.hidden) return;
    this.#isWanted = false;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#look();
    }, this.#pause);
    this.#run();
  };
}
