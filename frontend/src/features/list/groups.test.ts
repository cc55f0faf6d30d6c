import { describe, expect, it } from "vitest";
import { DEFAULT_LIST, type ListView } from "../../lib/view";
import { disjoint, facetGrouping, toGroups } from "./groups";

const list = (change: Partial<ListView>): ListView => ({ ...DEFAULT_LIST, ...change });
const kept = (folders: Record<string, number>) => disjoint(Object.entries(folders).map(([value, count]) => ({ value, count }))).map(({ value }) => value);
const facets = {
  audiences: { chats: 0, automation: 0, all: 0 },
  models: [],
  sources: [{ value: "cli", count: 2 }, { value: "cron", count: 9 }, { value: "tui", count: 1 }],
  workspaces: [{ value: "/home/me/work/api", count: 4 }, { value: "/srv", count: 6 }],
};

describe("the groups of a list", () => {
  it("are the sources that are there, the largest first", () => {
    expect(toGroups(list({ group: "source" }), facets).map(({ value }) => value)).toEqual(["cron", "cli", "tui"]);
  });

  it("are the chosen sources alone where some are chosen", () => {
    expect(toGroups(list({ group: "source", sources: ["tui", "cli"] }), facets).map(({ value }) => value)).toEqual(["cli", "tui"]);
  });

  it("are workspaces by their last two folders, each narrowing the list to itself", () => {
    expect(toGroups(list({ group: "workspace" }), facets)).toEqual([
      { value: "/srv", name: "srv", narrow: { workspace: "/srv" } },
      { value: "/home/me/work/api", name: "work/api", narrow: { workspace: "/home/me/work/api" } },
    ]);
  });

  it("are none in a list that is narrowed to one of them", () => {
    expect(facetGrouping(list({ group: "source", sources: ["cli"] }))).toBeNull();
    expect(facetGrouping(list({ group: "workspace", workspace: "/srv" }))).toBeNull();
    expect(facetGrouping(list({ group: "day" }))).toBeNull();
  });

  it("never count a conversation twice: a folder holds its subfolders, or gives way to them", () => {
    expect(kept({ "/a": 10, "/a/docs": 2, "/ab": 1 })).toEqual(["/a", "/ab"]);
    expect(kept({ "/me": 12, "/me/x": 6, "/me/y": 5, "/me/y/z": 1 })).toEqual(["/me/x", "/me/y"]);
  });
});
