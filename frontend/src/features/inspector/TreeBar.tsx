/** Over the tree: what its columns hold, and what of it is drawn. */
import styles from "./LineageTree.module.css";

interface TreeBarProps {
  isPath: boolean;
  canFold: boolean;
  isFolded: boolean;
  onPath: () => void;
  onFoldAll: () => void;
}

export function TreeBar({ isPath, canFold, isFolded, onPath, onFoldAll }: TreeBarProps) {
  return (
    <div className={styles.bar}>
      <span className={styles.tools}>
        <button type="button" className={styles.tool} aria-pressed={isPath} disabled={!canFold && !isPath} onClick={onPath} title="Only this session and those that led to it">
          Path to the root
        </button>
        <button type="button" className={styles.tool} disabled={isPath || !canFold} onClick={onFoldAll}>
          {isFolded ? "Unfold all" : "Fold all"}
        </button>
      </span>
      <span className={styles.column} title="Of the session; with Σ: with all below it">
        Tokens
      </span>
      <span className={styles.column} data-wide title="Of the session; with Σ: with all below it">
        Cost
      </span>
    </div>
  );
}
