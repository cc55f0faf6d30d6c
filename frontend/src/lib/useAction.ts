/** Connects components with the action registry. */
import { createContext, useContext, useEffect, useRef } from "react";
import { type ActionId, ActionRegistry, activeKeys, ariaKeys, type Handler } from "./actions";
import { showKeys } from "./keys";
import { useSettings } from "./useSettings";

export const ActionContext = createContext(new ActionRegistry());

export const useActionRegistry = (): ActionRegistry => useContext(ActionContext);

/** Answers to an action while mounted and enabled. */
export function useAction(id: ActionId, handler: Handler, enabled = true): void {
  const registry = useActionRegistry();
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => (enabled ? registry.register(id, () => latest.current()) : undefined), [registry, id, enabled]);
}

/** The keys of an action as they are now: to show (the first of them), and as `aria-keyshortcuts` wants them. */
export function useKeys(id: ActionId | undefined): { shown: string | null; aria: string | undefined } {
  const { singleKeys } = useSettings();
  const [first] = id === undefined ? [] : activeKeys(id, singleKeys);
  return { shown: first === undefined ? null : showKeys(first).join(" "), aria: id && ariaKeys(id) };
}
