/** GraphiQL for one profile, behind the door where a token is asked for. */
import { HISTORY_PLUGIN } from "@graphiql/plugin-history";
import { GraphiQL } from "graphiql";
import { useEffect, useMemo, useState } from "react";
import { TokenForm } from "../app/TokenForm";
import { saveToken } from "../lib/token";
import { exampleTabs, findExampleId } from "./examples";
import { createFetcher } from "./fetcher";
import styles from "./GraphiQLPage.module.css";
import type { GraphiQLLink, Tab } from "./link";
import { useTheme } from "./useTheme";

const PLUGINS = [HISTORY_PLUGIN];

export function GraphiQLPage({ profile, tab }: GraphiQLLink) {
  const theme = useTheme();
  const [attempts, setAttempts] = useState(0);
  const [isLocked, setLocked] = useState(false);
  const [examples, setExamples] = useState<Tab[] | null>(null);
  // oxlint-disable-next-line react/exhaustive-deps -- another token: GraphiQL reads the schema again
  const fetcher = useMemo(() => createFetcher(profile, () => setLocked(true)), [profile, attempts]);

  useEffect(() => {
    void findExampleId(fetcher).then((id) => setExamples(exampleTabs(id)));
  }, [fetcher]);

  const unlock = (token: string) => {
    saveToken(token);
    setAttempts((count) => count + 1);
    setLocked(false);
  };

  return (
    <>
      {examples && (
        <div className={styles.page} inert={isLocked}>
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
              <a href="/" className={styles.back}>
                Hermes Sessions
              </a>
              {profile && <span className={styles.profile}>{profile}</span>}
            </GraphiQL.Logo>
          </GraphiQL>
        </div>
      )}
      {isLocked && (
        <div className={styles.door}>
          <TokenForm wasRefused={attempts > 0} onToken={unlock} />
        </div>
      )}
    </>
  );
}
