/** The order of the list. */
import { IconButton } from "../../components/IconButton";
import { Menu, MenuChoice, MenuLabel, MenuLine } from "../../components/Menu";
import { type ListView, SORTS } from "../../lib/view";

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
    </Menu>
  );
}
