/** The region of the reader: a whole conversation as one document, or one session alone. */
import type { ReactNode } from "react";
import { type CombinedError, type TypedDocumentNode, useQuery } from "urql";
import { ProblemPane, ProblemWay } from "../../components/ProblemPane";
import { problem, toProblem } from "../../graphql/problem";
import { useStoreChanges } from "../../graphql/useLive";
import { useKept } from "../../lib/useKept";
import { useView } from "../../lib/useView";
import type { OpenView } from "../../lib/view";
import styles from "./Reader.module.css";
import { OpenTranscript } from "./OpenTranscript";
import { ReaderHeader } from "./ReaderHeader";
import { ConversationHead, SegmentStart, SessionHead } from "./readerQueries";
import { SessionHeader } from "./SessionHeader";
import { Skeletons } from "./Skeletons";

const HEAD_PACE = 3_000;

export function Reader({ open }: { open: OpenView }) {
  const What = open.type === "conversation" ? ConversationReader : SessionReader;
  return (
    <section className={styles.region} data-region="reader" aria-label="Reader">
      <What key={`${open.profile}/${open.id}`} open={open} />
    </section>
  );
}

/** The message that the address names, by itself or as the first one of a segment; undefined until that is known. */
function useTarget({ profile, message, segment }: OpenView): string | null | undefined {
  const [{ data, error }] = useQuery({
    query: SegmentStart,
    variables: { id: segment ?? "", profile },
    pause: segment === null || message !== null,
  });
  if (message !== null || segment === null) return message;
  return data || error ? (data?.session?.messages?.nodes[0]?.id ?? null) : undefined;
}

/** What is said of an open conversation or session over its messages, kept up to date with its store. */
function useHead<Data>(query: TypedDocumentNode<Data, { id: string; profile: string }>, { id, profile }: OpenView) {
  const [{ data, error }, ask] = useQuery({ query, variables: { id, profile } });
  const reload = () => ask({ requestPolicy: "network-only" });
  useStoreChanges([profile], HEAD_PACE, reload);
  return { data: useKept(data ?? null), error, reload };
}

function ConversationReader({ open }: { open: OpenView }) {
  const { data, ...head } = useHead(ConversationHead, open);
  return (
    <OpenReader open={open} isGone={data !== null && data.conversation === null} {...head}>
      {data?.conversation && <ReaderHeader conversation={data.conversation} />}
    </OpenReader>
  );
}

function SessionReader({ open }: { open: OpenView }) {
  const { data, ...head } = useHead(SessionHead, open);
  return (
    <OpenReader open={open} isGone={data !== null && data.session === null} {...head}>
      {data?.session && <SessionHeader session={data.session} />}
    </OpenReader>
  );
}

interface OpenReaderProps {
  open: OpenView;
  isGone: boolean;
  error: CombinedError | undefined;
  reload: () => void;
  /** The header; none while it is loading. */
  children: ReactNode;
}

function OpenReader({ open, isGone, error, reload, children }: OpenReaderProps) {
  const target = useTarget(open);
  if (error && !children) {
    return (
      <ProblemPane problem={toProblem(error)} onRetry={reload}>
        <BackToList />
      </ProblemPane>
    );
  }
  if (isGone) return <Gone what={open.type} open={open} onRetry={reload} />;
  return (
    <>
      {children || <div className={styles.headerSkeleton} />}
      {target === undefined ? <Skeletons /> : <OpenTranscript open={open} target={target} headError={error} onRetry={reload} />}
    </>
  );
}

interface GoneProps {
  what: "conversation" | "session";
  open: OpenView;
  onRetry: () => void;
}

function Gone({ what, open: { id, profile }, onRetry }: GoneProps) {
  const { go } = useView();
  const message = `There is no ${what} ${id} in the profile ${profile}.`;
  return (
    <ProblemPane problem={problem("NOT_FOUND", message, "It was deleted, maybe by another program, or the store was replaced. When it comes back it is shown again.")} onRetry={onRetry}>
      <BackToList />
      <ProblemWay label="Look in the bin" onClick={() => go({ open: null, page: "bin" })} />
    </ProblemPane>
  );
}

/** Small windows show nothing of the list beside it. */
function BackToList() {
  const { go } = useView();
  return <ProblemWay label="Back to the list" onClick={() => go({ open: null })} />;
}
