/** What jsdom lacks: sizes, so that virtual lists have something to show, and media queries. */
import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

const SIZE = { width: 1000, height: 800 };

class FixedResizeObserver implements ResizeObserver {
  readonly #callback: ResizeObserverCallback;

  constructor(callback: ResizeObserverCallback) {
    this.#callback = callback;
  }

  observe(target: Element): void {
    const box = [{ inlineSize: SIZE.width, blockSize: SIZE.height }];
    const entry = { target, contentRect: SIZE, borderBoxSize: box } as unknown as ResizeObserverEntry;
    if (target.hasAttribute("role")) this.#callback([entry], this);
  }

  unobserve(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  vi.stubGlobal("ResizeObserver", FixedResizeObserver);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  Object.defineProperty(HTMLElement.prototype, "offsetHeight", { configurable: true, value: SIZE.height });
  Object.defineProperty(HTMLElement.prototype, "offsetWidth", { configurable: true, value: SIZE.width });
  Element.prototype.scrollTo = () => {};
  Element.prototype.scrollIntoView = () => {};
  sessionStorage.clear();
  localStorage.clear();
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
