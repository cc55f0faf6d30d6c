import { describe, expect, it } from "vitest";
import { readRecent, rememberOpened } from "./recent";

const open = (id: string, profile = "default") => rememberOpened({ profile, id, title: `Title of ${id}` });

describe("what was opened", () => {
  it("is kept newest first, each once for its profile, twenty at most", () => {
    for (let index = 0; index < 25; index += 1) open(`s${index}`);
    open("s20");
    open("s20", "work");
    const kept = readRecent();
    expect(kept).toHaveLength(20);
    expect(kept.slice(0, 3).map(({ profile, id }) => `${profile}/${id}`)).toEqual(["work/s20", "default/s20", "default/s24"]);
  });

  it.each(["no JSON", "{}", "null", '[1, null, {"id": 2}]'])("is nothing where %s is kept", (kept) => {
    localStorage.setItem("hermes-sessions.recent", kept);
    expect(readRecent()).toEqual([]);
  });
});
