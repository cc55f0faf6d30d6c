/** The conversations that were read last in this browser, newest first. */
export interface Recent {
  profile: string;
  id: string;
  title: string;
}

const KEY = "hermes-sessions.recent";
const KEPT = 20;
const MAX_TITLE = 200;

const isRecent = (value: unknown): value is Recent => {
  const { profile, id, title } = (value ?? {}) as Record<string, unknown>;
  return [profile, id, title].every((each) => typeof each === "string");
};

/** Nothing where what is kept is broken, or the browser keeps nothing. */
export function readRecent(): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecent).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

const isSame = (a: Recent, b: Recent) => a.profile === b.profile && a.id === b.id;

export function rememberOpened({ profile, id, title }: Recent): void {
  const opened = { profile, id, title: title.slice(0, MAX_TITLE) };
  const kept = [opened, ...readRecent().filter((each) => !isSame(each, opened))].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is switched off or full.
  }
}
