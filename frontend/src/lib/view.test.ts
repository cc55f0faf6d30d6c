import { describe, expect, it } from "vitest";
import { formatSearch, parseSearch } from "./searchParameters";
import { DEFAULT_LIST, DEFAULT_MODE, DEFAULT_USAGE, NOTHING_TYPED, toHref, toSearch, toView, type View } from "./view";

const everything: View = {
  list: {
    profile: "work",
    audience: "all",
    text: "a&b=c #1",
    find: "gateway/run.py",
    findSort: "oldest",
    findFields: ["content", "reasoning"],
    findRole: "user",
    findArchived: "exclude",
    findFrom: "2026-02-01",
    findUntil: "2026-02-28",
    sources: ["cli", "telegram"],
    models: ["nous/hermes-4"],
    workspace: "/home/me/a b",
    archived: "only",
    empty: "show",
    minCost: 2.5,
    activeFrom: "2026-01-01",
    activeUntil: "2026-01-31",
    live: "only",
    endReasons: ["user_exit", "timeout"],
    job: "5d1f0a77c2e4",
    group: "workspace",
    sort: "cost",
    direction: "asc",
  },
  open: { type: "conversation", profile: "work", id: "20260201_10/00?x", message: "42", segment: null },
  mode: "everything",
  panel: "numbers",
  binText: "old plans",
  page: null,
  usage: {
    period: "custom", since: "2026-03-01", until: "2026-03-29", by: "model", measure: "tokens", audience: "chats",
    only: [{ by: "source", value: "" }, { by: "model", value: "nous/hermes-4:free" }],
  },
};

describe("the address of a view", () => {
  it("is the root alone when nothing differs from the defaults", () => {
    expect(toHref({ list: DEFAULT_LIST, open: null, mode: DEFAULT_MODE, panel: null, page: null, usage: DEFAULT_USAGE })).toBe("/");
  });

  it("carries the whole state there and back", () => {
    const href = toHref(everything);
    const url = new URL(href, "http://localhost");
    const [, , profile, , id] = url.pathname.split("/").map(decodeURIComponent);
    expect(toView(parseSearch(url.search), { type: "conversation", profile: profile ?? "", id: id ?? "" })).toEqual(everything);
  });

  it.each([true, false, undefined])("tells whether reasoning is looked at, too: %s", (withinReasoning) => {
    const open = { ...everything.open, within: "tide", withinReasoning } as View["open"];
    const url = new URL(toHref({ ...everything, open }), "http://localhost");
    expect(toView(parseSearch(url.search), open).open).toEqual(open);
    expect(toHref({ ...everything, open: { ...open, within: "" } as View["open"] })).not.toContain("reasoning=");
  });

  it("of a page names the page", () => {
    expect(toHref({ list: DEFAULT_LIST, open: null, mode: DEFAULT_MODE, panel: null, page: "usage", usage: DEFAULT_USAGE })).toBe("/usage");
    expect(toView(parseSearch("?in=work"), null, "bin")).toMatchObject({ page: "bin", list: { profile: "work" } });
  });

  it("keeps ids with slashes and question marks in one path segment", () => {
    expect(toHref(everything)).toContain("/p/work/c/20260201_10%2F00%3Fx?");
  });

  it("tells one session from a conversation", () => {
    expect(toHref({ ...everything, open: { type: "session", profile: "work", id: "s", message: null, segment: null } })).toMatch(/^\/p\/work\/s\/s\?/);
  });

  it("takes unknown values for absent ones", () => {
    const { list, panel } = toView(parseSearch("?audience=robots&sort=__proto__&panel=x&dir=up"), null);
    expect([list.audience, list.sort, list.direction, panel]).toEqual(["chats", "last_active", "desc", null]);
  });

  it("takes amounts and days that are none for absent ones", () => {
    for (const address of ["?cost=much", "?cost=0", "?cost=-1", "?cost=Infinity", "?since=2026-02-31x", "?through=soon", "?live=maybe", "?group=mood"]) {
      expect(toView(parseSearch(address), null).list).toEqual(DEFAULT_LIST);
    }
  });

  it("keeps a day that moves with the calendar", () => {
    expect(toHref({ ...everything, open: null, panel: null, list: toView(parseSearch("?since=month"), null).list })).toContain("?since=month");
  });

  it("carries how messages are searched while they are searched alone", () => {
    expect(toHref({ ...everything, list: { ...everything.list, find: "" } })).not.toMatch(/order|field|role|found|from|until/);
    expect(toView(parseSearch("?find=x&from=yesterday&until=2026-99-99&field=body&role=me"), null).list).toEqual({ ...DEFAULT_LIST, find: "x" });
  });

  it("tells a search in which nothing is typed yet from the list", () => {
    const { search } = new URL(toHref({ list: { ...DEFAULT_LIST, find: NOTHING_TYPED }, open: null, mode: DEFAULT_MODE, panel: null, page: null, usage: DEFAULT_USAGE }), "http://localhost");
    expect(toView(parseSearch(search), null).list.find).toBe(NOTHING_TYPED);
  });

  it("names days while the period is bounded by them alone, and one row of each grouping", () => {
    expect(toHref({ ...everything, usage: { ...everything.usage, period: "7d" } })).not.toMatch(/begin=|end=/);
    const { usage } = toView(parseSearch("?begin=2026-02-30x&only=model:a&only=model:b&only=mood:c&only=day"), null);
    expect(usage).toEqual({ ...DEFAULT_USAGE, only: [{ by: "model", value: "a" }] });
  });

  it("ignores parameters that it does not know", () => {
    expect(parseSearch("?token=secret&q=hi")).toEqual({ q: "hi" });
  });

  it("repeats a parameter for each of several values", () => {
    expect(formatSearch(toSearch({ ...everything, open: null, mode: DEFAULT_MODE, panel: null, page: null }))).toContain("source=cli&source=telegram");
  });
});
