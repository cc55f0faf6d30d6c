/** Asks for what a prune would take; a late answer to an earlier question is dropped. */
import { useEffect, useState } from "react";
import { useClient } from "urql";
import type { PreviewPruneMutation } from "../../graphql/generated/graphql";
import { type Problem, problem, toProblem } from "../../graphql/problem";
import { PreviewPrune } from "./storesQueries";

type Preview = PreviewPruneMutation["pruneSessions"];
interface Answer {
  key: string;
  preview: Preview | null;
  refused: Problem | null;
}

export function usePreview(profile: string, age: string) {
  const client = useClient();
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const key = `${profile} ${age} ${round}`;
  useEffect(() => {
    let isWanted = true;
    const ask = async () => {
      const { data, error } = await client.mutation(PreviewPrune, { input: { profile, olderThanDays: Number(age), dryRun: true } });
      const refusal = data?.pruneSessions.userErrors[0];
      const refused = error ? toProblem(error) : refusal ? problem(refusal.code, refusal.message) : null;
      if (isWanted) setAnswer({ key, preview: refused ? null : (data?.pruneSessions ?? null), refused });
    };
    void ask();
    return () => {
      isWanted = false;
    };
  }, [client, profile, age, key]);
  const current = answer?.key === key ? answer : null;
  return { preview: current?.preview ?? null, refused: current?.refused ?? null, retry: () => setRound(round + 1) };
}
