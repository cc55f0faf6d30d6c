/** The edge between list and reader: dragged, or moved by keys; a double click gives the usual width back. */
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useState } from "react";
import { keptListWidth, LIST_WIDTH, setListWidth, showListWidth } from "../lib/listWidth";
import styles from "./Shell.module.css";

const STEP = 16;

export function ListWidth() {
  const [width, setWidth] = useState(keptListWidth);
  // oxlint-disable-next-line react/exhaustive-deps -- what was kept is shown once; from then on every change shows itself
  useLayoutEffect(() => showListWidth(width), []);
  const change = (wanted: number) => setWidth(setListWidth(wanted));

  const handleKey = (event: KeyboardEvent) => {
    const widths: Record<string, number> = {
      ArrowLeft: width - STEP,
      ArrowRight: width + STEP,
      Home: LIST_WIDTH.least,
      End: LIST_WIDTH.most,
      Enter: LIST_WIDTH.usual,
    };
    const wanted = widths[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    change(wanted);
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const { currentTarget: edge } = event;
    if (!edge.hasPointerCapture(event.pointerId)) return;
    change(event.clientX - (edge.parentElement?.getBoundingClientRect().left ?? 0));
  };

  return (
    <div
      className={styles.edge}
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the list"
      aria-valuenow={width}
      aria-valuemin={LIST_WIDTH.least}
      aria-valuemax={LIST_WIDTH.most}
      aria-valuetext={`${width} pixels`}
      tabIndex={0}
      title="Drag to make the list wider or narrower; a double click resets it"
      onKeyDown={handleKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => change(LIST_WIDTH.usual)}
    />
  );
}
