/** The steps of an import: a file is chosen, what would come in is told, it comes in, and may be taken back. */
import { useEffect, useRef, useState } from "react";
import { useClient } from "urql";
import { toProblem } from "../graphql/problem";
import { plural } from "../lib/format";
import type { ImportSessionsMutation } from "../graphql/generated/graphql";
import { DeleteMany } from "./bulkChanges";
import { ImportSessions, refuseFile, refuseText, requestBytes, USUAL_LIMIT } from "./importing";

export type ImportAnswer = ImportSessionsMutation["importSessions"];

export type Step =
  | { type: "choosing"; refusal: string | null }
  /** The file is larger than servers take unless they are set to. */
  | { type: "large"; file: File; text: string }
  | { type: "working"; file: File; words: string }
  | { type: "previewed"; file: File; text: string; profile: string; answer: ImportAnswer }
  | { type: "failed"; file: File; text: string; message: string }
  | { type: "done"; file: File; profile: string; answer: ImportAnswer; deleted: string | null };

const CHOOSING: Step = { type: "choosing", refusal: null };

/** `profile` is null until it is known which there are. */
export function useImport(profile: string | null) {
  const client = useClient();
  const [step, setStep] = useState<Step>(CHOOSING);
  // An answer to an earlier file or profile comes too late.
  const turn = useRef(0);

  async function choose(file: File, note = ""): Promise<void> {
    turn.current += 1;
    const mine = turn.current;
    const refused = refuseFile(file);
    if (refused) return setStep({ type: "choosing", refusal: refused });
    setStep({ type: "working", file, words: `Reading ${file.name}…${note}` });
    const text = await file.text().catch(() => null);
    if (mine !== turn.current) return undefined;
    const unreadable = text === null ? `“${file.name}” cannot be read. Was it moved or deleted?` : refuseText(file.name, text);
    if (text === null || unreadable) return setStep({ type: "choosing", refusal: unreadable });
    if (requestBytes(text) > USUAL_LIMIT) return setStep({ type: "large", file, text });
    return preview(file, text);
  }

  async function send(text: string, into: string, dryRun: boolean) {
    const { data, error } = await client.mutation(ImportSessions, { input: { document: text, profile: into, dryRun } });
    const answer = data?.importSessions;
    const [refused] = answer?.userErrors ?? [];
    if (answer && (!refused || answer.sessionCount > 0)) return { answer, message: "" };
    const { code, message } = refused ?? (error ? toProblem(error) : { code: "INTERNAL", message: "The server gave no answer." });
    const what = code === "BAD_USER_INPUT" ? "This is no export that can be imported. " : "";
    return { answer: null, message: `${what}${message} (${code})` };
  }

  async function preview(file: File, text: string, into = profile): Promise<void> {
    if (into === null) return;
    turn.current += 1;
    const mine = turn.current;
    setStep({ type: "working", file, words: "Looking at what would come in…" });
    const { answer, message } = await send(text, into, true);
    if (mine !== turn.current) return;
    setStep(answer ? { type: "previewed", file, text, profile: into, answer } : { type: "failed", file, text, message });
  }

  async function importNow(): Promise<void> {
    if (step.type !== "previewed") return;
    const { file, text, profile: into } = step;
    turn.current += 1;
    setStep({ type: "working", file, words: `Importing into ${into}…` });
    const { answer, message } = await send(text, into, false);
    setStep(answer ? { type: "done", file, profile: into, answer, deleted: null } : { type: "failed", file, text, message });
  }

  async function takeBack(): Promise<void> {
    if (step.type !== "done") return;
    const input = { profile: step.profile, ids: step.answer.importedIds, errorPolicy: "SKIP_FAILED" as const, scope: "SESSION" as const };
    const { data, error } = await client.mutation(DeleteMany, { input });
    const refused = data?.change.userErrors[0] ?? (error && toProblem(error));
    const left = data?.change.skipped.length ?? 0;
    const kept = left > 0 ? `, ${left} could not be deleted` : "";
    setStep({ ...step, deleted: refused ? `${refused.message} (${refused.code})` : `Deleted again: ${plural(data?.change.changedIds.length ?? 0, "session")}, now in the bin${kept}.` });
  }

  // Another profile answers otherwise: what is there already is skipped.
  const shown = step.type === "previewed" ? step.profile : null;
  useEffect(() => {
    if (step.type === "previewed" && profile !== null && shown !== profile) void preview(step.file, step.text);
    // oxlint-disable-next-line react/exhaustive-deps -- only the choice of another profile asks again
  }, [profile]);

  const startAgain = () => {
    turn.current += 1;
    setStep(CHOOSING);
  };
  return { step, choose, preview, importNow, takeBack, startAgain };
}
