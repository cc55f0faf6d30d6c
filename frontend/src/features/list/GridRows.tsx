/** The rows of the grid that are no conversation: names of groups, folded runs of a job, and rows that load more. */
import type { CSSProperties } from "react";
import { Icon } from "../../components/Icon";
import styles from "../../components/RowGrid.module.css";
import { count } from "../../lib/format";
import type { ListView } from "../../lib/view";
import { RunsRow, type RunsRow_Node } from "./RunsRow";
import type { ListRow, Section, Stop } from "./rows";

interface GroupHeaderProps {
  section: Section<unknown>;
  style: CSSProperties;
  onNarrow: (change: Partial<ListView>) => void;
}

export function GroupHeader({ section, style, onNarrow }: GroupHeaderProps) {
  const { name, title, nodes, total, narrow } = section;
  return (
    <div className={styles.day} style={style} role="row">
      <span role="rowheader" className={styles.group}>
        {narrow ? (
          // Not a tab stop: the filters do the same by keys.
          <button type="button" tabIndex={-1} className={styles.groupName} title={`Show ${title ?? name} alone`} onClick={() => onNarrow(narrow)}>
            <bdi>{name}</bdi>
          </button>
        ) : (
          <span className={styles.groupName}>{name}</span>
        )}
        <span className={styles.groupCount}>{groupCount(nodes.length, total)}</span>
      </span>
    </div>
  );
}

/** "12", "12+" while more may come, "…" before any came, "5 of 37". */
export function groupCount(loaded: number, total: number | null): string {
  if (total === null && loaded === 0) return "…";
  if (total === null) return `${count(loaded)}+`;
  return loaded < total ? `${count(loaded)} of ${count(total)}` : count(loaded);
}

interface StopRowProps<Node> {
  id: string;
  row: Exclude<Stop<Node>, Extract<ListRow<Node>, { type: "conversation" }>>;
  style: CSSProperties;
  rowIndex: number;
  isCurrent: boolean;
  showProfile: boolean;
  onPress: () => void;
}

export function StopRow<Node extends RunsRow_Node>({ id, row, style, rowIndex, isCurrent, showProfile, onPress }: StopRowProps<Node>) {
  return (
    <div
      id={id}
      className={styles.row}
      style={style}
      role="row"
      aria-rowindex={rowIndex}
      data-cursor={isCurrent || undefined}
      data-run={row.type === "more" && row.fold ? "" : undefined}
      onClick={onPress}
    >
      <div role="gridcell" className={styles.cell} aria-expanded={row.type === "fold" ? row.isOpen : undefined}>
        {row.type === "fold" ? (
          <RunsRow fold={row} showProfile={showProfile} />
        ) : (
          <span className={styles.more}>
            <Icon name={row.change ? "filter" : "down"} size={12} />
            <span>{row.label}</span>
          </span>
        )}
      </div>
    </div>
  );
}
