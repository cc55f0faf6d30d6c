/** Finds a text in all messages of a transcript, also those that are not loaded or folded, and goes from hit to hit. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { Mode, OpenView } from "../../lib/view";
import type { Mark } from "./outline";
import type { InSight } from "./Transcript";
import { useOutline } from "./useOutline";

export interface Finding {
  isOpen: boolean;
  text: string;
  setText: (text: string) => void;
  open: () => void;
  close: () => void;
  step: (direction: 1 | -1) => void;
  /** From 0; null before anything was gone to. */
  index: number | null;
  count: number;
  isLoading: boolean;
  hits: readonly Mark[];
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
}

export function useFind({ open, mode, inSight, onGo, onText }: FindOptions): Finding {
  const [isAsked, setAsked] = useState(false);
  const [last, setLast] = useState("");
  const { within } = open;
  const isOpen = isAsked || within !== undefined;
  const text = within ?? "";
  const [current, setCurrent] = useState<{ index: number; hits: readonly Mark[] } | null>(null);
  const isPaused = !isOpen || text === "";
  const { outline, isLoading } = useOutline(open, mode, text, isPaused);
  const hits = useMemo(() => (isPaused ? NO_HITS : (outline?.marks.filter((mark) => mark.kind === "HIT") ?? NO_HITS)), [isPaused, outline]);
  const count = isPaused ? 0 : (outline?.counts.find(({ kind }) => kind === "HIT")?.count ?? 0);
  const index = current !== null && current.hits === hits ? current.index : null;

  const goTo = (next: number) => {
    const hit = hits[next];
    if (!hit) return;
    setCurrent({ index: next, hits });
    onGo(hit.message);
  };
  const reading = useRef({ inSight, goTo, named: open.message });
  useEffect(() => {
    reading.current = { inSight, goTo, named: open.message };
  });
  // The first hit of a text is the one from what is in sight on, and before anything is, the message of the address.
  useEffect(() => {
    if (hits.length === 0) return;
    const from = reading.current.inSight?.from ?? 0;
    const named = reading.current.inSight ? -1 : hits.findIndex((hit) => hit.message === reading.current.named);
    const next = named < 0 ? hits.findIndex((hit) => hit.position >= from) : named;
    reading.current.goTo(Math.max(0, next));
  }, [hits]);

  return {
    isOpen,
    text,
    setText: onText,
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
    sentTo: current,
  };
}
