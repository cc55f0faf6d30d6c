import type { Client } from "urql";
import { describe, expect, it } from "vitest";
import { changeMany } from "./bulkChanges";

const IDS = ["a", "b", "c", "d", "e"];

type Sent = { ids: string[]; profile: string };

/** A server that gets two of the ids done in the time of a call; every call is noted. */
function slowServer(calls: string[][]): Client {
  const mutation = async (_: unknown, { input: { ids } }: { input: Sent }) => {
    calls.push(ids);
    const changedIds = ids.slice(0, 2);
    const isAll = changedIds.length === ids.length;
    const change = {
      changedIds,
      skipped: [],
      messageCount: 10 * changedIds.length,
      binIds: [`bin of ${changedIds.join(" ")}`],
      completed: isAll,
      userErrors: isAll ? [] : [{ code: "TIMEOUT", message: "Not all was done." }],
    };
    return { data: { change } };
  };
  return { mutation } as unknown as Client;
}

describe("a change of many that takes longer than one call", () => {
  it("goes on with the rest and is told as one", async () => {
    const calls: string[][] = [];
    const outcome = await changeMany(slowServer(calls), [{ profile: "default", ids: IDS }], "delete", () => undefined);
    expect(calls).toEqual([IDS, ["c", "d", "e"], ["e"]]);
    expect(outcome.changed.flatMap(({ ids }) => ids)).toEqual(IDS);
    expect(outcome.messages).toBe(50);
    expect(outcome.failures).toEqual([]);
    expect(outcome.bins.map(({ binId }) => binId)).toEqual(["bin of e", "bin of c d", "bin of a b"]);
  });

  it("ends where a call got nothing done", async () => {
    const change = { changedIds: [], skipped: [], messageCount: 0, binIds: [], completed: false, userErrors: [{ code: "TIMEOUT", message: "Too late." }] };
    const stuck = { mutation: async () => ({ data: { change } }) } as unknown as Client;
    const outcome = await changeMany(stuck, [{ profile: "default", ids: IDS }], "archive", () => undefined);
    expect(outcome.failures).toEqual([{ profile: "default", code: "TIMEOUT", message: "Too late." }]);
  });
});
