import { describe, expect, it } from "vitest";
import { inShort, titleOf } from "./titles";

const job = "5d1f";

describe("the title of a conversation among others", () => {
  it("of a job's run is what the job was asked, without Hermes' order before it", () => {
    expect(titleOf({ job, title: null, displayTitle: "[SYSTEM: You run as a job.] Morning briefing" })).toBe("Morning briefing");
  });

  it("names the job where nothing else is known of it", () => {
    expect(titleOf({ job, title: null, displayTitle: "[SYSTEM: You run as a job, and a preview ends he" })).toBe("Job 5d1f");
  });

  it("is left alone otherwise", () => {
    expect(titleOf({ job, title: "[SYSTEM: mine]", displayTitle: "[SYSTEM: mine]" })).toBe("[SYSTEM: mine]");
    expect(titleOf({ job: null, title: null, displayTitle: "[SYSTEM: hi] you" })).toBe("[SYSTEM: hi] you");
  });
});

describe("a title in a sentence", () => {
  it("is whole up to 80 characters, and cut between two of them beyond", () => {
    expect([inShort("a".repeat(80)), inShort(`${"a".repeat(78)} bc`), inShort("🦊".repeat(81))]).toEqual(["a".repeat(80), `${"a".repeat(78)}…`, `${"🦊".repeat(79)}…`]);
  });
});
