/** One node of the tree: the lines that lead to it, its kind, its title, its own cost and that of all below it. */
import { Icon } from "../../components/Icon";
import { KindGlyph } from "../../components/KindGlyph";
import { KINDS } from "../../components/kinds";
import { Money } from "../../components/Money";
import { plural, tokens, usd } from "../../lib/format";
import styles from "./LineageTree.module.css";
import type { TreeRow } from "./lineage";

const HEIGHT = 46;
const LEFT = 20;
const MIDDLE = 15;
const GLYPH = 9;

interface LineageRowProps {
  row: TreeRow;
  step: number;
  isFolded: boolean;
  onFold: () => void;
}

export function LineageRow({ row, step, isFolded, onFold }: LineageRowProps) {
  const { session } = row.node;
  const { subtree } = row;
  const hasChildren = subtree.sessions > 1;
  return (
    <>
      <Lines row={row} step={step} hasChildren={hasChildren && !isFolded} />
      <span className={styles.body} style={{ marginLeft: LEFT + row.depth * step - GLYPH }}>
        <KindGlyph kind={session.kind} live={session.isLive} />
        <span className={styles.title}>{session.displayTitle}</span>
        <span className={styles.facts} title={session.kindReason}>
          <span className={styles.kind} data-kind={session.kind}>
            {KINDS[session.kind].word}
          </span>
          <span>{session.messageCount} msg</span>
          <span>{tokens(session.usage.totalTokens)} tok</span>
          <Money cost={session.cost} />
          {hasChildren && subtree.usd !== null && (
            <span title={`${plural(subtree.sessions, "session")}, ${tokens(subtree.tokens)} tokens, this one included`}>
              Σ {usd(subtree.usd)}
              {subtree.unknownSessions > 0 && " + ?"}
            </span>
          )}
        </span>
      </span>
      {hasChildren && (
        <button
          type="button"
          className={styles.fold}
          tabIndex={-1}
          aria-label={isFolded ? `Unfold ${subtree.sessions - 1} below` : "Fold"}
          onClick={(event) => {
            event.stopPropagation();
            onFold();
          }}
        >
          <Icon name={isFolded ? "chevron" : "down"} size={12} />
        </button>
      )}
    </>
  );
}

/** The lines of the tree that pass or reach a row, one column for each level above it. */
function Lines({ row, step, hasChildren }: { row: TreeRow; step: number; hasChildren: boolean }) {
  const { depth, lines, isLast } = row;
  const x = (level: number) => LEFT + level * step;
  const own = x(depth - 1);
  const paths = lines.map((passes, level) => (passes ? `M${x(level)} 0V${HEIGHT}` : ""));
  if (depth > 0) paths.push(`M${own} 0V${MIDDLE - 5}Q${own} ${MIDDLE} ${own + Math.min(5, step / 2)} ${MIDDLE}H${x(depth) - GLYPH}`);
  if (depth > 0 && !isLast) paths.push(`M${own} 0V${HEIGHT}`);
  if (hasChildren) paths.push(`M${x(depth)} ${MIDDLE + GLYPH}V${HEIGHT}`);
  return (
    <svg className={styles.lines} width={x(depth) + 1} height={HEIGHT} aria-hidden="true" focusable="false">
      <path d={paths.join("")} />
    </svg>
  );
}
