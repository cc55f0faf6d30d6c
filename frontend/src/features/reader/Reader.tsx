/** The region of the reader: a whole conversation as one document, or one session alone. */
import { useQuery } from "urql";
import { ProblemPane } from "../../components/ProblemPane";
import { problem, toProblem } from "../../graphql/problem";
import type { Position } from "../../graphql/pageWindow";
import { usePageWindow } from "../../graphql/usePageWindow";
import { useView } from "../../lib/useView";
import type { OpenView } from "../../lib/view";
import styles from "./Reader.module.css";
import { ReaderHeader } from "./ReaderHeader";
import { ConversationHead, ConversationMessages, PAGE_SIZE, SegmentStart, SessionHead, SessionMessages } from "./readerQueries";
import { SessionHeader } from "./SessionHeader";
import { Transcript, type TranscriptWindow } from "./Transcript";

export function Reader({ open }: { open: OpenView }) {
  const What = open.type === "conversation" ? ConversationReader : SessionReader;
  return (
    <section className={styles.region} data-region="reader" aria-label="Reader">
      <What key={`${open.profile}/${open.id}`} open={open} />
    </section>
  );
}

/** Where the reader starts: at a message, at a segment's first message, or at the beginning. */
function useAnchor({ profile, message, segment }: OpenView): { anchor: Position; target: string | null } | null {
  const [{ data, error }] = useQuery({
    query: SegmentStart,
    variables: { id: segment ?? "", profile },
    pause: segment === null || message !== null,
  });
  const start = data?.session?.messages?.nodes[0]?.id ?? null;
  if (message === null && segment !== null && !data && !error) return null;
  const target = message ?? (segment === null ? null : start);
  return { anchor: target === null ? { first: PAGE_SIZE } : { first: PAGE_SIZE, around: target }, target };
}

function ConversationReader({ open }: { open: OpenView }) {
  const variables = { id: open.id, profile: open.profile };
  const [head, reload] = useQuery({ query: ConversationHead, variables });
  const start = useAnchor(open);
  if (head.error && !head.data) return <ProblemPane problem={toProblem(head.error)} onRetry={() => reload({ requestPolicy: "network-only" })} />;
  if (head.data && !head.data.conversation) return <Gone what="conversation" id={open.id} profile={open.profile} />;
  return (
    <>
      {head.data?.conversation ? <ReaderHeader conversation={head.data.conversation} /> : <div className={styles.headerSkeleton} />}
      {start ? <ConversationTranscript variables={variables} {...start} /> : <Skeletons />}
    </>
  );
}

function SessionReader({ open }: { open: OpenView }) {
  const variables = { id: open.id, profile: open.profile };
  const [head, reload] = useQuery({ query: SessionHead, variables });
  const start = useAnchor(open);
  if (head.error && !head.data) return <ProblemPane problem={toProblem(head.error)} onRetry={() => reload({ requestPolicy: "network-only" })} />;
  if (head.data && !head.data.session) return <Gone what="session" id={open.id} profile={open.profile} />;
  return (
    <>
      {head.data?.session ? <SessionHeader session={head.data.session} /> : <div className={styles.headerSkeleton} />}
      {start ? <SessionTranscript variables={variables} {...start} /> : <Skeletons />}
    </>
  );
}

interface PartProps {
  variables: { id: string; profile: string };
  anchor: Position;
  target: string | null;
}

function ConversationTranscript({ variables, anchor, target }: PartProps) {
  const window = usePageWindow({
    document: ConversationMessages,
    variables,
    anchor,
    size: PAGE_SIZE,
    select: (data) => data.conversation?.messages,
  });
  return <Part window={{ ...window, total: window.data?.conversation?.messages?.totalCount ?? null }} target={target} />;
}

function SessionTranscript({ variables, anchor, target }: PartProps) {
  const window = usePageWindow({
    document: SessionMessages,
    variables,
    anchor,
    size: PAGE_SIZE,
    select: (data) => data.session?.messages,
  });
  return <Part window={{ ...window, total: window.data?.session?.messages?.totalCount ?? null }} target={target} />;
}

function Part({ window, target }: { window: TranscriptWindow; target: string | null }) {
  const { view, go } = useView();
  const { open } = view;
  if (window.error && window.edges.length === 0) return <ProblemPane problem={toProblem(window.error)} onRetry={window.retry} />;
  if (window.loading === "anchor" && window.edges.length === 0) return <Skeletons />;
  if (window.edges.length === 0) return <p className={styles.empty}>There is no message to read here.</p>;
  return <Transcript key={window.key} window={window} target={target} onLink={(message) => open && go({ open: { ...open, message, segment: null } }, true)} />;
}

function Gone({ what, id, profile }: { what: string; id: string; profile: string }) {
  const message = `There is no ${what} ${id} in the profile ${profile}.`;
  return <ProblemPane problem={problem("NOT_FOUND", message, "It may have been deleted, or the store was replaced.")} />;
}

function Skeletons() {
  return (
    <div className={styles.skeletons} role="status" aria-label="Loading messages">
      <div className={styles.skeleton} />
      <div className={styles.skeleton} data-long />
      <div className={styles.skeleton} />
    </div>
  );
}
