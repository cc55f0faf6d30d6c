/** Introduces the parts to each other: router, API client, actions, toasts, and the door where a token is asked for. */
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { Provider } from "urql";
import { ToastProvider } from "../components/Toasts";
import { createApiClient } from "../graphql/client";
import { LiveSocket } from "../graphql/live";
import { LiveContext } from "../graphql/useLive";
import { ActionRegistry } from "../lib/actions";
import { saveToken } from "../lib/token";
import { ActionContext } from "../lib/useAction";
import { createDashboardRouter } from "./router";
import { TokenForm } from "./TokenForm";

export function App() {
  const [refusals, setRefusals] = useState(0);
  const [isLocked, setLocked] = useState(false);
  const registry = useMemo(() => new ActionRegistry(), []);
  const router = useMemo(() => createDashboardRouter(), []);
  // oxlint-disable-next-line react/exhaustive-deps -- another token means another socket
  const live = useMemo(() => new LiveSocket(), [refusals]);
  const client = useMemo(() => createApiClient(live, () => setLocked(true)), [live]);

  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => registry.handleKey(event);
    window.addEventListener("keydown", handleKey);
    return () => window.removeEventListener("keydown", handleKey);
  }, [registry]);

  useEffect(() => live.close, [live]);

  const unlock = (token: string) => {
    saveToken(token);
    setRefusals((count) => count + 1);
    setLocked(false);
  };

  if (isLocked) return <TokenForm wasRefused={refusals > 0} onToken={unlock} />;
  return (
    <Provider value={client}>
      <LiveContext value={live}>
        <ActionContext value={registry}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </ActionContext>
      </LiveContext>
    </Provider>
  );
}
