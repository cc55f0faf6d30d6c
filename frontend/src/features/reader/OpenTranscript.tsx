/** What is open, as a transcript: its loaded stretch, the bar over it and the rail beside it. */
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { CombinedError } from "urql";
import { FailureLine } from "../../components/Failures";
import { ProblemPane } from "../../components/ProblemPane";
import { useToast } from "../../components/Toasts";
import type { Position } from "../../graphql/pageWindow";
import { toProblem } from "../../graphql/problem";
import { copyText } from "../../lib/clipboard";
import { usePaced, useStoreChanges } from "../../graphql/useLive";
import { useAction } from "../../lib/useAction";
import { changeView, useView } from "../../lib/useView";
import { MODES, type OpenView, toHref } from "../../lib/view";
import { wordsOf } from "./highlight";
import { forgetPlace, keepPlace, keptPlace, type Place } from "./keptPlace";
import { NewMessages } from "./NewMessages";
import type { Mark } from "./outline";
import { anchorFor, type Wanted } from "./places";
import styles from "./Reader.module.css";
import { ReaderBar } from "./ReaderBar";
import { Skeletons } from "./Skeletons";
import { type InSight, Transcript, type TranscriptHandle } from "./Transcript";
import { TurnRail } from "./TurnRail";
import { useFind } from "./useFind";
import { useOutline } from "./useOutline";
import { useTail } from "./useTail";
import { type Anchor, useTranscriptWindow } from "./useTranscriptWindow";

/** How often a conversation that is being written gets a new rail, in milliseconds. */
const OUTLINE_PACE = 5_000;
/** How soon what could not be read is read again once its store has changed, in milliseconds. */
const RETRY_PACE = 2_000;
const NO_MARKS: readonly Mark[] = [];

function firstPlace(document: string, target: string | null, words: readonly string[]): Wanted {
  if (target !== null) return { message: target, opens: true, words, inReasoning: true };
  return keptPlace(document) ?? "start";
}

interface OpenTranscriptProps {
  open: OpenView;
  /** The message that the address names; null: where somebody read the last time, else the first one. */
  target: string | null;
  /** Why what stands over the messages may be old; told once where they fail, too. */
  headError: CombinedError | undefined;
  onRetry: () => void;
}

export function OpenTranscript({ open, target, headError, onRetry }: OpenTranscriptProps) {
  const { view, go } = useView();
  const { mode } = view;
  const toast = useToast();
  const document = `${open.type} ${open.profile}/${open.id}`;
  const [first] = useState(() => firstPlace(document, target, wordsOf(view.list.find)));
  const [anchor, setAnchor] = useState<Anchor>(() => ({ position: anchorFor(first), epoch: 0 }));
  const { now, shown, isMoving } = useTranscriptWindow(open, mode, anchor);
  // After the first messages: they are what one waits for.
  const { outline, ask } = useOutline(open, mode, null, shown.edges.length === 0);
  const handle = useRef<TranscriptHandle>(null);
  const [inSight, setInSight] = useState<InSight | null>(null);
  const current = useRef<string | null>(null);
  const [arrival, setArrival] = useState(target);

  const onJump = useCallback((position: Position) => setAnchor(({ epoch }) => ({ position, epoch: epoch + 1 })), []);
  const drawAnew = usePaced(OUTLINE_PACE, ask);
  const lastInSight = inSight !== null && shown.total !== null && inSight.to >= shown.total - 1;
  const unseen = useTail(open, {
    read: now.read,
    isAtEnd: lastInSight && !shown.hasAfter && shown.loading === null,
    onMore: () => {
      now.noteMore();
      drawAnew();
    },
    onReplaced: () => {
      onJump(anchor.position);
      ask();
    },
  });

  useStoreChanges([open.profile], RETRY_PACE, () => {
    if (now.error) now.retry();
  });
  // Further messages are loaded by reading on; the first of a conversation that had none, at once.
  useEffect(() => {
    if (now.edges.length === 0 && now.hasAfter) now.loadAfter();
  }, [now]);

  const sendTo = (message: string) => handle.current?.go({ message, opens: true });
  const finding = useFind({
    open,
    mode,
    inSight,
    onGo: (message) => handle.current?.go({ message, opens: true, words: [finding.text], inReasoning: finding.inReasoning }),
    onText: (within) => go({ open: { ...open, within: within || undefined } }, true),
    onReasoning: (withinReasoning) => go({ open: { ...open, withinReasoning } }, true),
  });
  const words = useMemo(() => (finding.isOpen ? [finding.text].filter(Boolean) : wordsOf(view.list.find)), [finding.isOpen, finding.text, view.list.find]);
  const [at, sentTo] = finding.isOpen ? [finding.at, finding.sentTo] : [arrival, arrival];
  const inReasoning = finding.isOpen ? finding.inReasoning : view.list.findFields.includes("reasoning");
  const highlights = { words, at, inReasoning, sentTo };

  const onRead = useCallback(
    (place: Place | null, seen: InSight | null, message: string | null) => {
      if (place) keepPlace(document, place);
      else forgetPlace(document);
      current.current = message;
      setInSight((before) => (before && seen && before.from === seen.from && before.to === seen.to ? before : seen));
    },
    [document],
  );

  const known = useRef(target);
  const onLink = useCallback(
    (message: string) => {
      known.current = message;
      go({ open: { ...open, message, segment: null } }, true);
    },
    [go, open],
  );
  const arriveAt = useEffectEvent((message: string) => {
    known.current = message;
    setArrival(message);
    handle.current?.go({ message, opens: true, words: wordsOf(view.list.find), inReasoning: true });
  });
  useEffect(() => {
    if (target !== null && target !== known.current) arriveAt(target);
  }, [target]);
  // The message that was read the last time may be gone.
  const isLost = now.error !== null && now.edges.length === 0 && anchor.position.around !== undefined && anchor.position.around !== target;
  if (isLost) onJump(anchorFor("start"));

  const copyLink = async () => {
    const message = current.current;
    const link = toHref(changeView(view, { open: { ...open, message, segment: null, within: undefined } }));
    const copied = await copyText(new URL(link, location.href).href);
    toast(copied ? { text: message ? "Copied the link to the message" : "Copied the link" } : { text: "The browser did not allow copying", tone: "bad" });
  };
  const closeFind = () => {
    finding.close();
    handle.current?.focus();
  };
  useAction("reader.find", finding.open);
  useAction("reader.mode", () => go({ mode: MODES[(MODES.indexOf(mode) + 1) % MODES.length] }, true));
  useAction("reader.link", () => void copyLink());

  const retryAll = () => {
    now.retry();
    if (headError) onRetry();
  };
  if (now.error && shown.edges.length === 0) return <ProblemPane problem={toProblem(now.error)} onRetry={retryAll} />;
  if (shown.edges.length === 0) return shown.loading === null ? <p className={styles.empty}>There is no message to read here.</p> : <Skeletons />;
  const marks = outline?.marks ?? null;
  const railMarks = finding.hits.length > 0 ? [...(marks ?? []), ...finding.hits].toSorted((a, b) => a.position - b.position) : (marks ?? NO_MARKS);
  return (
    <>
      {headError && <FailureLine subject={open.profile} problem={toProblem(headError)} onRetry={onRetry} />}
      <ReaderBar mode={mode} onMode={(wanted) => go({ mode: wanted }, true)} inSight={inSight} total={shown.total} finding={finding} onCloseFind={closeFind} />
      <div className={styles.transcript}>
        <Transcript handle={handle} window={shown} isMoving={isMoving} mode={mode} marks={marks} first={first} onJump={onJump} onLink={onLink} onRead={onRead} highlights={highlights} />
        <NewMessages count={unseen} onGo={() => handle.current?.go("end")} />
        <TurnRail marks={railMarks} total={outline?.messageCount ?? 0} inSight={inSight} onGo={sendTo} />
      </div>
    </>
  );
}
