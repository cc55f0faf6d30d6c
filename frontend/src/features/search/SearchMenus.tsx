/** The filters and the order of a search. */
import { IconButton } from "../../components/IconButton";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "../../components/Menu";
import { ARCHIVED, DEFAULT_LIST, FIND_FIELDS, FIND_ROLES, FIND_SORTS, type ListView } from "../../lib/view";
import { narrowings, searchedFields, toggleField } from "./scope";

const FIELDS: Record<ListView["findFields"][number], string> = {
  id: "Ids",
  title: "Titles",
  content: "Messages",
  tool: "Tool calls and results",
  reasoning: "Reasoning",
};
const ROLES: Record<NonNullable<ListView["findRole"]>, string> = { user: "You", assistant: "The assistant", tool: "Tools" };
const ARCHIVED_NAMES: Record<ListView["findArchived"], string> = {
  exclude: "Without archived",
  include: "With archived",
  only: "Archived alone",
};
const SORTS: Record<ListView["findSort"], string> = { relevance: "Best first", newest: "Newest first", oldest: "Oldest first" };

interface SearchMenuProps {
  list: ListView;
  onChange: (change: Partial<ListView>) => void;
}

export function FilterMenu({ list, onChange, onDays }: SearchMenuProps & { onDays: () => void }) {
  const active = narrowings(list).length;
  const { findFields, findRole, findArchived, findFrom, findUntil } = DEFAULT_LIST;
  const searched = searchedFields(list);
  return (
    <Menu align="end" trigger={<IconButton icon="filter" label={active ? `Filters, ${active} active` : "Filters"} aria-pressed={active > 0} />}>
      <MenuLabel>Search in</MenuLabel>
      {FIND_FIELDS.map((each) => (
        <MenuChoice
          key={each}
          checked={searched.includes(each)}
          note={each === "reasoning" ? "slower" : undefined}
          onSelect={() => onChange(toggleField(list, each))}
        >
          {FIELDS[each]}
        </MenuChoice>
      ))}
      <MenuLine />
      <MenuLabel>Written by</MenuLabel>
      <MenuChoice exclusive checked={list.findRole === null} onSelect={() => onChange({ findRole: null })}>
        Anyone
      </MenuChoice>
      {FIND_ROLES.map((each) => (
        <MenuChoice key={each} exclusive checked={list.findRole === each} onSelect={() => onChange({ findRole: each })}>
          {ROLES[each]}
        </MenuChoice>
      ))}
      <MenuLine />
      {ARCHIVED.map((each) => (
        <MenuChoice key={each} exclusive checked={list.findArchived === each} onSelect={() => onChange({ findArchived: each })}>
          {ARCHIVED_NAMES[each]}
        </MenuChoice>
      ))}
      <MenuLine />
      <MenuItem icon="filter" onSelect={onDays}>
        Between two days
      </MenuItem>
      {active > 0 && (
        <MenuItem icon="close" onSelect={() => onChange({ findFields, findRole, findArchived, findFrom, findUntil })}>
          Drop all filters
        </MenuItem>
      )}
    </Menu>
  );
}

export function SortMenu({ list, onChange }: SearchMenuProps) {
  return (
    <Menu align="end" trigger={<IconButton icon="sort" label={`Order: ${SORTS[list.findSort]}`} />}>
      <MenuLabel>Order</MenuLabel>
      {FIND_SORTS.map((each) => (
        <MenuChoice key={each} exclusive checked={each === list.findSort} onSelect={() => onChange({ findSort: each })}>
          {SORTS[each]}
        </MenuChoice>
      ))}
    </Menu>
  );
}
