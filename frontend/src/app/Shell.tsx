/** The regions of the dashboard and which of them are there: rail, list, reader, inspector. */
import { lazy, Suspense, useState } from "react";
import { ConversationList } from "../features/list/ConversationList";
import { ConnectionNote } from "../components/ConnectionNote";
import { MenuHost } from "../components/Menu";
import { toggleTheme } from "../lib/theme";
import { useAction } from "../lib/useAction";
import { useView } from "../lib/useView";
import { NOTHING_TYPED } from "../lib/view";
import { PageRegion } from "./PageRegion";
import { Rail } from "./Rail";
import styles from "./Shell.module.css";

const Reader = lazy(() => import("../features/reader/Reader").then((module) => ({ default: module.Reader })));
const Search = lazy(() => import("../features/search/Search").then((module) => ({ default: module.Search })));
const Inspector = lazy(() => import("../features/inspector/Inspector").then((module) => ({ default: module.Inspector })));
const Compare = lazy(() => import("../features/compare/Compare").then((module) => ({ default: module.Compare })));
const HelpDialog = lazy(() => import("./HelpDialog").then((module) => ({ default: module.HelpDialog })));

export function Shell() {
  const { view, go } = useView();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { open, panel, page, compare } = view;

  useAction("help.open", () => setHelpOpen(true));
  useAction("theme.toggle", toggleTheme);
  useAction("inspector.toggle", () => go({ panel: panel ? null : "lineage" }, true), open !== null);
  useAction("search.messages", () => go({ page: null, list: { find: NOTHING_TYPED } }), page !== null || compare !== undefined);
  useAction("region.leave", () => {
    if (compare) return go({ open: { type: "session", profile: compare.profile, id: compare.left }, panel: "lineage" });
    if (panel && isSheet()) go({ panel: null }, true);
    else if (open) go({ open: null });
    focusRegion(panel && isSheet() ? "reader" : "list");
  });

  return (
    <div className={styles.shell} data-open={open ? "" : undefined} data-panel={open ? (panel ?? undefined) : undefined}>
      <Rail onHelp={() => setHelpOpen(true)} />
      <main className={styles.main}>
        {compare ? (
          <div className={styles.page}>
            <Suspense>
              <Compare {...compare} />
            </Suspense>
          </div>
        ) : page ? (
          <PageRegion page={page} />
        ) : (
          <>
            <div className={styles.list}>
              {view.list.find ? (
                <Suspense>
                  <Search />
                </Suspense>
              ) : (
                <ConversationList />
              )}
            </div>
            <div className={styles.reader}>
              {open ? (
                <Suspense>
                  <Reader open={open} />
                </Suspense>
              ) : (
                <Nothing />
              )}
            </div>
          </>
        )}
        <MenuHost />
        <ConnectionNote />
      </main>
      {open && panel && (
        <>
          <button type="button" className={styles.scrim} aria-label="Close the inspector" onClick={() => go({ panel: null }, true)} />
          <aside className={styles.inspector} aria-label="Inspector" data-region="reader">
            <Suspense>
              <Inspector open={open} panel={panel} />
            </Suspense>
          </aside>
        </>
      )}
      {isHelpOpen && (
        <Suspense>
          <HelpDialog onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

const isSheet = () => window.matchMedia("(max-width: 1099px)").matches;

function focusRegion(region: "list" | "reader"): void {
  document.querySelector<HTMLElement>(`[data-region="${region}"] [tabindex="0"]`)?.focus();
}

function Nothing() {
  return (
    <div className={styles.nothing}>
      <p>Choose a conversation to read it from its first message to its last.</p>
      <p>
        <kbd>j</kbd> <kbd>k</kbd> to move, <kbd>Enter</kbd> to open, <kbd>?</kbd> for all keys
      </p>
    </div>
  );
}
