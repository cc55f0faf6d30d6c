/** One node of the tree: the lines that lead to it, its kind, its title, its own numbers and those with all below it. */
import { Icon } from "../../components/Icon";
import { KindGlyph } from "../../components/KindGlyph";
import { KINDS } from "../../components/kinds";
import { Money } from "../../components/Money";
import { age, count, dateAndTime, plural, tokens } from "../../lib/format";
import styles from "./LineageTree.module.css";
import type { TreeRow } from "./lineage";
import { costFigure, costWords, type Total } from "./totals";

const HEIGHT = 46;
const LEFT = 20;
const MIDDLE = 14;
const GLYPH = 9;

interface LineageRowProps {
  row: TreeRow;
  total: Total | undefined;
  step: number;
  isFolded: boolean;
  isOpen: boolean;
  /** Null where rows cannot be folded. */
  onFold: (() => void) | null;
}

export function LineageRow({ row, total, step, isFolded, isOpen, onFold }: LineageRowProps) {
  const { session } = row.node;
  const x = LEFT + row.lane * step;
  const moment = session.lastActiveAt ?? session.startedAt;
  return (
    <>
      <Lines row={row} step={step} goesOn={row.hasChildren && !isFolded} />
      <span className={styles.body} style={{ marginLeft: x - GLYPH }}>
        <KindGlyph kind={session.kind} live={session.isLive} />
        <span className={styles.title}>{session.displayTitle}</span>
        <span className={styles.number}>{tokens(session.usage.totalTokens)}</span>
        <span className={styles.number} data-wide>
          <OwnCost session={session} />
        </span>
        <span className={styles.facts}>
          <span className={styles.kind} data-kind={session.kind} title={session.kindReason}>
            {KINDS[session.kind].word}
          </span>
          {isOpen && <span className={styles.here}>open</span>}
          {session.isLive && <span className={styles.live}>live</span>}
          {session.archived && (
            <span title="Archived">
              <Icon name="archive" size={11} />
              <span className="visually-hidden">archived</span>
            </span>
          )}
          {row.missing > 0 && <span className={styles.missing}>{row.missing} below not drawn</span>}
          <span>{count(session.messageCount)} msg</span>
          {moment && <time dateTime={moment} title={dateAndTime(moment)}>{age(moment)}</time>}
        </span>
        {total && total.sessions > 1 && <Subtree total={total} />}
      </span>
      {row.hasChildren && onFold && (
        <button
          type="button"
          className={styles.fold}
          style={{ left: x - 12 }}
          tabIndex={-1}
          aria-hidden="true"
          title={isFolded ? `Unfold ${(total?.sessions ?? 1) - 1} below` : "Fold"}
          onClick={(event) => {
            event.stopPropagation();
            onFold();
          }}
        >
          <span className={styles.knob}>{isFolded ? "+" : "−"}</span>
        </button>
      )}
    </>
  );
}

/** In a column of figures an unknown cost is told in two words. */
function OwnCost({ session: { cost } }: { session: TreeRow["node"]["session"] }) {
  if (cost.usd === null) return <span className={styles.unknown}>no price</span>;
  return <Money cost={cost} />;
}

function Subtree({ total }: { total: Total }) {
  const told = `With all below: ${plural(total.sessions, "session")}, ${count(total.tokens)} tokens, ${costWords(total)}`;
  return (
    <>
      <span className={styles.number} data-sum title={told}>
        <span aria-hidden="true">
          Σ {total.isWhole ? "" : "≥ "}
          {tokens(total.tokens)}
        </span>
        <span className="visually-hidden">{told}</span>
      </span>
      <span className={styles.number} data-wide data-sum title={told} aria-hidden="true">
        {costFigure(total)}
      </span>
    </>
  );
}

/** The lines of the tree that pass or reach a row, one for each lane. */
function Lines({ row, step, goesOn }: { row: TreeRow; step: number; goesOn: boolean }) {
  const { lane, lines, isStraight, isLast, parent } = row;
  const x = (each: number) => LEFT + each * step;
  const paths = lines.map((passes, each) => (passes ? `M${x(each)} 0V${HEIGHT}` : ""));
  if (parent !== null && isStraight) paths.push(isLast ? `M${x(lane)} 0V${MIDDLE - GLYPH}` : `M${x(lane)} 0V${HEIGHT}`);
  if (parent !== null && !isStraight) {
    const from = x(lane - 1);
    const bend = Math.min(6, step / 2);
    paths.push(`M${from} 0V${MIDDLE - bend}Q${from} ${MIDDLE} ${from + bend} ${MIDDLE}H${x(lane) - GLYPH}`);
  }
  if (goesOn) paths.push(`M${x(lane)} ${MIDDLE + GLYPH}V${HEIGHT}`);
  return (
    <svg className={styles.lines} width={x(lane) + 1} height={HEIGHT} aria-hidden="true" focusable="false">
      <path d={paths.join("")} />
    </svg>
  );
}
