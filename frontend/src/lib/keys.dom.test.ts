import { afterEach, describe, expect, it, vi } from "vitest";
import { ariaOf, isSingle, keyOf, showKeys } from "./keys";

const written = (key: string, change: KeyboardEventInit = {}) => keyOf(new KeyboardEvent("keydown", { key, ...change }));
const onMac = () => vi.spyOn(navigator, "platform", "get").mockReturnValue("MacIntel");

afterEach(() => vi.restoreAllMocks());

describe("a key press in writing", () => {
  it.each([
    ["j", {}, "j"],
    ["J", { shiftKey: true }, "J"],
    ["ArrowDown", { shiftKey: true }, "Shift+ArrowDown"],
    ["k", { ctrlKey: true }, "Mod+k"],
    ["K", { metaKey: true, shiftKey: true }, "Mod+Shift+k"],
    ["?", { shiftKey: true }, "?"],
    ["e", { altKey: true }, "Alt+e"],
    ["e", { altKey: true, ctrlKey: true }, "Mod+Alt+e"],
  ])("%s with %o", (key, change, expected) => {
    expect(written(key, change)).toBe(expected);
  });

  it.each(["{", "}", "#", "|", "@"])("is the sign %s that AltGr made", (sign) => {
    expect(written(sign, { ctrlKey: true, altKey: true })).toBe(sign);
  });

  it("is a sign that Option made on a Mac alone", () => {
    expect(written("{", { altKey: true })).toBe("Alt+{");
    onMac();
    expect(written("{", { altKey: true })).toBe("{");
  });

  it("does not mind Caps Lock", () => {
    expect(written("J")).toBe("j");
  });

  it("is the Latin letter of the key on other scripts' layouts", () => {
    expect(written("о", { code: "KeyJ" })).toBe("j");
    expect(written("л", { code: "KeyK", ctrlKey: true })).toBe("Mod+k");
    expect(written("ö", { code: "Semicolon" })).toBe("ö");
  });
});

describe("keys", () => {
  it("are single when they are letters and signs alone", () => {
    expect(["j", "#", "g s", "Mod+k", "Escape", "Shift+ArrowDown"].filter(isSingle)).toEqual(["j", "#", "g s"]);
  });

  it("are shown as the machine calls them", () => {
    expect(showKeys("Mod+k", true)).toEqual(["⌘K"]);
    expect(showKeys("Mod+k", false)).toEqual(["Ctrl K"]);
    expect(showKeys("Mod+,", false)).toEqual(["Ctrl ,"]);
    expect(showKeys("g s", false)).toEqual(["g", "s"]);
    expect(showKeys("ArrowDown", false)).toEqual(["↓"]);
  });

  it("are told to assistive technology for both kinds of machine", () => {
    expect([ariaOf("Mod+a"), ariaOf("Mod+Shift+k"), ariaOf("g s")]).toEqual(["Control+A Meta+A", "Control+Shift+K Meta+Shift+K", "g s"]);
  });
});
