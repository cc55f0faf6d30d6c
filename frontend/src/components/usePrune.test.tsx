import { renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { type Client, Provider } from "urql";
import { describe, expect, it } from "vitest";
import type { Pruned, PruneWish } from "./usePrune";
import { usePrune } from "./usePrune";

type Input = { profile: string; olderThanDays: number; permanent: boolean };

const WISH: PruneWish = { profile: "default", days: 90, filter: null, includeArchived: true };

const answer = (ids: string[], isAll: boolean) => ({
  changedIds: ids,
  sessionCount: ids.length,
  messageCount: 10 * ids.length,
  bytes: 100 * ids.length,
  binIds: ids.length > 0 ? [`bin of ${ids.join(" ")}`] : [],
  skipped: [],
  completed: isAll,
  userErrors: isAll ? [] : [{ code: "TIMEOUT", message: "Not all was done." }],
});

/** A server that gives these answers one after the other, and the pruning that asks it; every call is noted. */
function pruning(...answers: ReturnType<typeof answer>[]) {
  const calls: Input[] = [];
  const mutation = async (_: unknown, { input }: { input: Input }) => ({ data: { pruneSessions: answers[calls.push(input) - 1] } });
  const wrapper = ({ children }: { children: ReactNode }) => <Provider value={{ mutation } as unknown as Client}>{children}</Provider>;
  const prune = renderHook(() => usePrune(), { wrapper }).result.current;
  return { calls, pruned: (): Promise<Pruned> => prune(WISH, false) };
}

describe("a pruning that takes longer than one call", () => {
  it("goes on with the rest and is told as one", async () => {
    const { calls, pruned } = pruning(answer(["a", "b"], false), answer(["c", "d"], false), answer(["e"], true));
    const done = await pruned();
    expect(calls).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ profile: "default", olderThanDays: 90, permanent: false })));
    expect(done).toMatchObject({ changedIds: ["a", "b", "c", "d", "e"], sessionCount: 5, messageCount: 50, bytes: 500, completed: true, userErrors: [] });
    expect(done.binIds).toEqual(["bin of e", "bin of c d", "bin of a b"]);
  });

  it("ends where a call got nothing more done, and says that it is not all", async () => {
    const { calls, pruned } = pruning(answer(["a", "b"], false), answer([], false));
    const done = await pruned();
    expect(calls).toHaveLength(2);
    expect(done).toMatchObject({ changedIds: ["a", "b"], completed: false, userErrors: [{ code: "TIMEOUT" }] });
  });

  it("fails where the first call got nothing done", async () => {
    const { calls, pruned } = pruning(answer([], false));
    await expect(pruned()).rejects.toThrow("Not all was done. (TIMEOUT)");
    expect(calls).toHaveLength(1);
  });
});
