/** What pruning would take, asked while one types, and the pruning itself. */
import { useCallback, useEffect, useState } from "react";
import { useClient } from "urql";
import { graphql } from "../graphql/generated";
import type { ConversationFilter, PrunePreviewMutation, PruneSessionsInput } from "../graphql/generated/graphql";
import { type Problem, toProblem } from "../graphql/problem";
import { isOnTheWay } from "./bulkChanges";

const DAY = 24 * 60 * 60 * 1000;
const REST = 300;

const PrunePreview = graphql(`
  mutation PrunePreview($input: PruneSessionsInput!) {
    pruneSessions(input: $input) {
      changedIds
      detachedIds
      skipped { id code reason }
      sessionCount
      messageCount
      bytes
      cost { ...Money_cost }
      binIds
      completed
      userErrors { __typename code message path }
    }
  }
`);

const PruneSpan = graphql(`
  query PruneSpan($profile: String!, $filter: ConversationFilter) {
    oldest: conversations(profiles: [$profile], first: 1, filter: $filter, orderBy: { field: LAST_ACTIVE, direction: ASC }) {
      totalCount
      edges { node { nodeId lastActiveAt } }
    }
    newest: conversations(profiles: [$profile], first: 1, filter: $filter, orderBy: { field: LAST_ACTIVE, direction: DESC }) {
      edges { node { nodeId lastActiveAt } }
    }
  }
`);

export type Pruned = PrunePreviewMutation["pruneSessions"];

export interface Preview {
  pruned: Pruned;
  conversations: number | null;
  oldest: string | null;
  newest: string | null;
}

export interface PruneWish {
  profile: string;
  days: number;
  filter: ConversationFilter | null;
  includeArchived: boolean;
}

const toInput = ({ profile, days, filter, includeArchived }: PruneWish): PruneSessionsInput => ({ profile, olderThanDays: days, filter, includeArchived });

/** The filter of the list whose conversations the same pruning would take. */
function toFilter({ days, filter, includeArchived }: PruneWish): ConversationFilter {
  const before = new Date(Date.now() - days * DAY).toISOString();
  const activeBefore = filter?.activeBefore && filter.activeBefore < before ? filter.activeBefore : before;
  const archived = includeArchived && (filter?.archived ?? "EXCLUDE") === "EXCLUDE" ? "INCLUDE" : filter?.archived;
  return { ...filter, activeBefore, archived };
}

type State = { key: string; preview?: Preview; problem?: Pick<Problem, "code" | "message"> };

/** Null wish: nothing to ask. A late answer to an earlier wish is dropped. */
export function usePrunePreview(wish: PruneWish | null) {
  const client = useClient();
  const [state, setState] = useState<State | null>(null);
  const key = wish && JSON.stringify(wish);

  useEffect(() => {
    if (key === null) return undefined;
    let isLate = false;
    const ask = async () => {
      const asked = JSON.parse(key) as PruneWish;
      const [dry, span] = await Promise.all([
        client.mutation(PrunePreview, { input: { ...toInput(asked), dryRun: true } }),
        client.query(PruneSpan, { profile: asked.profile, filter: toFilter(asked) }, { requestPolicy: "network-only" }),
      ]);
      if (isLate) return;
      const problem = dry.error ? toProblem(dry.error) : dry.data?.pruneSessions.userErrors[0];
      if (problem || !dry.data) {
        setState({ key, problem: problem ?? { code: "INTERNAL", message: "The server gave no answer." } });
        return;
      }
      const { oldest, newest } = span.data ?? {};
      setState({
        key,
        preview: {
          pruned: dry.data.pruneSessions,
          conversations: oldest?.totalCount ?? null,
          oldest: oldest?.edges[0]?.node.lastActiveAt ?? null,
          newest: newest?.edges[0]?.node.lastActiveAt ?? null,
        },
      });
    };
    const timer = setTimeout(() => void ask(), REST);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [client, key]);

  return { preview: state?.preview ?? null, problem: state?.key === key ? (state?.problem ?? null) : null, isOld: state?.key !== key };
}

/** What went in one call and in the next one, whose bin entries are restored first. */
const together = (before: Pruned, after: Pruned): Pruned => ({
  ...after,
  changedIds: [...before.changedIds, ...after.changedIds],
  sessionCount: before.sessionCount + after.sessionCount,
  messageCount: before.messageCount + after.messageCount,
  bytes: before.bytes + after.bytes,
  binIds: [...after.binIds, ...before.binIds],
});

/** Prunes, in as many calls as it takes; throws an error with a sentence when nothing was done. */
export function usePrune() {
  const client = useClient();
  return useCallback(
    async (wish: PruneWish, permanent: boolean): Promise<Pruned> => {
      const prune = async (before: Pruned | null): Promise<Pruned> => {
        const { data, error } = await client.mutation(PrunePreview, { input: { ...toInput(wish), permanent } });
        const pruned = data?.pruneSessions;
        const problem = error ? toProblem(error) : pruned?.userErrors[0];
        if (!pruned || (problem && pruned.sessionCount === 0)) {
          if (before) return before; // it says itself that it is not all
          throw new Error(problem ? `${problem.message} (${problem.code})` : "The server gave no answer.");
        }
        const done = before ? together(before, pruned) : pruned;
        return isOnTheWay(pruned) ? prune(done) : done;
      };
      return prune(null);
    },
    [client],
  );
}
