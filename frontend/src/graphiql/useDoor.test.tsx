import { act, renderHook } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { readToken } from "../lib/token";
import { useDoor } from "./useDoor";

describe("the door", () => {
  it("holds every request that asks, and lets all in with one token", async () => {
    const { result } = renderHook(() => useDoor());
    const resumed = vi.fn<() => void>();
    expect(result.current.isLocked).toBe(false);

    act(() => {
      void result.current.ask().then(resumed);
      void result.current.ask().then(resumed);
    });
    expect(result.current).toMatchObject({ isLocked: true, wasRefused: false });
    expect(resumed).not.toHaveBeenCalled();

    await act(async () => result.current.open("fresh"));
    expect(readToken()).toBe("fresh");
    expect(resumed).toHaveBeenCalledTimes(2);
    expect(result.current.isLocked).toBe(false);
  });

  it("tells that a token was refused when it has to ask again", async () => {
    const { result } = renderHook(() => useDoor());
    act(() => void result.current.ask());
    await act(async () => result.current.open("wrong"));
    act(() => void result.current.ask());
    expect(result.current).toMatchObject({ isLocked: true, wasRefused: true });
  });
});
