/** Finds a text in all messages of a transcript, also those that are not loaded or folded, and goes from hit to hit. */
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { Mode, OpenView } from "../../lib/view";
import { showsReasoning } from "./modes";
import type { Mark } from "./outline";
import type { InSight } from "./Transcript";
import { useOutline } from "./useOutline";

export interface Finding {
  isOpen: boolean;
  text: string;
  setText: (text: string) => void;
  /** Whether it is looked for in reasoning, too. */
  inReasoning: boolean;
  setInReasoning: (inReasoning: boolean) => void;
  open: () => void;
  close: () => void;
  step: (direction: 1 | -1) => void;
  /** From 0; null before anything was gone to. */
  index: number | null;
  count: number;
  isLoading: boolean;
  hits: readonly Mark[];
  /** The message that the reader was sent to. */
  at: string | null;
  /** Another value whenever the reader was sent to a hit. */
  sentTo: unknown;
}

const NO_HITS: readonly Mark[] = [];

interface FindOptions {
  open: OpenView;
  mode: Mode;
  inSight: InSight | null;
  onGo: (messageId: string) => void;
  /** Keeps in the address what is looked for; nothing once the bar is closed. */
  onText: (text: string | undefined) => void;
  onReasoning: (inReasoning: boolean) => void;
}

export function useFind({ open, mode, inSight, onGo, onText, onReasoning }: FindOptions): Finding {
  const [isAsked, setAsked] = useState(false);
  const [last, setLast] = useState("");
  const { within } = open;
  const isOpen = isAsked || within !== undefined;
  const text = within ?? "";
  const [current, setCurrent] = useState<{ index: number; hits: readonly Mark[] } | null>(null);
  const isPaused = !isOpen || text === "";
  const inReasoning = open.withinReasoning ?? showsReasoning(mode);
  const { outline, isLoading } = useOutline(open, mode, { text, inReasoning }, isPaused);
  const hits = useMemo(() => (isPaused ? NO_HITS : (outline?.marks.filter((mark) => mark.kind === "HIT") ?? NO_HITS)), [isPaused, outline]);
  const count = isPaused ? 0 : (outline?.counts.find(({ kind }) => kind === "HIT")?.count ?? 0);
  const index = current !== null && current.hits === hits ? current.index : null;

  const goTo = (next: number) => {
    const hit = hits[next];
    if (!hit) return;
    setCurrent({ index: next, hits });
    onGo(hit.message);
  };
  const named = useRef(within === undefined ? null : open.message);
  const goToFirst = useEffectEvent(() => {
    if (current?.hits === hits || hits.length === 0) return;
    const own = hits.findIndex((hit) => hit.message === named.current);
    const next = own < 0 ? hits.findIndex((hit) => hit.position >= (inSight?.from ?? 0)) : own;
    named.current = null;
    goTo(Math.max(0, next));
  });
  // The first hit of a text is the one from what is in sight on; of the text in an address, its message.
  const isReading = inSight !== null;
  useEffect(() => {
    if (isReading) goToFirst();
    // oxlint-disable-next-line react/exhaustive-deps -- for other hits
  }, [hits, isReading]);

  return {
    isOpen,
    text,
    setText: onText,
    inReasoning,
    setInReasoning: onReasoning,
    open: () => {
      setAsked(true);
      if (within === undefined && last) onText(last);
    },
    close: () => {
      setAsked(false);
      setLast(text);
      onText(undefined);
    },
    step: (direction) => goTo(index === null ? 0 : (index + direction + hits.length) % hits.length),
    index,
    count,
    isLoading: !isPaused && isLoading,
    hits,
    at: index === null ? null : (hits[index]?.message ?? null),
    sentTo: current,
  };
}
