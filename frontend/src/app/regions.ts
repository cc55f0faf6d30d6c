/** The regions that are not in sight at first. What a key or a click away leads to is loaded before it is asked for. */
import { later } from "../lib/later";

export const Reader = later(() => import("../features/reader/Reader").then((module) => module.Reader));
export const Search = later(() => import("../features/search/Search").then((module) => module.Search));
export const Inspector = later(() => import("../features/inspector/Inspector").then((module) => module.Inspector));
export const Compare = later(() => import("../features/compare/Compare").then((module) => module.Compare));
export const Palette = later(() => import("./Palette").then((module) => module.Palette));

const OPEN = /^\/p\/[^/]+\/[cs]\//;

/** What an address shows beside the list is loaded while all else begins. */
export function loadFor(path: string): void {
  if (OPEN.test(path)) Reader.load().catch(() => undefined);
}

const NEXT = [Reader, Palette, Search, Inspector];
const AT_REST_AFTER = 1_000;

/** Once the first list is there, one after the other. What fails to load tells so when it is shown. */
export function loadAhead(): () => void {
  const timer = setTimeout(() => {
    void NEXT.reduce((before, region) => before.then(region.load), Promise.resolve<unknown>(null)).catch(() => undefined);
  }, AT_REST_AFTER);
  return () => clearTimeout(timer);
}
