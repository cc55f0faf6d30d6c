import { describe, expect, it, vi } from "vitest";
import { FoldStore } from "./useFolds";

describe("folds", () => {
  it("tell the message whose fold changed, and no other", () => {
    const store = new FoldStore(() => false);
    const listener = vi.fn<() => void>();
    store.subscribe(listener);
    store.toggle("message:1 reasoning");
    expect([store.isOpen("message:1 reasoning"), store.versionOf("message:1"), store.versionOf("message:2")]).toEqual([true, 1, 0]);
    expect(listener).toHaveBeenCalledOnce();
  });

  it("open all of a message, and close all when all are open", () => {
    const store = new FoldStore((key) => key === "m a");
    store.toggleAll(["m a", "m b"]);
    expect(["m a", "m b"].map(store.isOpen)).toEqual([true, true]);
    store.toggleAll(["m a", "m b"]);
    expect(["m a", "m b"].map(store.isOpen)).toEqual([false, false]);
  });
});
