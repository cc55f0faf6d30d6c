/** Which lines of a long text are shown. */

/** From a line up to one that is not in it. */
export type Range = readonly [from: number, to: number];

/** What these ranges show of so many lines, in order and apart from each other. A single line is not worth hiding. */
export function shownOf(length: number, ranges: readonly Range[]): Range[] {
  const inside = ranges.map(([from, to]): Range => [Math.max(0, from), Math.min(length, to)]);
  const shown: Range[] = [];
  for (const [from, to] of inside.toSorted((a, b) => a[0] - b[0])) {
    const last = shown.at(-1);
    if (last && from - last[1] <= 1) shown[shown.length - 1] = [last[0], Math.max(last[1], to)];
    else shown.push([from, to]);
  }
  return shown;
}

export const isIn = (ranges: readonly Range[], line: number): boolean => ranges.some(([from, to]) => from <= line && line < to);
