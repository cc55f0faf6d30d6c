/** The selection of the list: survives pages and answers that come anew, ends where another list is shown. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useToast } from "../../components/Toasts";
import { plural } from "../../lib/format";
import { among, EVERYTHING, isNothing, isSelected, NOTHING, type Selectable, type Selection, sizeOf } from "./selection";

interface Leaving {
  selection: Selection;
  /** The answer that was there when the change was done; a later one knows of it. Undefined while it is going on. */
  since?: unknown;
}

interface Options<Node> {
  nodes: readonly Node[];
  total: number;
  /** `nodes` are all that match, and that is how it is now. */
  isWhole: boolean;
  /** The answer that the list stands on, and whether a newer one is on its way. */
  answer: unknown;
  isOld: boolean;
  /** Which list this is: profiles and filter. */
  list: string;
}

export function useSelection<Node extends Selectable>({ nodes, total, isWhole, answer, isOld, list }: Options<Node>) {
  const toast = useToast();
  const [held, setHeld] = useState({ list, selection: NOTHING, gone: 0 });
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const selection = held.list === list ? held.selection : NOTHING;
  const select = useCallback((next: Selection) => setHeld({ list, selection: next, gone: 0 }), [list]);

  if (held.list !== list) {
    setHeld({ list, selection: NOTHING, gone: 0 });
    setLeaving(null);
  } else if (leaving && "since" in leaving && !isOld && leaving.since !== answer) {
    setLeaving(null);
  } else if (isWhole && !leaving) {
    const left = among(selection, nodes);
    if (left.selection !== selection) setHeld({ list, ...left });
  }

  const before = useRef({ list, selection });
  useEffect(() => {
    const was = before.current;
    before.current = { list, selection };
    if (was.list === list || isNothing(was.selection)) return;
    const size = was.selection.all ? "all that matched" : plural(was.selection.picks.size, "conversation");
    toast({ text: `Another list is shown: ${size} no longer selected` });
  }, [list, selection, toast]);
  useEffect(() => {
    if (held.gone > 0) toast({ text: `${plural(held.gone, "selected conversation")} left the list` });
  }, [held, toast]);

  const latest = useRef(answer);
  useEffect(() => {
    latest.current = answer;
  }, [answer]);

  const shown = useMemo(() => (leaving ? nodes.filter(({ nodeId }) => !isSelected(leaving.selection, nodeId)) : nodes), [nodes, leaving]);

  return {
    selection,
    size: sizeOf(selection, total),
    select,
    selectAll: () => select(EVERYTHING),
    clear: () => select(NOTHING),
    /** The conversations without those that are on their way out. */
    shown,
    isLeaving: leaving !== null,
    leave: (out: Selection) => setLeaving({ selection: out }),
    /** The change is done: an answer later than the present one shows what it did. */
    settle: () => setLeaving((out) => out && { ...out, since: latest.current }),
    /** They stay after all. */
    stay: () => setLeaving(null),
  };
}
