/** Narrow windows show one region at a time: an action in the list brings the list into sight first. */
import { useEffect, useRef } from "react";
import { ACTIONS, type Action, type ActionId } from "../lib/actions";
import { useAction, useActionRegistry } from "../lib/useAction";
import { useView } from "../lib/useView";

export const isNarrow = (): boolean => window.matchMedia("(max-width: 719px)").matches;

const isInList = (id: ActionId) => ACTIONS[id].scope === "list" || (ACTIONS[id] as Action).shows === "list";

export function useReveal(): void {
  const registry = useActionRegistry();
  const { view, go } = useView();
  const waiting = useRef<ActionId | null>(null);
  const { open } = view;
  const isElsewhere = view.page !== null || view.compare !== undefined;

  useEffect(() => {
    registry.revealBy((id) => {
      if (!open || !isInList(id) || !isNarrow()) return false;
      waiting.current = id;
      go({ open: null });
      return true;
    });
  }, [registry, open, go]);

  // Other places than the conversations have no list that could answer.
  const comeBack = (id: ActionId) => {
    waiting.current = id;
    go({ page: null });
  };
  useAction("search.focus", () => comeBack("search.focus"), isElsewhere);
  useAction("search.messages", () => comeBack("search.messages"), isElsewhere);

  useEffect(() => {
    const id = waiting.current;
    if (id === null || isElsewhere || (open && isNarrow())) return;
    waiting.current = null;
    registry.run(id);
  }, [registry, open, isElsewhere]);
}
