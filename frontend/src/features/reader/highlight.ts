/** Words marked where they stand in rendered text, without touching it: by the browser's own highlights. */

const MOST_RANGES = 2_000;
const NAMES = { all: "found", here: "found-here" };

/** The words that a search is made of: phrases in quotes, words without operators. */
export function wordsOf(search: string): string[] {
  const parts = search.match(/"[^"]+"|\S+/g) ?? [];
  const words = parts.filter((part) => !/^(?:AND|OR|NOT|NEAR)$/.test(part) && !part.startsWith("-"));
  return words.map((word) => word.replaceAll(/^["(]+|[")*]+$/g, "").trim()).filter((word) => word.length > 1);
}

/** Where words stand in a text, without regard to case; from the first on, not overlapping. */
export function placesOf(text: string, words: readonly string[]): [number, number][] {
  const escaped = words.filter(Boolean).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (escaped.length === 0) return [];
  const pattern = new RegExp(escaped.toSorted((a, b) => b.length - a.length).join("|"), "giu");
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => [index, index + found.length]);
}

export function rangesIn(root: Node, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < MOST_RANGES; node = walker.nextNode()) {
    for (const [start, end] of placesOf(node.nodeValue ?? "", words)) {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  return ranges;
}

/** False where the browser has no highlights: words are found there, but not marked. */
export function showRanges(all: readonly Range[], here: Range | null): boolean {
  const registry = globalThis.CSS?.highlights;
  if (!registry || typeof Highlight === "undefined") return false;
  registry.set(NAMES.all, new Highlight(...all));
  const current = new Highlight(...(here ? [here] : []));
  current.priority = 1;
  registry.set(NAMES.here, current);
  return true;
}

export function clearRanges(): void {
  for (const name of Object.values(NAMES)) globalThis.CSS?.highlights?.delete(name);
}
