/** How wide the list is beside the reader, in pixels: kept for the next visit. */
const KEY = "hermes-sessions.list-width";
export const LIST_WIDTH = { least: 260, most: 520, usual: 360 } as const;

const within = (width: number): number => Math.round(Math.min(LIST_WIDTH.most, Math.max(LIST_WIDTH.least, width)));

/** The width that was chosen last; what is no width counts as none. */
export function keptListWidth(): number {
  const kept = Number(localStorage.getItem(KEY) ?? Number.NaN);
  return Number.isFinite(kept) && kept > 0 ? within(kept) : LIST_WIDTH.usual;
}

/** Shows and keeps a width; answers with what it came to. */
export function setListWidth(width: number): number {
  const taken = within(width);
  showListWidth(taken);
  if (taken === LIST_WIDTH.usual) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, String(taken));
  return taken;
}

export function showListWidth(width: number): void {
  document.documentElement.style.setProperty("--list", `${width}px`);
}
