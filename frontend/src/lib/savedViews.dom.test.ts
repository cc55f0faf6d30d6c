import { beforeEach, describe, expect, it, vi } from "vitest";
import { DEFAULT_VIEWS, deleteView, getSavedViews, listOf, renameView, saveView, setSavedViews, subscribeToSavedViews, viewOf } from "./savedViews";
import { DEFAULT_LIST, type ListView } from "./view";

const list: ListView = { ...DEFAULT_LIST, audience: "all", sources: ["cli"], minCost: 2 };
const names = () => getSavedViews().map(({ name }) => name);
const store = (text: string) => localStorage.setItem("hermes-sessions.views", text);

describe("saved views", () => {
  beforeEach(() => localStorage.clear());

  it("are some useful ones at first, each an address that says something", () => {
    expect(getSavedViews()).toBe(DEFAULT_VIEWS);
    for (const view of DEFAULT_VIEWS) expect(viewOf(listOf(view), DEFAULT_VIEWS)).toBe(view);
    expect(viewOf(DEFAULT_LIST, DEFAULT_VIEWS)).toBeNull();
  });

  it("give the list back that was saved, and know it again", () => {
    saveView("  My   view ", list);
    const view = getSavedViews().at(-1);
    expect(view?.name).toBe("My view");
    expect(view && listOf(view)).toEqual(list);
    expect(viewOf(list, getSavedViews())).toBe(view);
  });

  it("replace one of the same name", () => {
    saveView("Mine", list);
    saveView("Mine", { ...list, minCost: 9 });
    expect(names().filter((name) => name === "Mine")).toHaveLength(1);
    expect(getSavedViews().at(-1)?.search).toContain("cost=9");
  });

  it("are renamed, but not to nothing or to a name that is taken", () => {
    saveView("Mine", list);
    expect(renameView("Mine", " ")).toBe("A view needs a name.");
    expect(renameView("Mine", "Archived")).toBe("There is a view “Archived” already.");
    expect(renameView("Mine", "Ours")).toBeNull();
    expect(names().at(-1)).toBe("Ours");
  });

  it("can all be deleted", () => {
    for (const name of names()) deleteView(name);
    expect(getSavedViews()).toEqual([]);
  });

  it("tell who listens, and are the same array until then", () => {
    const listener = vi.fn<() => void>();
    const stop = subscribeToSavedViews(listener);
    saveView("Mine", list);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(getSavedViews()).toBe(getSavedViews());
    stop();
    setSavedViews([]);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("survive whatever stands in the store", () => {
    for (const broken of ["", "{", "null", "7", '"x"', '{"name":"x"}']) {
      store(broken);
      expect(getSavedViews()).toBe(DEFAULT_VIEWS);
    }
    store(JSON.stringify([null, 1, {}, { name: "", search: "" }, { name: "a" }, { name: "good", search: "?q=x" }, { name: "good", search: "?q=y" }]));
    expect(getSavedViews()).toEqual([{ name: "good", search: "?q=x" }]);
  });
});
