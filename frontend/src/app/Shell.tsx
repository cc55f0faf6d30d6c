/** The regions of the dashboard and which of them are there: rail, list, reader, inspector. */
import { useMatches } from "@tanstack/react-router";
import { Suspense, useEffect, useRef } from "react";
import { ConnectionNote } from "../components/ConnectionNote";
import { ImportDrop } from "../components/ImportDrop";
import { MenuHost } from "../components/Menu";
import { ConversationList } from "../features/list/ConversationList";
import { toggleTheme } from "../lib/settings";
import { useAction } from "../lib/useAction";
import { useTitle } from "../lib/useTitle";
import { useView } from "../lib/useView";
import type { View } from "../lib/view";
import { Dialogs } from "./Dialogs";
import { ListWidth } from "./ListWidth";
import { NotFound } from "./NotFound";
import { PageRegion } from "./PageRegion";
import { Rail } from "./Rail";
import { Compare, Inspector, loadAhead, Reader, Search } from "./regions";
import styles from "./Shell.module.css";
import { focusRegion, SkipLinks } from "./SkipLinks";
import { isNarrow, useReveal } from "./useReveal";

export function Shell() {
  const { view, go } = useView();
  const { open, panel, page, compare } = view;
  const isNowhere = useMatches({ select: (matches) => matches.at(-1)?.routeId === "/$" });
  const inspector = useRef<HTMLElement>(null);

  useTitle(isNowhere ? null : titleOf(view));
  useEffect(loadAhead, []);
  useReveal();
  useAction("theme.toggle", toggleTheme);
  useAction("inspector.toggle", () => go({ panel: panel ? null : "lineage" }, true), open !== null);
  useAction("region.leave", () => {
    if (compare) return go({ open: { type: "session", profile: compare.profile, id: compare.left }, panel: "lineage" });
    if (panel && isSheet()) go({ panel: null }, true);
    else if (open) go({ open: null });
    focusRegion(panel && isSheet() ? "reader" : "list");
  });

  const isInspecting = open !== null && panel !== null;
  useEffect(() => {
    if (isInspecting && isSheet()) inspector.current?.focus();
  }, [isInspecting]);

  return (
    <div className={styles.window}>
      <ConnectionNote />
      <div className={styles.shell} data-open={open ? "" : undefined} data-panel={open ? (panel ?? undefined) : undefined}>
        <SkipLinks regions={isNowhere ? {} : skipsOf(view)} />
        <Rail />
        <main className={styles.main}>
          {compare ? (
            <div className={styles.page}>
              <Suspense>
                <Compare {...compare} />
              </Suspense>
            </div>
          ) : page ? (
            <PageRegion page={page} />
          ) : isNowhere ? (
            <div className={styles.page}>
              <NotFound />
            </div>
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
                <ListWidth />
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
        </main>
        {open && panel && (
          <>
            <button type="button" className={styles.scrim} aria-label="Close the inspector" onClick={() => go({ panel: null }, true)} />
            <aside ref={inspector} tabIndex={-1} className={styles.inspector} aria-label="Inspector" data-region="reader">
              <Suspense>
                <Inspector open={open} panel={panel} />
              </Suspense>
            </aside>
          </>
        )}
        <Dialogs />
        <ImportDrop />
      </div>
    </div>
  );
}

const isSheet = () => window.matchMedia("(max-width: 1099px)").matches;

/** Null where what is shown names the window itself. */
function titleOf({ open, page, compare, list }: View): string | null {
  if (open || page || compare) return null;
  const found = list.find.trim();
  if (list.find) return found ? `Search for “${found}”` : "Search";
  return "Conversations";
}

function skipsOf({ open, page, compare }: View) {
  if (page || compare) return { list: "Skip to the content" };
  if (open && isNarrow()) return { reader: "Skip to the reader" };
  return { list: "Skip to the list", ...(open && { reader: "Skip to the reader" }) };
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
