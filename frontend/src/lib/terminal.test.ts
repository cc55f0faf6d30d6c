import { describe, expect, it } from "vitest";
import { readTerminal, terminalText } from "./terminal";

const ESC = "\u001B";
const looks = (text: string) => readTerminal(text)[0]?.map(({ text: part, look }) => [part, look ?? ""]);

describe("terminal output", () => {
  it("keeps colours by name and ends them where they end", () => {
    expect(looks(`${ESC}[1;32m17 passed${ESC}[0m in 0.41s`)).toEqual([["17 passed", "green bold"], [" in 0.41s", ""]]);
    expect(looks(`${ESC}[91;44mx${ESC}[39;49my`)).toEqual([["x", "bright-red on-blue"], ["y", ""]]);
  });

  it.each([
    [`${ESC}[38;5;196mx`, "red"],
    [`${ESC}[38;5;12mx`, "bright-blue"],
    [`${ESC}[38;5;240mx`, "bright-black"],
    [`${ESC}[38;2;0;200;0mx`, "green"],
    [`${ESC}[38:2:255:120:255mx`, "bright-magenta"],
    [`${ESC}[48;5;21mx`, "on-blue"],
  ])("maps %j to the nearest of 16", (text, look) => {
    expect(looks(text)).toEqual([["x", look]]);
  });

  it("swaps colours for inverse text", () => {
    expect(looks(`${ESC}[7mx`)).toEqual([["x", "on-ink"]]);
    expect(looks(`${ESC}[31;7mx`)).toEqual([["x", "on-red"]]);
  });

  it("collapses progress bars to how they end", () => {
    expect(terminalText("10%\r50%\r100%\ndone")).toBe("100%\ndone");
    expect(terminalText(`fetching all\r${ESC}[Kdone`)).toBe("done");
    expect(terminalText(`a: 1\nb: 1\n${ESC}[2A${ESC}[2Ka: 9\n${ESC}[2Kb: 9\n`)).toBe("a: 9\nb: 9\n");
    expect(terminalText("ab\b\bcd")).toBe("cd");
  });

  it("leaves Windows line ends alone", () => {
    expect(terminalText("a\r\nb\r\n")).toBe("a\nb\n");
  });

  it.each([
    [`${ESC}]8;;https://evil.test${ESC}\\click${ESC}]8;;${ESC}\\`, "click"],
    [`${ESC}]0;title\u0007text`, "text"],
    [`${ESC}Pdevice${ESC}\\text`, "text"],
    [`${ESC}[?25l${ESC}[2Jtext${ESC}(B`, "text"],
    [`${ESC}]never ended\ntext`, "\ntext"],
    ["a\u0000b\u0007c\u009B31md", "abcd"],
    [`a${ESC}`, "a"],
  ])("drops what is not text from %j", (text, shown) => {
    expect(terminalText(text)).toBe(shown);
  });

  it("shows text that a terminal would hide", () => {
    expect(looks(`${ESC}[8mrm -rf /`)).toEqual([["rm -rf /", ""]]);
  });

  it("is not led to rows or columns that would fill the memory", () => {
    const text = `${ESC}[999999999Cx${ESC}[999999999B${ESC}[999999999Ay${`${ESC}[999C`.repeat(500)}z`;
    const lines = readTerminal(text);
    expect(lines).toHaveLength(1);
    expect(terminalText(text).length).toBeLessThan(5_000);
  });

  it("reads a megabyte of broken sequences in one pass", () => {
    expect(terminalText(`${ESC}[`.repeat(300_000))).toBe("");
    expect(terminalText(`${ESC}]8;;`.repeat(200_000))).toBe("");
    expect(terminalText(`${ESC}[${"1".repeat(1_000_000)}`)).toHaveLength(1_000_000);
  });
});
