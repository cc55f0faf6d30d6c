import { describe, expect, it } from "vitest";
import { DEFAULT_LIST, type ListView } from "../../lib/view";
import { leftOut, narrowings, toggleField } from "./scope";
import { searchVariables } from "./searchQuery";

const list = (change: Partial<ListView> = {}): ListView => ({ ...DEFAULT_LIST, find: "fox", ...change });

describe("what is searched", () => {
  it("is everything but reasoning unless fields are named", () => {
    expect(searchVariables(list())).toMatchObject({ text: "fox", profiles: [], sort: "RELEVANCE", filter: { archived: "INCLUDE", fields: undefined } });
  });

  it("takes reasoning in, and leaves it out again without a trace", () => {
    const more = toggleField(list(), "reasoning");
    expect(more.findFields).toEqual(["id", "title", "content", "tool", "reasoning"]);
    expect(toggleField(list(more), "reasoning")).toEqual({ findFields: [] });
  });

  it("reaches from the first moment of a day to the last of another", () => {
    const { filter } = searchVariables(list({ findFrom: "2026-02-01", findUntil: "2026-02-28" }));
    expect(filter?.after).toBe(new Date(2026, 1, 1).toISOString());
    expect(filter?.before).toBe(new Date(2026, 2, 1).toISOString());
  });
});

describe("what is not searched", () => {
  it("is told, with the change that searches it too", () => {
    const [reasoning] = leftOut(["REASONING"], list());
    expect(reasoning).toMatchObject({ sentence: "Reasoning was not searched", label: "search it too" });
    expect(leftOut([], list(reasoning?.change))).toEqual([]);
  });

  it("is told of several fields and of the archive", () => {
    const sentences = leftOut(["ID", "TITLE", "REASONING"], list({ findArchived: "exclude" })).map(({ sentence }) => sentence);
    expect(sentences).toEqual(["Ids, titles and reasoning were not searched", "Archived conversations were left out"]);
  });

  it("is what nobody wrote while one voice is searched alone", () => {
    const [reasoning, unwritten] = leftOut(["ID", "TITLE", "REASONING"], list({ findRole: "user" }));
    expect(reasoning?.sentence).toBe("Reasoning was not searched");
    expect(unwritten).toEqual({ sentence: "Ids and titles were not searched", label: "drop “by you”", change: { findRole: null } });
  });

  it("is a filter for each thing that narrows, dropped alone", () => {
    const narrow = list({ findFields: ["content"], findRole: "user", findArchived: "only", findFrom: "2026-02-01" });
    expect(narrowings(narrow).map(({ name }) => name)).toEqual(["in messages", "by you", "archived alone", "from 2026-02-01"]);
    expect(narrowings(list({ findFields: ["id", "title", "content", "tool", "reasoning"] }))).toEqual([]);
    expect(narrowings(narrow)[1]?.drop).toEqual({ findRole: null });
  });
});
