import { describe, expect, it } from "vitest";
import { titleOf } from "./titles";

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
