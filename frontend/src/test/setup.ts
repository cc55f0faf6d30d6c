/** What jsdom lacks: sizes, so that virtual lists have something to show, and media queries. */
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

// Lazy parts are compiled when a test first shows them.
configure({ asyncUtilTimeout: 15_000 });

const PANE = { width: 1000, height: 800 };
const ROW = { width: 1000, height: 60 };

/** Nothing ever changes its size. */
class StillResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** A socket that never opens: a test that follows something brings one of its own. */
class SilentSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  close(): void {}
}

function measure(property: string, value: number): void {
  Object.defineProperty(HTMLElement.prototype, property, { configurable: true, value });
}

beforeEach(() => {
  vi.stubGlobal("ResizeObserver", StillResizeObserver);
  vi.stubGlobal("WebSocket", SilentSocket);
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
