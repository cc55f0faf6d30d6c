/** Exports conversations into files or the clipboard, and says how it went; for one or many. */
import { useCallback, useRef, useState } from "react";
import { copyText } from "../lib/clipboard";
import { type Exported, ExportError, type ExportFormat, type ExportTarget, fetchExport, saveFile } from "../lib/download";
import { bytes, plural } from "../lib/format";
import { useToast } from "./Toasts";

/** Bytes that have come of the export that runs, and which of how many it is. */
export interface ExportProgress {
  bytes: number;
  position: number;
  total: number;
}

const LONG = 700;
const JOINED_NAME = "conversations.jsonl";

/** JSON lines are one file for all, which imports as one; every other format is a file for each. */
async function save(exported: readonly Exported[], format: ExportFormat): Promise<void> {
  if (format !== "jsonl" || exported.length === 1) exported.forEach(saveFile);
  else saveFile({ blob: new Blob(exported.map(({ blob }) => blob)), fileName: JOINED_NAME });
}

export function useExport() {
  const toast = useToast();
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const running = useRef<AbortController | null>(null);

  /** Null when it failed or was cancelled, which the person is told or knows. */
  const gather = useCallback(
    async (targets: readonly ExportTarget[], format: ExportFormat): Promise<Exported[] | null> => {
      running.current?.abort();
      const mine = new AbortController();
      running.current = mine;
      const began = performance.now();
      const exported: Exported[] = [];
      const tell = (come: number) => {
        const isLong = performance.now() - began > LONG;
        if (isLong && !mine.signal.aborted) setProgress({ bytes: come, position: exported.length + 1, total: targets.length });
      };
      try {
        for (const target of targets) {
          // One after the other: each is read from the store as a whole.
          // oxlint-disable-next-line no-await-in-loop
          exported.push(await fetchExport(target, format, { onBytes: tell, signal: mine.signal }));
        }
        return exported;
      } catch (error) {
        if (error instanceof ExportError) toast({ text: `Not exported: ${error.message}`, tone: "bad" });
        else if (!mine.signal.aborted) throw error;
        return null;
      } finally {
        if (running.current === mine) setProgress(null);
      }
    },
    [toast],
  );

  const download = useCallback(
    async (targets: readonly ExportTarget[], format: ExportFormat): Promise<void> => {
      const exported = await gather(targets, format);
      if (!exported) return;
      await save(exported, format);
      const size = bytes(exported.reduce((sum, { blob }) => sum + blob.size, 0));
      const [only] = exported;
      toast({ text: exported.length === 1 && only ? `Saved ${only.fileName} (${size})` : `Saved ${plural(exported.length, "conversation")} (${size})` });
    },
    [gather, toast],
  );

  const copyMarkdown = useCallback(
    async (target: ExportTarget): Promise<void> => {
      const [exported] = (await gather([target], "md")) ?? [];
      if (!exported) return;
      const isCopied = await copyText(await exported.blob.text());
      toast(isCopied ? { text: `Copied as Markdown (${bytes(exported.blob.size)})` } : { text: "The browser did not allow copying", tone: "bad" });
    },
    [gather, toast],
  );

  const cancel = useCallback(() => {
    running.current?.abort();
    setProgress(null);
  }, []);

  return { download, copyMarkdown, progress, cancel };
}
