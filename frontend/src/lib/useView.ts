/** Reads the view out of the address, and moves to another one. */
import { useLocation, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { type OpenView, PAGES, type View, toLocation, toView } from "./view";

const NOWHERE = { message: null, segment: null };

/** The parts of a view that change; `open` may leave out where in the transcript. */
export interface ViewChange {
  list?: Partial<View["list"]>;
  open?: (Omit<OpenView, "message" | "segment"> & Partial<OpenView>) | null;
  panel?: View["panel"];
  page?: View["page"];
  usage?: Partial<View["usage"]>;
  binText?: string;
}

/** Opening a conversation leaves another place. */
export function changeView(view: View, change: ViewChange): View {
  return {
    page: change.page === undefined ? (change.open ? null : view.page) : change.page,
    list: { ...view.list, ...change.list },
    usage: { ...view.usage, ...change.usage },
    open: change.open === undefined ? view.open : change.open && { ...NOWHERE, ...change.open },
    panel: change.panel === undefined ? view.panel : change.panel,
    binText: change.binText ?? view.binText,
  };
}

export function useView() {
  const search = useSearch({ strict: false });
  const { profile, conversation, session } = useParams({ strict: false });
  const path = useLocation({ select: (location) => location.pathname });
  const navigate = useNavigate();

  const view = useMemo(() => {
    const id = conversation ?? session;
    const type = conversation === undefined ? "session" : "conversation";
    const page = PAGES.find((each) => path === `/${each}`) ?? null;
    return toView(search, profile !== undefined && id !== undefined ? { type, profile, id } : null, page);
  }, [search, profile, conversation, session, path]);

  const go = useCallback(
    (change: ViewChange, replace = false) => void navigate({ ...toLocation(changeView(view, change)), replace }),
    [navigate, view],
  );
  return { view, go };
}
