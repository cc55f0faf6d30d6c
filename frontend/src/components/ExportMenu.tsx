/** Takes a conversation, or one session of it, away: as a file in each format, or as Markdown to paste. */
import type { ActionId } from "../lib/actions";
import { EXPORT_FORMATS, type ExportFormat, type ExportTarget } from "../lib/download";
import { bytes } from "../lib/format";
import { useAction } from "../lib/useAction";
import styles from "./ExportMenu.module.css";
import { IconButton } from "./IconButton";
import { Menu, MenuItem, MenuLabel, MenuLine } from "./Menu";
import { type ExportProgress, useExport } from "./useExport";

export const FORMAT_NAMES: Record<ExportFormat, string> = { md: "Markdown", html: "Web page", json: "JSON", jsonl: "JSON lines" };

export function ExportMenu({ target, label }: { target: ExportTarget; label: string }) {
  const { download, copyMarkdown, progress, cancel } = useExport();
  const copy = () => void copyMarkdown(target);
  useAction("export.copy", copy);
  return (
    <>
      <Menu align="end" trigger={<IconButton icon="download" label={label} />}>
        <MenuLabel>{label}</MenuLabel>
        {EXPORT_FORMATS.map((format) => (
          <MenuItem key={format} icon="download" note={`.${format}`} onSelect={() => void download([target], format)}>
            {FORMAT_NAMES[format]}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem icon="copy" onSelect={copy}>
          Copy as Markdown
        </MenuItem>
      </Menu>
      {EXPORT_FORMATS.map((format) => (
        <Answer key={format} action={`export.${format}`} run={() => void download([target], format)} />
      ))}
      {progress && <ProgressNote progress={progress} onCancel={cancel} />}
    </>
  );
}

function Answer({ action, run }: { action: ActionId; run: () => void }) {
  useAction(action, run);
  return null;
}

/** How far an export is that takes long; how large it will be, nobody knows. */
export function ProgressNote({ progress, onCancel }: { progress: ExportProgress; onCancel: () => void }) {
  const place = progress.total > 1 ? `, ${progress.position} of ${progress.total}` : "";
  return (
    <div className={styles.note} role="status">
      <span className={styles.text}>
        Exporting{place}: {bytes(progress.bytes)} so far
      </span>
      <button type="button" className={styles.cancel} onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
