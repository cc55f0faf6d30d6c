/** Exports many conversations as one download, and tells how it goes. */
import { useCallback } from "react";
import { plural } from "../lib/format";
import type { Part } from "./bulkChanges";
import { conversations } from "./bulkWords";
import { type ExportFormat, saveFile, writeMany } from "./exportMany";
import { goingOn } from "./goingOn";
import { useToast } from "./Toasts";

export function useExportMany() {
  const toast = useToast();
  return useCallback(
    async (parts: () => Promise<Part[]>, count: number, format: ExportFormat): Promise<void> => {
      const note = goingOn(toast, `Exporting ${conversations(count)}…`);
      try {
        const { file, failures } = await writeMany(await parts(), format, (done) => note.progress(done / count));
        if (file.size > 0) saveFile(file, `conversations-${new Date().toISOString().slice(0, 10)}.${format}`);
        const left = failures.length > 0 ? ` · ${plural(failures.length, "was", "were")} left` : "";
        toast({ text: `Exported ${conversations(count - failures.length)}${left}`, tone: left ? "bad" : "plain", details: failures });
      } catch (error) {
        toast({ text: error instanceof Error ? error.message : "The export failed.", tone: "bad" });
      } finally {
        note.dismiss();
      }
    },
    [toast],
  );
}
