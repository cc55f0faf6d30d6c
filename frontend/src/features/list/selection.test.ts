import { describe, expect, it } from "vitest";
import { among, EVERYTHING, extend, isNothing, isSelected, known, NOTHING, type Selectable, type Selection, sizeOf, toggle } from "./selection";

const item = (nodeId: string): Selectable => ({ nodeId, id: nodeId, displayTitle: nodeId, archived: false, messageCount: 1, profile: { name: "default" } });
const items = [..."abcdef"].map(item);
const names = (selection: Selection) => items.filter(({ nodeId }) => isSelected(selection, nodeId)).map(({ nodeId }) => nodeId).join("");
const toggled = (nodeIds: string, selection = NOTHING) => [...nodeIds].reduce((each, nodeId) => toggle(each, item(nodeId)), selection);

describe("a selection", () => {
  it("takes what is toggled, and gives it back", () => {
    expect(names(toggled("ac"))).toBe("ac");
    expect(names(toggled("aca"))).toBe("c");
    expect(isNothing(toggled("aa"))).toBe(true);
  });

  it("knows what is picked also where the list no longer holds it", () => {
    const fresh = { ...item("a"), archived: true };
    expect(known(toggled("az"), [fresh])).toEqual([fresh, item("z")]);
  });

  it("loses what the whole list no longer holds, and counts it", () => {
    const { selection, gone } = among(toggled("abz"), items);
    expect([names(selection), gone]).toEqual(["ab", 1]);
    const same = toggled("ab");
    expect(among(same, items)).toEqual({ selection: same, gone: 0 });
  });
});

describe("a range", () => {
  it("begins where the cursor stood when nothing was selected", () => {
    expect(names(extend(NOTHING, items, "b", "c"))).toBe("bc");
  });

  it("begins at what was toggled last, in both directions", () => {
    expect(names(extend(toggled("d"), items, "a", "b"))).toBe("bcd");
    expect(names(extend(toggled("d"), items, "a", "f"))).toBe("def");
  });

  it("gives back what it took when it shrinks or turns, and nothing else", () => {
    const grown = extend(toggled("ac"), items, "c", "e");
    expect(names(grown)).toBe("acde");
    expect(names(extend(grown, items, "e", "d"))).toBe("acd");
    expect(names(extend(grown, items, "e", "b"))).toBe("abc");
  });

  it("begins anew at the cursor when its beginning has left the list", () => {
    expect(names(extend(toggled("az"), items, "c", "d"))).toBe("acd");
  });

  it("does nothing towards a conversation that is not in the list", () => {
    const before = toggled("a");
    expect(extend(before, items, "a", "z")).toBe(before);
  });
});

describe("all that match", () => {
  it("holds also what is not loaded, and counts by the list", () => {
    expect(isSelected(EVERYTHING, "not loaded")).toBe(true);
    expect(sizeOf(EVERYTHING, 412)).toBe(412);
    expect(known(EVERYTHING, items)).toEqual(items);
  });

  it("may leave some out, and take them again by a range", () => {
    const without = toggled("bc", EVERYTHING);
    expect([names(without), sizeOf(without, 412)]).toEqual(["adef", 410]);
    expect(known(without, items).map(({ nodeId }) => nodeId).join("")).toBe("adef");
    expect(names(extend(without, items, "c", "a"))).toBe("abcdef");
  });

  it("forgets an exception that is gone without a word", () => {
    const { selection, gone } = among(toggled("bz", EVERYTHING), items);
    expect([sizeOf(selection, 6), gone]).toEqual([5, 0]);
  });
});
