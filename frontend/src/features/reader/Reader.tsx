/** The region of the reader: a whole conversation as one document, or one session alone. */
import { useQuery } from "urql";
import { ProblemPane } from "../../components/ProblemPane";
import { problem, toProblem } from "../../graphql/problem";
import type { OpenView } from "../../lib/view";
import styles from "./Reader.module.css";
import { OpenTranscript } from "./OpenTranscript";
import { ReaderHeader } from "./ReaderHeader";
import { ConversationHead, SegmentStart, SessionHead } from "./readerQueries";
import { SessionHeader } from "./SessionHeader";
import { Skeletons } from "./Skeletons";

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

function ConversationReader({ open }: { open: OpenView }) {
  const variables = { id: open.id, profile: open.profile };
  const [head, reload] = useQuery({ query: ConversationHead, variables });
  const target = useTarget(open);
  if (head.error && !head.data) return <ProblemPane problem={toProblem(head.error)} onRetry={() => reload({ requestPolicy: "network-only" })} />;
  if (head.data && !head.data.conversation) return <Gone what="conversation" id={open.id} profile={open.profile} />;
  return (
    <>
      {head.data?.conversation ? <ReaderHeader conversation={head.data.conversation} /> : <div className={styles.headerSkeleton} />}
      {target === undefined ? <Skeletons /> : <OpenTranscript open={open} target={target} />}
    </>
  );
}

function SessionReader({ open }: { open: OpenView }) {
  const variables = { id: open.id, profile: open.profile };
  const [head, reload] = useQuery({ query: SessionHead, variables });
  const target = useTarget(open);
  if (head.error && !head.data) return <ProblemPane problem={toProblem(head.error)} onRetry={() => reload({ requestPolicy: "network-only" })} />;
  if (head.data && !head.data.session) return <Gone what="session" id={open.id} profile={open.profile} />;
  return (
    <>
      {head.data?.session ? <SessionHeader session={head.data.session} /> : <div className={styles.headerSkeleton} />}
      {target === undefined ? <Skeletons /> : <OpenTranscript open={open} target={target} />}
    </>
  );
}

function Gone({ what, id, profile }: { what: string; id: string; profile: string }) {
  const message = `There is no ${what} ${id} in the profile ${profile}.`;
  return <ProblemPane problem={problem("NOT_FOUND", message, "It may have been deleted, or the store was replaced.")} />;
}
