/** The answer to a search: hits, or why there are none; and what could not be looked at. */
import { useMemo } from "react";
import { FailureLine, Failures } from "../../components/Failures";
import regionStyles from "../../components/ListRegion.module.css";
import { ListSkeletons } from "../../components/ListSkeletons";
import { ProblemPane } from "../../components/ProblemPane";
import { toProblem } from "../../graphql/problem";
import { usePageWindow } from "../../graphql/usePageWindow";
import { plural } from "../../lib/format";
import { useKept } from "../../lib/useKept";
import type { ListView } from "../../lib/view";
import { HitGrid } from "./HitGrid";
import { NoMatch } from "./NoMatch";
import { Notices } from "./Notices";
import { leftOut } from "./scope";
import { PAGE_SIZE, SearchMessages, type searchVariables } from "./searchQuery";

interface ResultsProps {
  list: ListView;
  variables: ReturnType<typeof searchVariables>;
  onChange: (change: Partial<ListView>) => void;
  onDays: () => void;
}

export function Results({ list, variables, onChange, onDays }: ResultsProps) {
  const window = usePageWindow({
    document: SearchMessages,
    variables,
    anchor: { first: PAGE_SIZE },
    size: PAGE_SIZE,
    select: (data) => data.search,
  });
  const { edges } = window;
  const answer = window.data?.search ?? null;
  const current = useMemo(() => answer && { edges, answer }, [edges, answer]);
  const shown = useKept(current);
  const isOld = shown !== null && window.loading !== null && (current === null || window.stale);

  if (window.error && !current) {
    return (
      <div className={regionStyles.body}>
        <ProblemPane problem={toProblem(window.error)} onRetry={window.retry} />
      </div>
    );
  }
  if (!shown) return <ListSkeletons label="Searching" />;

  const total = shown.answer.totalCount ?? shown.edges.length;
  const notSearched = leftOut(shown.answer.unsearched ?? [], list);
  const failures = shown.answer.failures ?? [];
  return (
    <>
      <Failures failures={failures} onRetry={() => void window.refresh()} />
      {window.error && <FailureLine subject="Not all hits could be loaded." problem={toProblem(window.error)} onRetry={window.retry} />}
      <Notices list={list} answer={shown.answer} onDays={onDays} />
      <div className={regionStyles.body} data-old={isOld || undefined} aria-busy={isOld}>
        {shown.edges.length > 0 ? (
          <HitGrid key={window.key} text={variables.text} edges={shown.edges} total={total} hasMore={current !== null && window.hasAfter} onMore={window.loadAfter} />
        ) : isOld ? (
          <ListSkeletons label="Searching" />
        ) : (
          <NoMatch list={list} text={variables.text} notSearched={notSearched} hasFailed={failures.length > 0} onChange={onChange} />
        )}
      </div>
      {shown.edges.length > 0 && (
        <footer className={regionStyles.footer} aria-label="What was searched">
          <span className={regionStyles.total} role="status">
            {isOld ? "Searching" : `${shown.answer.totalIsCapped ? "At least " : ""}${plural(total, "conversation")}`}
          </span>
          {notSearched.map(({ sentence, label, change }) => (
            <span key={sentence}>
              {sentence} ·{" "}
              <button type="button" className={regionStyles.entry} onClick={() => onChange(change)}>
                {label}
              </button>
            </span>
          ))}
        </footer>
      )}
    </>
  );
}
