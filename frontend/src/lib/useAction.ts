/** Connects components with the action registry. */
import { createContext, useContext, useEffect, useRef } from "react";
import { type ActionId, ActionRegistry, type Handler } from "./actions";

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
