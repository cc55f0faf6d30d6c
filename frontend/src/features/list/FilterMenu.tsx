/** The button of the list's filters, and the panel that it opens. */
import { lazy } from "react";
import { Popover } from "../../components/Popover";
import type { ListView } from "../../lib/view";
import type { Facets } from "./facets";
import { narrowings } from "./ledger";

const FilterPanel = lazy(() => import("./FilterPanel").then((module) => ({ default: module.FilterPanel })));

interface FilterMenuProps {
  list: ListView;
  facets: Facets | null;
  onChange: (change: Partial<ListView>) => void;
}

export function FilterMenu({ list, facets, onChange }: FilterMenuProps) {
  // The audience and the text have their own places.
  const active = narrowings({ ...list, text: "", audience: "all" }).length;
  return (
    <Popover icon="filter" label={active ? `Filters, ${active} active` : "Filters"} title="Filters" pressed={active > 0}>
      <FilterPanel list={list} facets={facets} hasFilters={active > 0} onChange={onChange} />
    </Popover>
  );
}
