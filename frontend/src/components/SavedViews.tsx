/** The button of the saved views: it bears the name of the one that is shown. */
import { lazy, useSyncExternalStore } from "react";
import { getSavedViews, subscribeToSavedViews, viewOf } from "../lib/savedViews";
import type { ListView } from "../lib/view";
import { Popover } from "./Popover";

const SavedViewsPanel = lazy(() => import("./SavedViewsPanel").then((module) => ({ default: module.SavedViewsPanel })));

interface SavedViewsProps {
  list: ListView;
  onChange: (list: ListView) => void;
}

export function SavedViews({ list, onChange }: SavedViewsProps) {
  const views = useSyncExternalStore(subscribeToSavedViews, getSavedViews);
  const active = viewOf(list, views);
  return (
    <Popover icon="bookmark" label={active ? `Saved views: ${active.name}` : "Saved views"} title="Saved views" pressed={active !== null}>
      <SavedViewsPanel list={list} views={views} active={active} onChange={onChange} />
    </Popover>
  );
}
