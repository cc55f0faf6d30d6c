/** What would go if the store were pruned: asked for without changing anything. */
import { useState } from "react";
import { useQuery } from "urql";
import { PageSkeleton } from "../../components/PageFrame";
import { ProblemPane } from "../../components/ProblemPane";
import { Segments } from "../../components/Segments";
import type { PreviewPruneMutation } from "../../graphql/generated/graphql";
import { bytes, plural } from "../../lib/format";
import { PruneChances } from "./storesQueries";
import styles from "./StoresPage.module.css";
import { usePreview } from "./usePreview";

export type Preview = Pick<PreviewPruneMutation["pruneSessions"], "sessionCount" | "messageCount" | "bytes" | "detachedIds" | "skipped">;
export type Age = "30" | "90" | "180" | "365";

const AGES: Record<Age, string> = { "30": "30 days", "90": "90 days", "180": "180 days", "365": "365 days" };

/** The whole of it: what goes, what loses its parent, what stays because it is in use. */
export function previewText({ sessionCount, messageCount, bytes: size, detachedIds, skipped }: Preview, age: Age): string {
  const what = `of the conversations that were not active for ${AGES[age]} and are not archived`;
  const goes = sessionCount === 0 ? `Nothing would go ${what}.` : `${plural(sessionCount, "session")} with ${plural(messageCount, "message")}, ${bytes(size)} of text, would go ${what}.`;
  const detached = detachedIds.length > 0 && `${plural(detachedIds.length, "child", "children")} of theirs would stay and lose the link to the parent.`;
  const busy = skipped.length > 0 && `${plural(skipped.length, "session")} would be spared: ${skipped[0]?.reason ?? ""}`;
  return [goes, detached, busy, "Nothing has been deleted."].filter(Boolean).join(" ");
}

export function PrunePreview({ profile }: { profile: string }) {
  const [{ data }] = useQuery({ query: PruneChances });
  const [age, setAge] = useState<Age>("90");
  if (!data) return <PageSkeleton label="Asking whether the server may prune" rows={1} />;
  if (data.server.readOnly) return <p className={styles.advice}>This server is read-only: it prunes nothing, and does not work out what would go. Start it without --read-only to see that.</p>;
  return (
    <div className={styles.prune}>
      <Segments label={`Not active in ${profile} for`} names={AGES} value={age} onChange={setAge} />
      <Answer profile={profile} age={age} />
    </div>
  );
}

function Answer({ profile, age }: { profile: string; age: Age }) {
  const { preview, refused, retry } = usePreview(profile, age);
  if (refused) return <ProblemPane problem={refused} onRetry={retry} />;
  if (!preview) return <PageSkeleton label={`Working out what would go from ${profile}`} rows={1} />;
  return <p role="status">{previewText(preview, age)}</p>;
}
