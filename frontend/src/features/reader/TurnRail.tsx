/** The whole transcript as a rail: what stands where, what is in sight, and the way there. */
import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from "react";
import { plural } from "../../lib/format";
import { type Mark, nearestMark, ticksOf } from "./outline";
import { MARK_NAMES, markText } from "./markText";
import type { InSight } from "./Transcript";
import styles from "./TurnRail.module.css";

interface TurnRailProps {
  marks: readonly Mark[];
  total: number;
  inSight: InSight | null;
  onGo: (messageId: string) => void;
}

const SLOTS = 240;
/** How far from a mark the pointer still means it, as a part of the rail. */
const REACH = 1 / 60;

export function TurnRail({ marks, total, inSight, onGo }: TurnRailProps) {
  const rail = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<Mark | null>(null);
  const ticks = useMemo(() => ticksOf(marks, total, SLOTS), [marks, total]);
  const part = (position: number) => `${(100 * position) / Math.max(1, total)}%`;
  const from = inSight?.from ?? 0;
  const to = (inSight?.to ?? from) + 1;

  const markAt = (event: MouseEvent): Mark | undefined => {
    const box = rail.current?.getBoundingClientRect();
    if (!box) return undefined;
    const at = (event.clientY - box.top) / box.height;
    const near = ticks.filter((tick) => Math.abs(tick.at - at) <= REACH).toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at));
    return near[0]?.mark ?? nearestMark(marks, at * total);
  };
  /** Marks that share a position are one stop. */
  const step = (direction: 1 | -1) => {
    const now = pointed?.position ?? from;
    return direction > 0 ? marks.find((mark) => mark.position > now) : marks.findLast((mark) => mark.position < now);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Record<string, () => Mark | undefined> = {
      ArrowDown: () => step(1),
      ArrowRight: () => step(1),
      ArrowUp: () => step(-1),
      ArrowLeft: () => step(-1),
      Home: () => marks[0],
      End: () => marks.at(-1),
    };
    const target = targets[event.key];
    if (!target) return;
    event.preventDefault();
    const mark = target();
    if (!mark) return;
    setPointed(mark);
    onGo(mark.message);
  };

  const onClick = (event: MouseEvent) => {
    const mark = markAt(event);
    if (mark) onGo(mark.message);
  };

  if (marks.length === 0 || total === 0) return null;
  return (
    <div
      ref={rail}
      className={styles.rail}
      role="slider"
      aria-label="Place in the transcript"
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={total}
      aria-valuenow={Math.min(total, (pointed?.position ?? from) + 1)}
      aria-valuetext={`${pointed ? `${markText(pointed)}, ` : ""}message ${(pointed?.position ?? from) + 1} of ${plural(total, "message")}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => setPointed(null)}
      onPointerMove={(event) => setPointed(markAt(event) ?? null)}
      onPointerLeave={() => setPointed(null)}
      onClick={onClick}
    >
      {inSight && <div className={styles.thumb} style={{ top: part(from), height: part(to - from) }} />}
      {ticks.map(({ at, mark }) => (
        <div key={`${mark.position} ${mark.kind}`} className={styles.tick} data-kind={mark.kind} style={{ top: `${100 * at}%` }} />
      ))}
      {pointed && (
        <div className={styles.label} data-low={pointed.position > 0.8 * total || undefined} style={{ top: part(pointed.position) }}>
          <strong>{MARK_NAMES[pointed.kind]}</strong>
          <span className={styles.words}>{pointed.label}</span>
          <span className={styles.number}>
            {pointed.position + 1} of {total}
          </span>
        </div>
      )}
    </div>
  );
}
