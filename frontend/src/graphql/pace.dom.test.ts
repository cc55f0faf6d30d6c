import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Pace } from "./pace";

const hide = (isHidden: boolean) => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
  document.dispatchEvent(new Event("visibilitychange"));
};

describe("a pace", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("runs the first call at once, and one for all that come meanwhile", () => {
    const run = vi.fn<() => void>();
    const pace = new Pace(100, run);
    for (let call = 0; call < 5; call += 1) pace.call();
    expect(run).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(100);
    expect(run).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("waits while the page is out of sight, and forgets nothing", () => {
    const run = vi.fn<() => void>();
    const pace = new Pace(100, run);
    hide(true);
    pace.call();
    expect(run).not.toHaveBeenCalled();
    hide(false);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("runs nothing after it has stopped", () => {
    const run = vi.fn<() => void>();
    const pace = new Pace(100, run);
    pace.call();
    pace.call();
    pace.stop();
    vi.advanceTimersByTime(1000);
    expect(run).toHaveBeenCalledTimes(1);
  });
});
