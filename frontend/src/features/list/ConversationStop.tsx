/** A conversation as a row of the grid: its box for the selection, and what the list tells of it, or its title as a field. */
import type { CSSProperties, MouseEvent } from "react";
import { EditableTitle } from "../../components/EditableTitle";
import styles from "../../components/RowGrid.module.css";
import type { RefusedTitle } from "../../components/useConversationActions";
import type { ConversationListQuery } from "../../graphql/generated/graphql";
import { ConversationRow } from "./ConversationRow";
import { SelectBox } from "./SelectBox";

export type Node = NonNullable<ConversationListQuery["conversations"]>["edges"][number]["node"];

interface ConversationStopProps {
  id: string;
  node: Node;
  style: CSSProperties;
  rowIndex: number;
  isCurrent: boolean;
  isOpen: boolean;
  isSelected: boolean;
  /** Unfolded from the runs of a job. */
  isRun: boolean;
  showProfile: boolean;
  /** Null while its title is not being changed. */
  rename: ((title: string) => Promise<RefusedTitle | null>) | null;
  onRenamed: () => void;
  onPick: (event: MouseEvent) => void;
  onClick: (event: MouseEvent) => void;
}

export function ConversationStop({ node, ...row }: ConversationStopProps) {
  return (
    <div
      id={row.id}
      className={styles.row}
      style={row.style}
      role="row"
      aria-rowindex={row.rowIndex}
      aria-selected={row.isSelected}
      aria-current={row.isOpen || undefined}
      data-cursor={row.isCurrent || undefined}
      data-run={row.isRun ? "" : undefined}
      // A range is of rows, not of their text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={row.onClick}
    >
      <div role="gridcell" className={styles.cell}>
        <SelectBox title={node.displayTitle} checked={row.isSelected} onClick={row.onPick} />
        <ConversationRow
          conversation={node}
          showProfile={row.showProfile}
          isRun={row.isRun}
          editor={row.rename ? <EditableTitle draftKey={`list ${node.nodeId}`} title={node.title ?? ""} placeholder={node.displayTitle} onSave={row.rename} onClose={row.onRenamed} /> : undefined}
        />
      </div>
    </div>
  );
}
