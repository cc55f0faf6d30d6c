/** The order of the list, and what its rows are grouped by. */
import { IconButton } from "../../components/IconButton";
import { Menu, MenuChoice, MenuLabel, MenuLine } from "../../components/Menu";
import { LIST_GROUPS, type ListView, SORTS } from "../../lib/view";

const GROUP_NAMES: Record<ListView["group"], string> = { day: "Day", workspace: "Workspace", source: "Source", none: "No groups" };

const NAMES: Record<ListView["sort"], string> = {
  last_active: "Last active",
  started: "Started",
  messages: "Messages",
  tokens: "Tokens",
  cost: "Cost",
  title: "Title",
};

const BY_TIME = ["Newest first", "Oldest first"] as const;
const BY_SIZE = ["Most first", "Least first"] as const;
const DIRECTION_NAMES: Record<ListView["sort"], readonly [descending: string, ascending: string]> = {
  last_active: BY_TIME,
  started: BY_TIME,
  messages: BY_SIZE,
  tokens: BY_SIZE,
  cost: BY_SIZE,
  title: ["Z to A", "A to Z"],
};

interface SortMenuProps {
  list: ListView;
  onChange: (change: Partial<ListView>) => void;
}

export function SortMenu({ list, onChange }: SortMenuProps) {
  const { sort, direction } = list;
  const [descending, ascending] = DIRECTION_NAMES[sort];
  return (
    <Menu align="end" trigger={<IconButton icon="sort" label={`Order: ${NAMES[sort]}`} />}>
      <MenuLabel>Order by</MenuLabel>
      {SORTS.map((each) => (
        <MenuChoice key={each} exclusive checked={each === sort} onSelect={() => onChange({ sort: each, direction: each === "title" ? "asc" : "desc" })}>
          {NAMES[each]}
        </MenuChoice>
      ))}
      <MenuLine />
      <MenuChoice exclusive checked={direction === "desc"} onSelect={() => onChange({ direction: "desc" })}>
        {descending}
      </MenuChoice>
      <MenuChoice exclusive checked={direction === "asc"} onSelect={() => onChange({ direction: "asc" })}>
        {ascending}
      </MenuChoice>
      <MenuLine />
      <MenuLabel>Group by</MenuLabel>
      {LIST_GROUPS.map((each) => (
        <MenuChoice key={each} exclusive checked={list.group === each} onSelect={() => onChange({ group: each })}>
          {GROUP_NAMES[each]}
        </MenuChoice>
      ))}
    </Menu>
  );
}
