/** How well a label answers what was typed: every word must be in it, and the beginnings of words count more. */
const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function rankWord(label: string, word: string): number {
  if (label.startsWith(word)) return 3;
  if (!label.includes(word)) return 0;
  return label.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word)) || label.includes(` ${word}`) ? 2 : 1;
}

/** 0 for no answer; else the greater the better. Nothing typed asks for everything alike. */
export function rank(label: string, typed: string): number {
  const folded = fold(label);
  const ranks = fold(typed).split(/\s+/).filter(Boolean).map((word) => rankWord(folded, word));
  if (ranks.length === 0) return 1;
  return ranks.includes(0) ? 0 : ranks.reduce((sum, each) => sum + each, 0) / ranks.length;
}
