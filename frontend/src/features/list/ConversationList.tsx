/** The region of the list: its header, the conversations, and the ledger of what is not shown. */
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { useQuery } from "urql";
import type { Change } from "../../components/bulkChanges";
import { FailureLine, Failures } from "../../components/Failures";
import styles from "../../components/ListRegion.module.css";
import { ListSkeletons } from "../../components/ListSkeletons";
import { ProblemPane } from "../../components/ProblemPane";
import { TakeQuery } from "../../components/TakeQuery";
import { toProblem } from "../../graphql/problem";
import { usePageWindow } from "../../graphql/usePageWindow";
import { plural } from "../../lib/format";
import { useAction } from "../../lib/useAction";
import { useKept } from "../../lib/useKept";
import { useView } from "../../lib/useView";
import type { ListView } from "../../lib/view";
import { ConversationGrid } from "./ConversationGrid";
import { EmptyList } from "./EmptyList";
import { toFacets } from "./facets";
import { Ledger } from "./Ledger";
import { hidesConversations, narrowings } from "./ledger";
import { ListHeader } from "./ListHeader";
import { ListMenu } from "./ListMenu";
import { ConversationList as ListDocument, ListFacets, listVariables, PAGE_SIZE } from "./listQuery";
import { isNothing, isSelected } from "./selection";
import { useGroups } from "./useGroups";
import { useLiveList } from "./useLiveList";
import { useSelection } from "./useSelection";

const loadBulkBar = () => import("./BulkBar").then((module) => ({ default: module.BulkBar }));
const BulkBar = lazy(loadBulkBar);
const PRELOAD_AFTER = 1_500;
const PruneDialog = lazy(() => import("../../components/PruneDialog").then((module) => ({ default: module.PruneDialog })));

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
    most: (data) => data.server?.maxPageSize ?? PAGE_SIZE,
    select: (data) => data.conversations,
  });
  const [facets, reloadFacets] = useQuery({ query: ListFacets, variables: { profiles: variables.profiles, filter: variables.filter } });
  const keptFacets = useKept(useMemo(() => toFacets(facets.data), [facets.data]));

  const refresh = () => {
    window.keep(0, PAGE_SIZE);
    reloadFacets({ requestPolicy: "network-only" });
    return window.refresh();
  };
  const live = useLiveList(list.profile, refresh);

  const isFirstLoad = window.loading === "anchor" && window.edges.length === 0;
  const { edges } = window;
  const connection = window.data?.conversations ?? null;
  const current = useMemo(() => connection && { edges, connection }, [edges, connection]);
  const shown = useKept(current);
  // Then nothing of another list is shown in its place.
  const hasFailed = window.error !== null && current === null;
  const isOld = shown !== null && window.loading === "anchor" && (current === null || window.stale);
  const listed = useMemo(() => shown?.edges.map((edge) => edge.node) ?? [], [shown]);
  const total = shown?.connection.totalCount ?? listed.length;
  const groups = useGroups(list, keptFacets, total);
  const nodes = groups?.nodes ?? listed;
  const isWaiting = window.stale || window.loading !== null;
  const picked = useSelection({
    nodes,
    total,
    isWhole: groups === null && current !== null && !isWaiting && !window.hasAfter && window.error === null,
    answer: window.data,
    isOld: isWaiting,
    list: JSON.stringify([variables.profiles, variables.filter]),
  });
  const hasSelection = !isNothing(picked.selection);
  const startChange = (doing: Change, leaves: boolean) => {
    const openNode = nodes.find(({ id, profile }) => id === view.open?.id && profile.name === view.open.profile);
    if (doing === "delete" && openNode && isSelected(picked.selection, openNode.nodeId)) go({ open: null });
    if (leaves) picked.leave(picked.selection);
    picked.clear();
    focusList();
  };

  // Its keys follow those that select at once: it is there before they are pressed.
  useEffect(() => {
    const timer = setTimeout(() => void loadBulkBar(), PRELOAD_AFTER);
    return () => clearTimeout(timer);
  }, []);

  const [isPruning, setPruning] = useState(false);
  useAction("prune.open", () => setPruning(true));
  const tools = (
    <>
      <TakeQuery label="Take the list's query" request={{ document: ListDocument, variables: { ...variables, first: PAGE_SIZE } }} />
      <ListMenu total={total} hasSelection={hasSelection} onSelectAll={picked.selectAll} onClear={picked.clear} onPrune={() => setPruning(true)} />
    </>
  );

  return (
    <section className={styles.region} data-region="list" aria-label="Conversations">
      <ListHeader list={list} facets={keptFacets} takeQuery={tools} onChange={change} />
      {!hasFailed && shown?.connection.failures && <Failures failures={shown.connection.failures} onRetry={() => void refresh()} />}
      {window.error && !hasFailed && <FailureLine subject="Not all could be brought up to date." problem={toProblem(window.error)} onRetry={window.retry} />}
      <div className={styles.body} data-old={isOld || undefined}>
        {window.error && hasFailed ? (
          <ProblemPane problem={toProblem(window.error)} onRetry={window.retry} />
        ) : shown && shown.edges.length > 0 ? (
          <ConversationGrid
            key={window.key}
            nodes={picked.shown}
            groups={groups?.sections ?? null}
            total={total}
            hasMore={(groups?.hasMore ?? (current !== null && window.hasAfter)) && !picked.isLeaving}
            onMore={groups?.onMore ?? window.loadAfter}
            hasNews={live.hasNews}
            onAway={live.onAway}
            selection={picked.selection}
            onSelect={picked.select}
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
      {hasSelection && (
        <Suspense>
          <BulkBar
            selection={picked.selection}
            nodes={nodes}
            size={picked.size}
            total={total}
            archived={list.archived}
            variables={variables}
            onSelectAll={picked.selectAll}
            onClear={() => {
              picked.clear();
              focusList();
            }}
            onStart={startChange}
            onEnd={(hasChanged) => (hasChanged ? picked.settle() : picked.stay())}
          />
        </Suspense>
      )}
      {isPruning && (
        <Suspense>
          <PruneDialog
            profile={list.profile}
            list={{ filter: variables.filter ?? {}, words: narrowings(list).map(({ name }) => name) }}
            onClose={() => setPruning(false)}
            onClosed={focusList}
          />
        </Suspense>
      )}
      {groups !== null && groups.outside > 0 && (
        <button type="button" className={styles.note} onClick={() => change({ group: "day" })}>
          {plural(groups.outside, "conversation")} in no group: show the list by day
        </button>
      )}
      {!hasFailed && shown?.connection.hidden && (
        <Ledger hidden={shown.connection.hidden} shown={shown.connection.totalCount ?? 0} list={list} onChange={change} />
      )}
    </section>
  );
}

const focusList = () => document.querySelector<HTMLElement>('[data-region="list"] [role="grid"]')?.focus();
