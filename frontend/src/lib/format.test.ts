import { describe, expect, it } from "vitest";
import { age, bytes, dayName, dayNames, duration, plural, tokens, usd } from "./format";

const now = Date.parse("2026-03-10T12:00:00Z");
const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();

describe("formatting", () => {
  it("tells ages in the largest whole unit, then the date", () => {
    expect([ago(5_000), ago(300_000), ago(7_200_000), ago(3 * 86_400_000)].map((moment) => age(moment, now))).toEqual(["now", "5m", "2h", "3d"]);
    expect(age("2025-12-24T12:00:00Z", now)).toBe("24 Dec 2025");
  });

  it("shows a moment in the future as its date, not as now", () => {
    expect(age("2026-05-01T12:00:00Z", now)).toBe("1 May");
  });

  it("names days", () => {
    expect([dayName(ago(0), now), dayName(ago(86_400_000), now), dayName("2025-12-24T12:00:00Z", now)]).toEqual(["Today", "Yesterday", "Wednesday 24 December 2025"]);
  });

  it("names the days of many moments as it names each", () => {
    const midnight = new Date(2026, 2, 10).getTime();
    const moments = [now, midnight, midnight - 1, midnight - 86_400_000, midnight - 86_400_001, now].map((time) => new Date(time).toISOString());
    expect(moments.map(dayNames(now))).toEqual(moments.map((moment) => dayName(moment, now)));
  });

  it("never rounds a small cost to nothing", () => {
    expect([usd(0), usd(0.0004), usd(0.5), usd(1234.5)]).toEqual(["$0", "$0.0004", "$0.50", "$1,234.50"]);
  });

  it("scales bytes, tokens and durations", () => {
    expect([bytes(0), bytes(999), bytes(1500), bytes(20_000_000)]).toEqual(["0 B", "999 B", "1.5 kB", "20 MB"]);
    expect([tokens(999), tokens(13_500_000)]).toEqual(["999", "13.5M"]);
    expect([duration(400), duration(42_000), duration(180_000)]).toEqual(["0.4 s", "42 s", "3 min"]);
  });

  it("counts in words", () => {
    expect([plural(1, "branch", "branches"), plural(1200, "branch", "branches")]).toEqual(["1 branch", "1,200 branches"]);
  });
});
