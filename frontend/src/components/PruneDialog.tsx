/** Deletes conversations that have long been quiet, after a look at exactly what would go. */
import { type FormEvent, useId, useState } from "react";
import { useClient, useQuery } from "urql";
import { graphql } from "../graphql/generated";
import type { ConversationFilter } from "../graphql/generated/graphql";
import { count, plural } from "../lib/format";
import { restoreAll } from "./bulkChanges";
import buttons from "./Buttons.module.css";
import { type Closing, DialogFrame } from "./DialogFrame";
import styles from "./PruneDialog.module.css";
import { PruneFacts } from "./PruneFacts";
import { prunedText } from "./pruneWords";
import { useToast } from "./Toasts";
import { type PruneWish, usePrune, usePrunePreview } from "./usePrune";

const PruneProfiles = graphql(`
  query PruneProfiles {
    profiles { nodeId name status isDefault }
    server { readOnly }
  }
`);

interface PruneDialogProps extends Closing {
  /** The profile to begin with; null for the first one. */
  profile: string | null;
  /** The filter that holds in a list, and its parts in words. */
  list?: { filter: ConversationFilter; words: readonly string[] };
}

const MOST_DAYS = 36_500;

export function PruneDialog({ profile: first, list, onClose, onClosed }: PruneDialogProps) {
  const client = useClient();
  const toast = useToast();
  const prune = usePrune();
  const [{ data }] = useQuery({ query: PruneProfiles });
  const [chosen, setChosen] = useState(first);
  const [typedDays, setTypedDays] = useState("90");
  const [usesFilter, setUsesFilter] = useState(false);
  const [includeArchived, setIncludeArchived] = useState(false);
  const [permanent, setPermanent] = useState(false);
  const [typedCount, setTypedCount] = useState("");
  const [isBusy, setBusy] = useState(false);
  const note = useId();

  const profiles = (data?.profiles ?? []).filter(({ status }) => status !== "EMPTY");
  const profile = chosen ?? profiles[0]?.name ?? null;
  const isReadOnly = data?.server.readOnly ?? false;
  const days = /^\d+$/.test(typedDays) && Number(typedDays) <= MOST_DAYS ? Number(typedDays) : null;
  const filter = usesFilter && list ? list.filter : null;
  const knowsArchived = filter !== null && (filter.archived ?? "EXCLUDE") !== "EXCLUDE";
  const wish: PruneWish | null =
    data === undefined || profile === null || days === null || isReadOnly ? null : { profile, days, filter, includeArchived: includeArchived && !knowsArchived };
  const { preview, problem, isOld } = usePrunePreview(wish);
  const sessions = preview?.pruned.sessionCount ?? 0;
  const isConfirmed = !permanent || typedCount.trim() === String(sessions);
  const isReady = wish !== null && preview !== null && !isOld && problem === null && sessions > 0 && isConfirmed && !isBusy;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setBusy(true);
    try {
      const pruned = await prune(wish, permanent);
      const undo = async () => {
        const failures = await restoreAll(client, pruned.binIds.map((binId) => ({ profile: wish.profile, binId })));
        if (failures.length > 0) toast({ text: "Not all could be brought back", tone: "bad", details: failures });
        else toast({ text: `Brought back ${plural(pruned.sessionCount, "session")}` });
      };
      const details = [...pruned.userErrors.map(({ code, message }) => `${message} (${code})`), ...pruned.skipped.map(({ id, code, reason }) => `${id}: ${reason} (${code})`)];
      toast({ text: prunedText(pruned, preview.pruned), details, undo: pruned.binIds.length > 0 ? () => void undo() : undefined });
      onClose();
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : "Nothing was deleted.", tone: "bad" });
      setBusy(false);
    }
  };

  return (
    <DialogFrame title="Prune old conversations" describedBy={note} onOpen={focusDays} onClose={onClose} onClosed={onClosed}>
      <p id={note} className={styles.note}>
        {isReadOnly
          ? "This server is read-only: nothing can be deleted. Start it without --read-only to prune."
          : "Deletes conversations that were not active for a while, with their subagents. Live and busy ones are spared."}
      </p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <label className={styles.field}>
          <span>Profile</span>
          <select value={profile ?? ""} disabled={isReadOnly} onChange={(event) => setChosen(event.target.value)}>
            {profiles.map(({ nodeId, name }) => (
              <option key={nodeId}>{name}</option>
            ))}
          </select>
        </label>
        <label className={styles.field}>
          <span>Not active for</span>
          <span className={styles.days}>
            <input data-first inputMode="numeric" value={typedDays} disabled={isReadOnly} aria-invalid={days === null} aria-label="Not active for, in days" onChange={(event) => setTypedDays(event.target.value.trim())} />
            days
          </span>
        </label>
        {list && (
          <label className={styles.check}>
            <input type="checkbox" checked={usesFilter} disabled={isReadOnly} onChange={(event) => setUsesFilter(event.target.checked)} />
            <span>
              Only what matches the list’s filter
              <small>{list.words.join(" · ") || "which leaves nothing out but empty ones"}</small>
            </span>
          </label>
        )}
        <label className={styles.check}>
          <input type="checkbox" checked={includeArchived || knowsArchived} disabled={isReadOnly || knowsArchived} onChange={(event) => setIncludeArchived(event.target.checked)} />
          <span>Archived ones too</span>
        </label>
        {!isReadOnly && <PruneFacts preview={preview} problem={days === null ? TOO_MANY_DAYS : problem} isOld={isOld} />}
        <label className={styles.check}>
          <input type="checkbox" checked={permanent} disabled={isReadOnly || sessions === 0} onChange={(event) => setPermanent(event.target.checked)} />
          <span>
            Delete for good
            <small>Nothing is kept in the bin: there is no way back.</small>
          </span>
        </label>
        {permanent && sessions > 0 && (
          <label className={styles.field}>
            <span>Type {sessions} to confirm</span>
            <input inputMode="numeric" value={typedCount} autoComplete="off" onChange={(event) => setTypedCount(event.target.value)} />
          </label>
        )}
        <footer className={buttons.row}>
          <button type="button" className={buttons.plain} onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className={buttons.danger} disabled={!isReady}>
            {isBusy ? "Deleting…" : sessions > 0 && !isReadOnly ? `Delete ${count(sessions)} ${sessions === 1 ? "session" : "sessions"}${permanent ? " for good" : ""}` : "Delete"}
          </button>
        </footer>
      </form>
    </DialogFrame>
  );
}

/** The number of days is what one comes to type; where nothing can be changed, closing is left. */
function focusDays(event: Event): void {
  const days = (event.currentTarget as HTMLElement).querySelector<HTMLInputElement>("[data-first]:not(:disabled)");
  if (!days) return;
  event.preventDefault();
  days.select();
}

const TOO_MANY_DAYS = { code: "BAD_USER_INPUT", message: `Give a whole number of days, 0 to ${MOST_DAYS.toLocaleString("en")}.` };
