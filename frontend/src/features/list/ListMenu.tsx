/** What can be done with the list as a whole. */
import { IconButton } from "../../components/IconButton";
import { Menu, MenuItem, MenuLine } from "../../components/Menu";
import { count } from "../../lib/format";
import { useKeys } from "../../lib/useAction";

interface ListMenuProps {
  total: number;
  hasSelection: boolean;
  onSelectAll: () => void;
  onClear: () => void;
  onPrune: () => void;
}

export function ListMenu({ total, hasSelection, onSelectAll, onClear, onPrune }: ListMenuProps) {
  const keys = { all: useKeys("list.selectAll"), none: useKeys("list.selectNone"), prune: useKeys("prune.open") };
  return (
    <Menu align="end" trigger={<IconButton icon="more" label="More for the list" />}>
      <MenuItem icon="check" note={keys.all.shown} disabled={total === 0} onSelect={onSelectAll}>
        Select all {count(total)} that match
      </MenuItem>
      <MenuItem icon="close" note={keys.none.shown} disabled={!hasSelection} onSelect={onClear}>
        Select nothing
      </MenuItem>
      <MenuLine />
      <MenuItem icon="trash" note={keys.prune.shown} onSelect={onPrune}>
        Prune old conversations…
      </MenuItem>
    </Menu>
  );
}
