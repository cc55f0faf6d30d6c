/** Reads the view out of the address, and moves to another one. */
import { useNavigate, useParams, useRouterState, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { type OpenView, type View, toLocation, toView } from "./view";

const NOWHERE = { message: null, segment: null };

/** The parts of a view that change; `open` may leave out where in the transcript. */
export interface ViewChange {
  list?: Partial<View["list"]>;
  open?: (Omit<OpenView, "message" | "segment"> & Partial<OpenView>) | null;
  panel?: View["panel"];
}

export function changeView(view: View, change: ViewChange): View {
  return {
    list: { ...view.list, ...change.list },
    open: change.open === undefined ? view.open : change.open && { ...NOWHERE, ...change.open },
    panel: change.panel === undefined ? view.panel : change.panel,
  };
}

export function useView() {
  const search = useSearch({ strict: false });
  const { profile, id } = useParams({ strict: false });
  const path = useRouterState({ select: (state) => state.location.pathname });
  const navigate = useNavigate();

  const view = useMemo(() => {
    const type = path.split("/")[3] === "s" ? "session" : "conversation";
    return toView(search, profile && id ? { type, profile, id } : null);
  }, [search, profile, id, path]);

  const go = useCallback(
    (change: ViewChange, replace = false) => void navigate({ ...toLocation(changeView(view, change)), replace }),
    [navigate, view],
  );
  return { view, go };
}
