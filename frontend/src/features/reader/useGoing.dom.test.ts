import { act, renderHook } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { describe, expect, it, vi } from "vitest";
import type { Position } from "../../graphql/pageWindow";
import { aMessage } from "../../test/builders";
import type { Row } from "./modes";
import type { Stretch } from "./places";
import type { Message } from "./transcript";
import { FoldStore } from "./useFolds";
import { useGoing } from "./useGoing";

const HEIGHT_OF_A_ROW = 100;

const rowsTo = (count: number): Row[] =>
  Array.from({ length: count }, (_, position) => {
    const message = aMessage(String(position)) as unknown as Message;
    return { type: "message", key: message.nodeId, message, calls: [], position, isPrompt: true, isSameVoice: false };
  });

/** A reader at the top of the first four messages of many. `load` is what came of the same window, `jumpTo` a new one. */
function reading() {
  const scroller = document.createElement("div");
  const onJump = vi.fn<(position: Position) => void>();
  const folds = new FoldStore(() => false);
  const isThere = { hasBefore: false, hasAfter: false, isGrowing: false };
  const start = { windowKey: "first", stretch: { ...isThere, rows: rowsTo(4), hasAfter: true } as Stretch };
  const { result, rerender } = renderHook(
    ({ stretch, windowKey }) => {
      const { settle, go } = useGoing({ stretch, windowKey, folds, first: "start", onJump });
      const { rows } = stretch;
      useLayoutEffect(() => void (rows.length > 0 && settle(scroller)), [settle, rows]);
      return { go };
    },
    { initialProps: start },
  );
  let { windowKey, stretch } = start;
  const load = (count: number, more: Partial<Stretch> = {}) => {
    stretch = { ...isThere, rows: count === stretch.rows.length ? stretch.rows : rowsTo(count), ...more };
    Object.defineProperty(scroller, "scrollHeight", { value: count * HEIGHT_OF_A_ROW, configurable: true });
    rerender({ stretch, windowKey });
  };
  const jumpTo: typeof load = (...loaded) => {
    windowKey += " again";
    load(...loaded);
  };
  const end = () => act(() => result.current.go("end", scroller));
  return { scroller, onJump, load, jumpTo, end };
}

describe("going to the end", () => {
  it("loads it, and arrives with it", () => {
    const { scroller, onJump, jumpTo, end } = reading();
    end();
    expect(onJump).toHaveBeenCalledWith({ last: 40 });
    expect(scroller.scrollTop).toBe(0);
    jumpTo(40);
    expect(scroller.scrollTop).toBe(4_000);
  });

  it("goes on to what came while it was on its way, and no further", () => {
    const { scroller, load, jumpTo, end } = reading();
    end();
    jumpTo(40, { hasAfter: true });
    expect(scroller.scrollTop).toBe(4_000);
    load(40, { isGrowing: true });
    load(41, { hasAfter: true });
    expect(scroller.scrollTop).toBe(4_100);
    load(42);
    expect(scroller.scrollTop).toBe(4_200);
    load(43);
    expect(scroller.scrollTop).toBe(4_200);
  });

  it("goes on to a message that is just being loaded", () => {
    const { scroller, onJump, load, end } = reading();
    load(40, { isGrowing: true });
    end();
    expect(onJump).not.toHaveBeenCalled();
    load(41);
    expect(scroller.scrollTop).toBe(4_100);
  });

  it("is done also where nothing came that the list shows", () => {
    const { scroller, load, jumpTo, end } = reading();
    end();
    jumpTo(40, { hasAfter: true });
    load(40);
    load(41);
    expect(scroller.scrollTop).toBe(4_000);
  });

  it.each(["wheel", "keydown", "pointerdown", "touchmove"])("is given up by a %s: who reads is not moved", (event) => {
    const { scroller, load, jumpTo, end } = reading();
    end();
    jumpTo(40, { hasAfter: true });
    window.dispatchEvent(new Event(event));
    load(41);
    expect(scroller.scrollTop).toBe(4_000);
  });

  it("is not given up before its stretch has come", () => {
    const { scroller, jumpTo, end } = reading();
    end();
    window.dispatchEvent(new Event("wheel"));
    jumpTo(40);
    expect(scroller.scrollTop).toBe(4_000);
  });
});
