/** Over the foot of the list while something is selected: how much that is, and what can be done with all of it. */
import type { ReactNode } from "react";
import { useClient, useQuery } from "urql";
import type { Change } from "../../components/bulkChanges";
import { EXPORT_FORMATS, type ExportFormat } from "../../components/exportMany";
import { Icon, type IconName } from "../../components/Icon";
import { IconButton } from "../../components/IconButton";
import { Menu, MenuItem } from "../../components/Menu";
import { useBulkChange } from "../../components/useBulkChange";
import { useExportMany } from "../../components/useExportMany";
import { useToast } from "../../components/Toasts";
import { graphql } from "../../graphql/generated";
import type { ConversationListQueryVariables } from "../../graphql/generated/graphql";
import { type ActionId, ariaKeys } from "../../lib/actions";
import { count, plural } from "../../lib/format";
import { useAction } from "../../lib/useAction";
import type { ListView } from "../../lib/view";
import styles from "./BulkBar.module.css";
import { partsOf } from "./listParts";
import { known, type Selectable, type Selection } from "./selection";

const Writable = graphql(`
  query Writable {
    server { readOnly }
  }
`);

interface BulkBarProps {
  selection: Selection;
  nodes: readonly Selectable[];
  /** How many are selected, and how many match the list's filter. */
  size: number;
  total: number;
  archived: ListView["archived"];
  variables: Pick<ConversationListQueryVariables, "profiles" | "filter">;
  onSelectAll: () => void;
  onClear: () => void;
  /** A change of the selected ones begins; with `leaves` they go out of the list by it. */
  onStart: (change: Change, leaves: boolean) => void;
  /** It is over; with nothing changed they stay. */
  onEnd: (hasChanged: boolean) => void;
}

export function BulkBar(props: BulkBarProps) {
  const { selection, nodes, size, total, archived, variables, onStart, onEnd } = props;
  const client = useClient();
  const toast = useToast();
  const changeMany = useBulkChange();
  const exportMany = useExportMany();
  const [{ data }] = useQuery({ query: Writable });
  const isReadOnly = data?.server.readOnly ?? false;
  const seen = known(selection, nodes);
  const isSeenWhole = seen.length === size;
  const messages = isSeenWhole ? seen.reduce((sum, { messageCount }) => sum + messageCount, 0) : null;
  const hasArchived = archived !== "exclude" && (archived === "only" || !isSeenWhole || seen.some((each) => each.archived));
  const allArchived = archived === "only" || (isSeenWhole && seen.every((each) => each.archived));

  const start = (change: Change) => {
    if (size === 0) return;
    onStart(change, change === "delete" || archived === (change === "archive" ? "exclude" : "only"));
    void changeMany({ change, count: size, parts: () => partsOf(client, selection, variables, change), onUndo: () => onEnd(false) }).then(
      (changed) => onEnd(changed > 0),
      (error: Error) => {
        onEnd(false);
        toast({ text: error.message, tone: "bad" });
      },
    );
  };
  const save = (format: ExportFormat) => void exportMany(() => partsOf(client, selection, variables, null), size, format);

  useAction("list.archive", () => start(allArchived ? "bringBack" : "archive"), !isReadOnly);
  useAction("list.delete", () => start("delete"), !isReadOnly);

  return (
    <section className={styles.bar} aria-label="Selection">
      <div className={styles.line}>
        <output className={styles.size}>
          <strong>{selection.all && selection.picks.size === 0 ? `All ${count(size)} selected` : `${count(size)} selected`}</strong>
          {messages !== null && <span> · {plural(messages, "message")}</span>}
          {selection.all && selection.picks.size > 0 && <span> · all but {count(selection.picks.size)}</span>}
        </output>
        {!selection.all && size < total && (
          <button type="button" className={styles.all} aria-keyshortcuts={ariaKeys("list.selectAll")} onClick={props.onSelectAll}>
            Select all {count(total)}<span className="visually-hidden"> that match</span>
          </button>
        )}
        <IconButton icon="close" label="Select nothing" action="list.selectNone" onClick={props.onClear} />
      </div>
      {isReadOnly && <p className={styles.note}>This server is read-only: nothing can be changed.</p>}
      <div className={styles.line}>
        {!allArchived && <Button icon="archive" action="list.archive" hint="e" disabled={isReadOnly} onClick={() => start("archive")}>Archive</Button>}
        {hasArchived && (
          <Button icon="reset" action={allArchived ? "list.archive" : undefined} hint={allArchived ? "e" : undefined} disabled={isReadOnly} onClick={() => start("bringBack")}>
            Bring back
          </Button>
        )}
        <Button icon="trash" action="list.delete" hint="#" disabled={isReadOnly} onClick={() => start("delete")}>Delete</Button>
        <span className={styles.space} />
        <Menu align="end" trigger={<button type="button" className={styles.button}>Export <Icon name="down" size={12} /></button>}>
          {EXPORT_FORMATS.map(({ format, name }) => (
            <MenuItem key={format} onSelect={() => save(format)}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </section>
  );
}

interface ButtonProps {
  icon: IconName;
  action?: ActionId;
  hint?: string;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Button({ icon, action, hint, disabled, onClick, children }: ButtonProps) {
  return (
    <button type="button" className={styles.button} disabled={disabled} aria-keyshortcuts={action && ariaKeys(action)} onClick={onClick}>
      <Icon name={icon} size={14} />
      {children}
      {hint && <kbd className={styles.key} aria-hidden="true">{hint}</kbd>}
    </button>
  );
}
