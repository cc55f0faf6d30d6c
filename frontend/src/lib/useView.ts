/** Reads the view out of the address, and moves to another one. */
import { useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { type CompareView, type OpenView, PAGES, type View, toLocation, toView } from "./view";

const NOWHERE = { message: null, segment: null };

/** The parts of a view that change; `open` may leave out where in the transcript. */
export interface ViewChange {
  list?: Partial<View["list"]>;
  open?: (Omit<OpenView, "message" | "segment"> & Partial<OpenView>) | null;
  mode?: View["mode"];
  panel?: View["panel"];
  page?: View["page"];
  compare?: CompareView;
  usage?: Partial<View["usage"]>;
  binText?: string;
}

/** Opening a conversation leaves another place, and so does comparing. */
export function changeView(view: View, change: ViewChange): View {
  if (change.compare) return { ...view, page: null, open: null, panel: null, compare: change.compare };
  const isLeft = change.open || change.page !== undefined;
  return {
    page: change.page === undefined ? (change.open ? null : view.page) : change.page,
    list: { ...view.list, ...change.list },
    usage: { ...view.usage, ...change.usage },
    compare: isLeft ? undefined : view.compare,
    open: change.open === undefined ? view.open : change.open && { ...NOWHERE, ...change.open },
    mode: change.mode ?? view.mode,
    panel: change.panel === undefined ? view.panel : change.panel,
    binText: change.binText ?? view.binText,
  };
}

export function useView() {
  const search = useSearch({ strict: false });
  const { profile, conversation, session, left, right } = useParams({ strict: false });
  const path = useLocation({ select: (location) => location.pathname });
  const navigate = useNavigate();

  const view = useMemo(() => {
    const id = conversation ?? session;
    const type = conversation === undefined ? "session" : "conversation";
    const page = PAGES.find((each) => path === `/${each}`) ?? null;
    const open = profile !== undefined && id !== undefined ? ({ type, profile, id } as const) : null;
    const compare = profile !== undefined && left !== undefined && right !== undefined ? { profile, left, right } : undefined;
    return toView(search, open, page, compare);
  }, [search, profile, conversation, session, left, right, path]);

  const go = useCallback(
    (change: ViewChange, replace = false) => void navigate({ ...toLocation(changeView(view, change)), replace }),
    [navigate, view],
  );
  return { view, go };
}
