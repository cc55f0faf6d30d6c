/** Picking rows of the grid: one by one, as ranges from where the cursor was, or all that match. */
import type { MouseEvent } from "react";
import { useAction } from "../../lib/useAction";
import type { Node } from "./ConversationStop";
import type { Stop } from "./rows";
import { EVERYTHING, extend, isNothing, isSelected, NOTHING, type Selection, toggle } from "./selection";
import { conversationsOf } from "./useGridRows";

interface Options {
  stops: readonly Stop<Node>[];
  cursor: number;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  moveTo: (place: number) => void;
}

export function useGridSelection({ stops, cursor, selection, onSelect, moveTo }: Options) {
  const [here] = conversationsOf(stops[cursor]);
  const rangeTo = (node: Node | undefined) => here && node && onSelect(extend(selection, stops.flatMap(conversationsOf), here.nodeId, node.nodeId));
  const extendTo = (place: number) => {
    rangeTo(conversationsOf(stops[place]).at(-1));
    moveTo(place);
  };
  const toggleRow = () => {
    const nodes = conversationsOf(stops[cursor]);
    const wanted = !nodes.every(({ nodeId }) => isSelected(selection, nodeId));
    onSelect(nodes.filter(({ nodeId }) => isSelected(selection, nodeId) !== wanted).reduce(toggle, selection));
  };

  useAction("list.select", toggleRow);
  useAction("list.selectNext", () => extendTo(Math.min(cursor + 1, stops.length - 1)));
  useAction("list.selectPrevious", () => extendTo(Math.max(cursor - 1, 0)));
  useAction("list.selectAll", () => onSelect(EVERYTHING));
  useAction("list.selectNone", () => onSelect(NOTHING), !isNothing(selection));

  /** One by one; with Shift all from the cursor to there. */
  return (node: Node, { shiftKey }: MouseEvent) => {
    if (shiftKey && here) rangeTo(node);
    else onSelect(toggle(selection, node));
  };
}
