/** GraphiQL for one profile, behind the door where a token is asked for. */
import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import { GraphiQL } from "graphiql";
import { useEffect, useMemo, useState } from "react";
import { TokenForm } from "../app/TokenForm";
import { exampleTabs, findExampleId } from "./examples";
import { createFetcher } from "./fetcher";
import styles from "./GraphiQLPage.module.css";
import type { GraphiQLLink, Tab } from "./link";
import { useDoor } from "./useDoor";
import { useTheme } from "./useTheme";

const PLUGINS = [HISTORY_PLUGIN];

export function GraphiQLPage({ profile, tab }: GraphiQLLink) {
  const theme = useTheme();
  const { isLocked, wasRefused, ask, open } = useDoor();
  const fetcher = useMemo(() => createFetcher(profile, ask), [profile, ask]);
  const [examples, setExamples] = useState<Tab[] | null>(null);

  useEffect(() => {
    void findExampleId(fetcher).then((id) => setExamples(exampleTabs(id)));
  }, [fetcher]);

  return (
    <>
      {examples && (
        <main className={styles.page} inert={isLocked}>
          <h1 className="visually-hidden">GraphiQL</h1>
          <GraphiQL
            fetcher={fetcher}
            forcedTheme={theme}
            plugins={PLUGINS}
            // Headers may hold a token, which has no place in local storage.
            shouldPersistHeaders={false}
            defaultEditorToolsVisibility="variables"
            defaultTabs={tab ? [tab, ...examples] : examples}
            initialQuery={tab?.query}
            initialVariables={tab?.variables}
          >
            <GraphiQL.Logo>
              <nav className={styles.place} aria-label="Place">
                {profile && (
                  <span className={styles.profile} title="The profile of the requests">
                    {profile}
                  </span>
                )}
                <a href="/">Hermes Sessions</a>
              </nav>
            </GraphiQL.Logo>
          </GraphiQL>
        </main>
      )}
      {isLocked && (
        <div className={styles.door}>
          <TokenForm wasRefused={wasRefused} onToken={open} />
        </div>
      )}
    </>
  );
}
