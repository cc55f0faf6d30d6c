/** The bins of several profiles as one: a query for each, so that one that fails leaves the others. */
import { useEffect, useMemo, useState } from "react";
import { type OperationResult, useClient } from "urql";
import { pipe, subscribe } from "wonka";
import { readFragment } from "../../graphql/generated";
import type { BinOfQuery, BinRow_EntryFragment } from "../../graphql/generated/graphql";
import { toProblem } from "../../graphql/problem";
import { BIN_SIZE, BinOf, BinRowFragment } from "./binQueries";

type Answers = Record<string, OperationResult<BinOfQuery>>;

export interface Bins {
  /** Newest first. */
  entries: BinRow_EntryFragment[];
  failures: { profile: string; code: string; message: string }[];
  /** Profiles that may hold more than was asked for. */
  cut: string[];
  /** Some profile has not answered yet. */
  isWaiting: boolean;
  isOld: boolean;
  retry: () => void;
}

export function useBins(profiles: readonly string[]): Bins {
  const client = useClient();
  const [answers, setAnswers] = useState<Answers>({});
  const [round, setRound] = useState(0);
  const key = profiles.join(" ");

  useEffect(() => {
    const leaves = key.split(" ").filter(Boolean).map((profile) =>
      pipe(
        client.query(BinOf, { profile, first: BIN_SIZE }, { requestPolicy: "cache-and-network" }),
        subscribe((result) => setAnswers((before) => ({ ...before, [profile]: result }))),
      ),
    );
    return () => leaves.forEach(({ unsubscribe }) => unsubscribe());
    // oxlint-disable-next-line react/exhaustive-deps -- another round asks again
  }, [client, key, round]);

  return useMemo(() => ({ ...combine(key.split(" ").filter(Boolean), answers), retry: () => setRound((count) => count + 1) }), [key, answers]);
}

export function combine(profiles: readonly string[], answers: Answers): Omit<Bins, "retry"> {
  const asked = profiles.map((profile) => ({ profile, answer: answers[profile] }));
  const bins = asked.map(({ profile, answer }) => ({ profile, entries: (answer?.data?.bin ?? []).map((entry) => readFragment(BinRowFragment, entry)) }));
  return {
    entries: bins.flatMap(({ entries }) => entries).toSorted((a, b) => b.deletedAt.localeCompare(a.deletedAt)),
    failures: asked.flatMap(({ profile, answer }) => (answer?.error ? [{ profile, ...toProblem(answer.error) }] : [])),
    cut: bins.filter(({ entries }) => entries.length >= BIN_SIZE).map(({ profile }) => profile),
    isWaiting: asked.some(({ answer }) => answer === undefined),
    isOld: asked.some(({ answer }) => answer?.stale),
  };
}
