import { afterEach, describe, expect, it, vi } from "vitest";
import { applySettings, changeSetting, currentSettings, currentTheme, followSettings, toggleTheme } from "./settings";

const onPage = () => ({ ...document.documentElement.dataset });

afterEach(() => vi.restoreAllMocks());

describe("the settings", () => {
  it("begin with the first choices", () => {
    expect(currentSettings()).toEqual({ theme: "system", density: "comfortable", prose: "narrow", singleKeys: "on" });
  });

  it("are kept, and stand on the page at once", () => {
    const leave = followSettings();
    changeSetting("density", "compact");
    changeSetting("prose", "full");
    expect(currentSettings()).toMatchObject({ density: "compact", prose: "full" });
    expect(onPage()).toMatchObject({ density: "compact", prose: "full", theme: "light" });
    leave();
  });

  it("fall back where what is kept is none of the choices", () => {
    localStorage.setItem("hermes-sessions.theme", "<script>");
    localStorage.setItem("hermes-sessions.density", "");
    applySettings();
    expect(onPage()).toMatchObject({ theme: "light", density: "comfortable" });
  });

  it("hold where the browser keeps nothing", () => {
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    changeSetting("prose", "wide");
    expect(currentSettings().prose).toBe("narrow");
  });

  it("follow another window", () => {
    const leave = followSettings();
    localStorage.setItem("hermes-sessions.density", "compact");
    window.dispatchEvent(new StorageEvent("storage"));
    expect(onPage().density).toBe("compact");
    leave();
  });

  it("are the same object until something changes", () => {
    const before = currentSettings();
    expect(currentSettings()).toBe(before);
    changeSetting("singleKeys", "off");
    expect(currentSettings()).not.toBe(before);
  });
});

describe("the theme", () => {
  it("is the system's until a person chooses", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    expect(currentTheme()).toBe("dark");
    toggleTheme();
    expect(currentTheme()).toBe("light");
    toggleTheme();
    expect(currentSettings().theme).toBe("dark");
  });
});
