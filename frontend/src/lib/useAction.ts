/** Connects components with the action registry. */
import { createContext, useContext, useLayoutEffect, useRef } from "react";
import { type ActionId, ActionRegistry, activeKeys, ariaKeys, type Handler } from "./actions";
import { showKeys } from "./keys";
import { useSettings } from "./useSettings";

export const ActionContext = createContext(new ActionRegistry());

export const useActionRegistry = (): ActionRegistry => useContext(ActionContext);

/** Answers to an action while mounted and enabled. */
export function useAction(id: ActionId, handler: Handler, enabled = true): void {
  const registry = useActionRegistry();
  const latest = useRef(handler);
  // Not a moment after it can be seen: whoever sees a bar may press its key at once.
  useLayoutEffect(() => {
    latest.current = handler;
  });
  useLayoutEffect(() => (enabled ? registry.register(id, () => latest.current()) : undefined), [registry, id, enabled]);
}

/** The keys of an action as they are now: to show (the first of them), and as `aria-keyshortcuts` wants them. */
export function useKeys(id: ActionId | undefined): { shown: string | null; aria: string | undefined } {
  const { singleKeys } = useSettings();
  const [first] = id === undefined ? [] : activeKeys(id, singleKeys);
  return { shown: first === undefined ? null : showKeys(first).join(" "), aria: id && ariaKeys(id) };
}
