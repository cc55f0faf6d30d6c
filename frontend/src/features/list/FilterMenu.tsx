/** The filters of the list: archived, empty, source, model and workspace, each value with its count. */
import { IconButton } from "../../components/IconButton";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "../../components/Menu";
import { count } from "../../lib/format";
import { ARCHIVED, DEFAULT_LIST, type ListView } from "../../lib/view";
import type { FacetValue, Facets } from "./facets";

const ARCHIVED_NAMES: Record<ListView["archived"], string> = {
  exclude: "Without archived",
  include: "With archived",
  only: "Archived alone",
};

interface FilterMenuProps {
  list: ListView;
  facets: Facets | null;
  onChange: (change: Partial<ListView>) => void;
}

export function FilterMenu({ list, facets, onChange }: FilterMenuProps) {
  const active =
    list.sources.length + list.models.length + Number(list.workspace !== null) + Number(list.archived !== "exclude");
  const label = active ? `Filters, ${active} active` : "Filters";
  return (
    <Menu align="end" trigger={<IconButton icon="filter" label={label} aria-pressed={active > 0} />}>
      {ARCHIVED.map((each) => (
        <MenuChoice key={each} exclusive checked={list.archived === each} onSelect={() => onChange({ archived: each })}>
          {ARCHIVED_NAMES[each]}
        </MenuChoice>
      ))}
      <MenuChoice checked={list.empty === "show"} onSelect={() => onChange({ empty: list.empty === "show" ? "hide" : "show" })}>
        With empty ones
      </MenuChoice>
      <Values name="Source" values={facets?.sources} chosen={list.sources} onToggle={(value) => onChange({ sources: toggle(list.sources, value) })} />
      <Values name="Model" values={facets?.models} chosen={list.models} onToggle={(value) => onChange({ models: toggle(list.models, value) })} />
      <Values
        name="Workspace"
        values={facets?.workspaces}
        chosen={list.workspace === null ? [] : [list.workspace]}
        onToggle={(value) => onChange({ workspace: value === list.workspace ? null : value })}
      />
      {active > 0 && (
        <>
          <MenuLine />
          <MenuItem icon="close" onSelect={() => onChange({ sources: [], models: [], workspace: null, archived: DEFAULT_LIST.archived })}>
            Drop all filters
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

const toggle = (values: string[], value: string): string[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value];

const LONGEST = 12;

interface ValuesProps {
  name: string;
  values: FacetValue[] | undefined;
  chosen: string[];
  onToggle: (value: string) => void;
}

/** The most frequent values, and those that are chosen in any case. */
function Values({ name, values, chosen, onToggle }: ValuesProps) {
  const ordered = (values ?? []).toSorted((a, b) => b.count - a.count);
  const shown = ordered.filter(({ value }, index) => index < LONGEST || chosen.includes(value));
  const missing = chosen.filter((value) => !ordered.some((each) => each.value === value));
  const all = [...shown, ...missing.map((value) => ({ value, count: 0 }))];
  if (all.length === 0) return null;
  return (
    <>
      <MenuLine />
      <MenuLabel>{name}</MenuLabel>
      {all.map(({ value, count: many }) => (
        <MenuChoice key={value} checked={chosen.includes(value)} note={count(many)} onSelect={() => onToggle(value)}>
          {value}
        </MenuChoice>
      ))}
      {ordered.length > shown.length && <MenuLabel>and {ordered.length - shown.length} rarer ones</MenuLabel>}
    </>
  );
}
