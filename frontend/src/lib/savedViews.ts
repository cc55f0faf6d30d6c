/** Saved views: named addresses of the list, kept in this browser for this server. */
import { formatSearch, parseSearch } from "./searchParameters";
import { DEFAULT_LIST, DEFAULT_MODE, DEFAULT_USAGE, type ListView, toSearch, toView } from "./view";

export interface SavedView {
  name: string;
  /** The search part of the address, such as `?archived=only`. */
  search: string;
}

const KEY = "hermes-sessions.views";
export const LONGEST_NAME = 60;

/** What is there before anything is saved, changed or deleted. */
export const DEFAULT_VIEWS: readonly SavedView[] = [
  { name: "Live now", search: "?audience=all&live=only" },
  { name: "Cron runs", search: "?audience=all&source=cron" },
  { name: "Expensive this month", search: "?audience=all&cost=1&since=month&sort=cost" },
  { name: "Unknown cost first", search: "?audience=all&sort=cost&dir=asc" },
  { name: "Archived", search: "?audience=all&archived=only" },
];

/** The search part of a list's address: the same text for the same list. */
export const searchOf = (list: ListView): string =>
  formatSearch(toSearch({ list, open: null, panel: null, page: null, usage: DEFAULT_USAGE, mode: DEFAULT_MODE }));

export const listOf = ({ search }: SavedView): ListView => toView(parseSearch(search), null).list;

/** The saved view that a list is, if it is one. */
export function viewOf(list: ListView, views: readonly SavedView[]): SavedView | null {
  const search = searchOf(list);
  return views.find((view) => searchOf(listOf(view)) === search) ?? null;
}

const listeners = new Set<() => void>();
let read: { text: string | null; views: readonly SavedView[] } | null = null;

/** All of them, in the order in which they were saved: the same array until one changes. */
export function getSavedViews(): readonly SavedView[] {
  const text = localStorage.getItem(KEY);
  if (read?.text !== text) read = { text, views: parse(text) };
  return read?.views ?? DEFAULT_VIEWS;
}

export function subscribeToSavedViews(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

export function setSavedViews(views: readonly SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views));
  listeners.forEach((listener) => listener());
}

/** Under a name that is taken the newer view replaces the older. */
export function saveView(name: string, list: ListView): void {
  const view = { name: tidy(name), search: searchOf(list) };
  const views = getSavedViews();
  const isTaken = views.some((each) => each.name === view.name);
  setSavedViews(isTaken ? views.map((each) => (each.name === view.name ? view : each)) : [...views, view]);
}

/** Answers with why not, or null when it is done. */
export function renameView(from: string, to: string): string | null {
  const name = tidy(to);
  const views = getSavedViews();
  if (!name) return "A view needs a name.";
  if (name !== from && views.some((each) => each.name === name)) return `There is a view “${name}” already.`;
  setSavedViews(views.map((each) => (each.name === from ? { name, search: each.search } : each)));
  return null;
}

export function deleteView(name: string): void {
  setSavedViews(getSavedViews().filter((each) => each.name !== name));
}

const tidy = (name: string): string => name.trim().replaceAll(/\s+/g, " ").slice(0, LONGEST_NAME);

/** What is no list of views counts as none, and what is no view in it is left out. */
function parse(text: string | null): readonly SavedView[] {
  if (text === null) return DEFAULT_VIEWS;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? unique(value.filter(isView)) : DEFAULT_VIEWS;
  } catch {
    return DEFAULT_VIEWS;
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  const { name, search } = value as Record<string, unknown>;
  return typeof name === "string" && tidy(name) === name && name !== "" && typeof search === "string";
}

const unique = (views: readonly SavedView[]): SavedView[] => views.filter((view, index) => views.findIndex(({ name }) => name === view.name) === index);

/** Whether a list shows what it shows without any choice. */
export const isPlain = (list: ListView): boolean => searchOf(list) === searchOf(DEFAULT_LIST);
