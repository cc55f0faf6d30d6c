/** The region of the list: its header, the conversations, and the ledger of what is not shown. */
import { useMemo } from "react";
import { useQuery } from "urql";
import { Failures } from "../../components/Failures";
import styles from "../../components/ListRegion.module.css";
import { ListSkeletons } from "../../components/ListSkeletons";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import { toProblem } from "../../graphql/problem";
import { usePageWindow } from "../../graphql/usePageWindow";
import { useKept } from "../../lib/useKept";
import { useView } from "../../lib/useView";
import type { ListView } from "../../lib/view";
import { ConversationGrid } from "./ConversationGrid";
import { EmptyList } from "./EmptyList";
import { toFacets } from "./facets";
import { Ledger } from "./Ledger";
import { hidesConversations } from "./ledger";
import { ListHeader } from "./ListHeader";
import { ConversationList as ListDocument, ListFacets, listVariables, PAGE_SIZE } from "./listQuery";
import { useLiveList } from "./useLiveList";

export function ConversationList() {
  const { view, go } = useView();
  const { list } = view;
  const variables = listVariables(list);
  const change = (part: Partial<ListView>) => go({ list: part }, part.text !== undefined && part.find === undefined);

  const window = usePageWindow({
    document: ListDocument,
    variables,
    anchor: { first: PAGE_SIZE },
    size: PAGE_SIZE,
    select: (data) => data.conversations,
  });
  const [facets, reloadFacets] = useQuery({ query: ListFacets, variables: { profiles: variables.profiles, filter: variables.filter } });
  const keptFacets = useKept(useMemo(() => toFacets(facets.data), [facets.data]));

  const live = useLiveList(list.profile, () => {
    window.refresh();
    reloadFacets({ requestPolicy: "network-only" });
  });

  const isFirstLoad = window.loading === "anchor" && window.edges.length === 0;
  const { edges } = window;
  const connection = window.data?.conversations ?? null;
  const current = useMemo(() => connection && { edges, connection }, [edges, connection]);
  const shown = useKept(current);
  const isOld = shown !== null && window.loading !== null && (current === null || window.stale);
  const takeQuery = <TakeQuery label="Take the list's query" request={{ document: ListDocument, variables: { ...variables, first: PAGE_SIZE } }} />;

  return (
    <section className={styles.region} data-region="list" aria-label="Conversations">
      <ListHeader list={list} facets={keptFacets} takeQuery={takeQuery} onChange={change} />
      {shown?.connection.failures && <Failures failures={shown.connection.failures} onRetry={window.retry} />}
      <div className={styles.body} data-old={isOld || undefined}>
        {window.error && !current ? (
          <ProblemPane problem={toProblem(window.error)} onRetry={window.retry} />
        ) : shown && shown.edges.length > 0 ? (
          <ConversationGrid
            key={window.key}
            nodes={shown.edges.map((edge) => edge.node)}
            total={shown.connection.totalCount ?? shown.edges.length}
            hasMore={current !== null && window.hasAfter}
            onMore={window.loadAfter}
            hasNews={live.hasNews}
            onAway={live.onAway}
          />
        ) : isFirstLoad ? (
          <ListSkeletons label="Loading conversations" />
        ) : (
          <EmptyList
            list={list}
            hidesSome={shown?.connection.hidden ? hidesConversations(shown.connection.hidden) : true}
            hasFailed={(shown?.connection.failures?.length ?? 0) > 0}
            onChange={change}
          />
        )}
      </div>
      {shown?.connection.hidden && (
        <Ledger hidden={shown.connection.hidden} shown={shown.connection.totalCount ?? 0} list={list} onChange={change} />
      )}
    </section>
  );
}
