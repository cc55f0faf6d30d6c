/** Changes of many conversations: one call for each profile or portion, what they did together, and how it is taken back. */
import type { Client, CombinedError } from "urql";
import { graphql } from "../graphql/generated";
import type { ConversationFilter } from "../graphql/generated/graphql";
import { toProblem } from "../graphql/problem";
import { RestoreSessions } from "./useConversationActions";

export const ArchiveMany = graphql(`
  mutation ArchiveMany($input: ArchiveSessionsInput!) {
    change: archiveSessions(input: $input) {
      changedIds
      skipped { id code reason }
      messageCount
      binIds
      completed
      userErrors { __typename code message path }
    }
  }
`);

export const DeleteMany = graphql(`
  mutation DeleteMany($input: DeleteSessionsInput!) {
    change: deleteSessions(input: $input) {
      changedIds
      skipped { id code reason }
      messageCount
      binIds
      completed
      userErrors { __typename code message path }
    }
  }
`);

/** What is changed in one profile: conversations by id, or all that match a filter. */
export type Part = { profile: string; ids: string[]; filter?: undefined } | { profile: string; ids?: undefined; filter: ConversationFilter };

export type Change = "archive" | "bringBack" | "delete";

export interface Skipped {
  profile: string;
  id: string;
  code: string;
  reason: string;
}

export interface Outcome {
  /** Ids of sessions, profile by profile. */
  changed: { profile: string; ids: string[] }[];
  messages: number;
  /** In the order in which they are restored: the latest deletion first. */
  bins: { profile: string; binId: string }[];
  skipped: Skipped[];
  /** What ended the change of a profile before all was done. */
  failures: { profile: string; code: string; message: string }[];
}

interface Answer {
  changedIds: string[];
  skipped: { id: string; code: string; reason: string }[];
  messageCount: number;
  binIds: string[];
  completed: boolean;
  userErrors: readonly { code: string; message: string }[];
}

/** Ids of one call: few enough for progress to show. */
const PORTION = 250;
const ATTEMPTS = 4;

export const sessionsOf = (outcome: Outcome): number => outcome.changed.reduce((sum, { ids }) => sum + ids.length, 0);

/** One after the other: a store takes one change at a time. */
const inTurn = <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> =>
  items.reduce((before, item) => before.then(() => work(item)), Promise.resolve());

/** Does a change part by part; `onDone` tells how many of the named ids are behind it. */
export async function changeMany(client: Client, parts: readonly Part[], change: Change, onDone: (done: number) => void): Promise<Outcome> {
  const outcome: Outcome = { changed: [], messages: 0, bins: [], skipped: [], failures: [] };
  let done = 0;
  await inTurn(inPortions(parts), async (part) => {
    // What ended the change of a profile would end its next portion too.
    if (outcome.failures.some(({ profile }) => profile === part.profile)) return;
    await changePart(client, part, change, outcome, ATTEMPTS);
    done += part.ids?.length ?? 0;
    onDone(done);
  });
  return outcome;
}

/** A server that takes its turns answers with what it got done in its time; the rest is asked for again. */
export const isOnTheWay = (answer: { changedIds: readonly string[]; userErrors: readonly { code: string }[] }): boolean =>
  answer.userErrors[0]?.code === "TIMEOUT" && answer.changedIds.length > 0;

/** What is not done yet is asked for again, as it is where a store was busy for a moment. */
async function changePart(client: Client, part: Part, change: Change, outcome: Outcome, attempts: number): Promise<void> {
  const { profile } = part;
  const answer = await send(client, part, change);
  const failure = answer.userErrors[0];
  outcome.changed.push({ profile, ids: answer.changedIds });
  outcome.messages += answer.messageCount;
  outcome.bins.unshift(...answer.binIds.map((binId) => ({ profile, binId })));
  const isBusy = failure?.code === "STORE_BUSY" && attempts > 1;
  if (isBusy || isOnTheWay(answer)) {
    const changed = new Set(answer.changedIds);
    const rest = part.ids ? { profile, ids: part.ids.filter((id) => !changed.has(id)) } : part;
    await changePart(client, rest, change, outcome, isBusy ? attempts - 1 : attempts);
    return;
  }
  for (const { id, code, reason } of answer.skipped) outcome.skipped.push({ profile, id, code, reason });
  if (failure) outcome.failures.push({ profile, code: failure.code, message: failure.message });
}

async function send(client: Client, { profile, ids, filter }: Part, change: Change): Promise<Answer> {
  const what = { profile, ids, filter, errorPolicy: "SKIP_FAILED" } as const;
  const { data, error } =
    change === "delete"
      ? await client.mutation(DeleteMany, { input: what })
      : await client.mutation(ArchiveMany, { input: { ...what, archived: change === "archive" } });
  if (data && !error) return data.change;
  const problem = error ? toProblem(error) : { code: "INTERNAL", message: "The server gave no answer." };
  return { changedIds: [], skipped: [], messageCount: 0, binIds: [], completed: false, userErrors: [problem] };
}

function inPortions(parts: readonly Part[]): Part[] {
  return parts.flatMap((part): Part[] => {
    if (!part.ids) return [part];
    const { profile, ids } = part;
    const starts = Array.from({ length: Math.ceil(ids.length / PORTION) }, (_, index) => index * PORTION);
    return starts.map((start) => ({ profile, ids: ids.slice(start, start + PORTION) }));
  });
}

/** Brings every bin entry back. What could not be, told in sentences. */
export async function restoreAll(client: Client, bins: Outcome["bins"]): Promise<string[]> {
  const failures: string[] = [];
  await inTurn(bins, async ({ profile, binId }) => {
    const { data, error } = await client.mutation(RestoreSessions, { input: { profile, binId } });
    failures.push(...sentences(profile, error, data?.restoreSessions));
  });
  return failures;
}

/** Gives back the flag of exactly the sessions that were changed. What could not be, told in sentences. */
export async function archiveBack(client: Client, changed: Outcome["changed"], archived: boolean): Promise<string[]> {
  const failures: string[] = [];
  await inTurn(inPortions(changed), async ({ profile, ids }) => {
    const { data, error } = await client.mutation(ArchiveMany, { input: { profile, ids, archived, scope: "SESSION", errorPolicy: "SKIP_FAILED" } });
    failures.push(...sentences(profile, error, data?.change));
  });
  return failures;
}

function sentences(profile: string, error: CombinedError | undefined, answer: Pick<Answer, "skipped" | "userErrors"> | undefined): string[] {
  const refused = error ? toProblem(error) : answer?.userErrors[0];
  return [
    ...(refused ? [`${profile}: ${refused.message} (${refused.code})`] : []),
    ...(answer?.skipped ?? []).map(({ id, code, reason }) => `${profile} ${id}: ${reason} (${code})`),
  ];
}
