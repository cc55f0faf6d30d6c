import { describe, expect, it } from "vitest";
import { changeOfTexts, changesOfPatch } from "./changes";

const signs = (lines: { change?: string; text: string }[]) => lines.map(({ change, text }) => `${{ added: "+", removed: "-", place: "@" }[change ?? ""] ?? " "}${text}`);

describe("changes out of a unified diff", () => {
  const [file] = changesOfPatch("--- a/cellar.yaml\n+++ b/cellar.yaml\n@@ -4,3 +4,3 @@ mqtt:\n host: x\n-client_id: thermostat\n+client_id: thermostat-cellar\n port: 1\n");

  it("have the path, the lines and their numbers before and after", () => {
    expect(file).toMatchObject({ path: "cellar.yaml", added: 1, removed: 1 });
    expect(signs(file?.lines ?? [])).toEqual(["@@@ -4,3 +4,3 @@ mqtt:", " host: x", "-client_id: thermostat", "+client_id: thermostat-cellar", " port: 1"]);
    expect(file?.lines.map(({ numbers }) => numbers)).toEqual([[null, null], [4, 4], [5, null], [null, 5], [6, 6]]);
  });

  it("say which words of a line changed", () => {
    const [removed, added] = file?.lines.slice(2, 4) ?? [];
    expect(added?.changed.map(([from, to]) => added.text.slice(from, to)).join("")).toContain("-cellar");
    expect(removed?.changed.flat()).toEqual([]);
  });

  it("take lines that look like headers for what the hunk says they are", () => {
    const [only, ...others] = changesOfPatch("--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+++ count\n same\n");
    expect(others).toEqual([]);
    expect(signs(only?.lines.slice(1) ?? [])).toEqual(["--- a comment", "+++ count", " same"]);
  });

  it("name each file of several, and a file that goes by its old name", () => {
    const paths = changesOfPatch("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n").map(({ path }) => path);
    expect(paths).toEqual(["x", "gone"]);
  });
});

describe("changes out of a model's patch", () => {
  it("are told by file", () => {
    const files = changesOfPatch("*** Begin Patch\n*** Update File: a.py\n@@ def f\n x\n-old\n+new\n*** Add File: b.py\n+one\n*** End Patch");
    expect(files.map(({ path, added, removed }) => [path, added, removed])).toEqual([["a.py", 1, 1], ["b.py", 1, 0]]);
    expect(signs(files[0]?.lines ?? [])).toEqual(["@def f", " x", "-old", "+new"]);
  });
});

describe("changes between two texts", () => {
  it("keep what both have", () => {
    expect(signs(changeOfTexts("a", "1\n2\n3", "1\ntwo\n3").lines)).toEqual([" 1", "-2", "+two", " 3"]);
    expect(signs(changeOfTexts("a", "", "new").lines)).toEqual(["+new"]);
    expect(signs(changeOfTexts("a", "gone", "").lines)).toEqual(["-gone"]);
  });

  it("mark no words between lines that have nothing in common", () => {
    expect(changeOfTexts("a", "alpha beta\n", "x = 1\n").lines.flatMap(({ changed }) => changed)).toEqual([]);
  });

  it("come in a moment also for texts that share nothing", () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `a ${index}`).join("\n");
    expect(changeOfTexts("a", text, text.replaceAll("a", "b"))).toMatchObject({ added: 20_000, removed: 20_000 });
  });
});
