import { describe, expect, it } from "vitest";
import { noneHidden } from "../../test/builders";
import { DEFAULT_LIST, type ListView } from "../../lib/view";
import { ledgerEntries, narrowings, NO_FILTERS } from "./ledger";

const list = (change: Partial<ListView> = {}): ListView => ({ ...DEFAULT_LIST, ...change });
const reasons = (hidden: object, view = list()) => ledgerEntries({ ...noneHidden, ...hidden }, view);

describe("the ledger", () => {
  it("says nothing when nothing is hidden", () => {
    expect(reasons({})).toEqual([]);
  });

  it("names each reason with its count, and the change that shows those rows", () => {
    const entries = reasons({ automation: 489, archived: 22, empty: 3 });
    expect(entries.map(({ label, show }) => [label, show])).toEqual([
      ["489 automation", { audience: "all" }],
      ["22 archived", { archived: "include" }],
      ["3 empty", { empty: "show" }],
    ]);
  });

  it("drops every filter that counts as other, and those alone", () => {
    const [entry] = reasons({ otherFilters: 5 }, list({ text: "x", sources: ["cli"], archived: "only", audience: "automation", sort: "cost" }));
    expect(entry?.show).toEqual({ ...NO_FILTERS, text: "", empty: "show", archived: "include", audience: "all" });
  });

  it("names what is left out without any filter: what was taken back as a whole", () => {
    const labels = [list(), list({ text: "x" }), list({ audience: "automation" }), list({ archived: "only" })].map((view) => reasons({ otherFilters: 1 }, view)[0]?.label);
    expect(labels).toEqual(["1 taken back", "1 by filters", "1 by filters", "1 by filters"]);
  });

  it("says where rows are that no filter can list", () => {
    const entries = reasons({ subagents: 60, sideRows: 1 });
    expect(entries.map(({ label, show, where }) => [label, show, typeof where])).toEqual([
      ["60 subagents", null, "string"],
      ["1 side row", null, "string"],
    ]);
  });
});

describe("an empty list", () => {
  it("names each filter with the change that drops just that one", () => {
    const filters = narrowings(list({ text: "fox", sources: ["cli", "cron"], audience: "all" }));
    expect(filters).toEqual([
      { name: "text “fox”", drop: { text: "" } },
      { name: "source cli, cron", drop: { sources: [] } },
    ]);
  });

  it("can be emptied by every filter of the list, each named and dropped alone", () => {
    const named = narrowings(
      list({ audience: "all", sources: ["cli"], models: ["m"], workspace: "/w", minCost: 2, activeFrom: "2026-01-01", activeUntil: "2026-01-31", live: "only", endReasons: ["idle"], job: "j1" }),
    );
    expect(named.map(({ name }) => name)).toEqual([
      "source cli", "model m", "workspace /w", "runs of job j1", "cost at least $2.00", "active from 2026-01-01", "active until 2026-01-31", "live now", "ended by idle",
    ]);
    expect(named.flatMap(({ drop }) => Object.keys(drop)).toSorted()).toEqual(Object.keys(NO_FILTERS).toSorted());
    expect(Object.assign({}, ...named.map(({ drop }) => drop))).toEqual(NO_FILTERS);
  });
});
