import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ActionRegistry } from "./actions";
import { ActionContext, useAction } from "./useAction";

function Bar({ onDelete }: { onDelete: () => void }) {
  useAction("list.delete", onDelete);
  return <p>128 selected</p>;
}

// As in a browser: `act` would run effects before anybody can look.
beforeEach(() => vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false));
afterEach(() => vi.unstubAllGlobals());

it("answers to its key as soon as it can be seen, also where it was loaded late", async () => {
  const registry = new ActionRegistry();
  const onDelete = vi.fn<() => void>();
  const place = document.body.appendChild(document.createElement("div"));
  const answered = new Promise<boolean>((resolve) => {
    new MutationObserver(() => resolve(registry.run("list.delete"))).observe(place, { childList: true, subtree: true });
  });
  const root = createRoot(place);
  startTransition(() => root.render(<ActionContext value={registry}><Bar onDelete={onDelete} /></ActionContext>));
  expect(await answered).toBe(true);
  expect(onDelete).toHaveBeenCalledOnce();
  root.unmount();
  expect(registry.isAlive("list.delete")).toBe(false);
});
