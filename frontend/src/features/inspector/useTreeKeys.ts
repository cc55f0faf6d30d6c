/** The keys of a tree: arrows, Home and End, Enter, and letters that go to the next title which begins with them. */
import { type KeyboardEvent, useRef } from "react";
import { ACTIONS } from "../../lib/actions";
import { findByTitle, type LineageNode, type TreeRow } from "./lineage";

const TYPING_TIME = 900;
/** Keys with a meaning of their own here, unless they go on with what is being typed. */
const RESERVED: ReadonlySet<string> = new Set([...ACTIONS["lineage.compare"].keys, ...ACTIONS["inspector.toggle"].keys, "?", "/", " "]);

interface TreeKeys {
  visible: readonly TreeRow[];
  cursor: number;
  folded: ReadonlySet<string>;
  moveTo: (index: number) => void;
  fold: (id: string, isFolded: boolean) => void;
  show: (node: LineageNode) => void;
}

export function useTreeKeys({ visible, cursor, folded, moveTo, fold, show }: TreeKeys) {
  const typing = useRef({ text: "", at: 0 });

  const type = (key: string, now: number) => {
    const { text, at } = typing.current;
    const isNew = now - at > TYPING_TIME;
    const before = isNew || text === key ? "" : text;
    typing.current = { text: before + key, at: now };
    const found = findByTitle(visible, typing.current.text, before ? cursor : cursor + 1);
    if (found !== null) moveTo(found);
  };

  return (event: KeyboardEvent) => {
    const row = visible[cursor];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const { id } = row.node.session;
    const isFolded = folded.has(id);
    const parent = row.parent === null ? -1 : visible.findLastIndex((each, index) => index < cursor && each.node.session.id === row.node.parentId);
    const moves: Record<string, () => void> = {
      ArrowDown: () => moveTo(cursor + 1),
      ArrowUp: () => moveTo(cursor - 1),
      Home: () => moveTo(0),
      End: () => moveTo(visible.length - 1),
      Enter: () => show(row.node),
      ArrowRight: () => (row.hasChildren && isFolded ? fold(id, false) : row.hasChildren && moveTo(cursor + 1)),
      ArrowLeft: () => (row.hasChildren && !isFolded ? fold(id, true) : parent >= 0 && moveTo(parent)),
    };
    const move = moves[event.key];
    const isTyping = event.timeStamp - typing.current.at <= TYPING_TIME;
    if (!move && (event.key.length > 1 || (RESERVED.has(event.key) && !isTyping))) return;
    event.preventDefault();
    if (move) move();
    else type(event.key, event.timeStamp);
  };
}
