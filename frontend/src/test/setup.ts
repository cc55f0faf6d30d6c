/** What jsdom lacks: sizes, so that virtual lists have something to show, and media queries. */
import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

const PANE = { width: 1000, height: 800 };
const ROW = { width: 1000, height: 60 };

/** Nothing ever changes its size. */
class StillResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

function measure(property: string, value: number): void {
  Object.defineProperty(HTMLElement.prototype, property, { configurable: true, value });
}

beforeEach(() => {
  vi.stubGlobal("ResizeObserver", StillResizeObserver);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  measure("clientWidth", PANE.width);
  measure("clientHeight", PANE.height);
  measure("offsetWidth", ROW.width);
  measure("offsetHeight", ROW.height);
  Element.prototype.scrollTo = () => {};
  Element.prototype.scrollIntoView = () => {};
  sessionStorage.clear();
  localStorage.clear();
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
