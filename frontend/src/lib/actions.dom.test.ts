import { describe, expect, it, vi } from "vitest";
import { changeSetting } from "./settings";
import { ACTIONS, actionIds, ActionRegistry, actionsForKey, ariaKeys } from "./actions";

function press(registry: ActionRegistry, key: string, html = "", change: KeyboardEventInit = {}): KeyboardEvent {
  document.body.innerHTML = html;
  const target = document.querySelector("[data-target]") ?? document.body;
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...change });
  Object.defineProperty(event, "target", { value: target });
  registry.handleKey(event);
  return event;
}

function registryWith(id: (typeof actionIds)[number]) {
  const registry = new ActionRegistry();
  const handler = vi.fn<() => void>();
  return { registry, handler, leave: registry.register(id, handler) };
}

describe("the action registry", () => {
  it("runs the action of the region that has the focus", () => {
    const { registry, handler } = registryWith("reader.next");
    press(registry, "j", `<div data-region="list"><p data-target></p></div>`);
    expect(handler).not.toHaveBeenCalled();
    press(registry, "j", `<div data-region="reader"><p data-target></p></div>`);
    expect(handler).toHaveBeenCalledOnce();
  });

  it("means the list when nothing has the focus", () => {
    const { registry, handler } = registryWith("list.next");
    expect(press(registry, "j").defaultPrevented).toBe(true);
    expect(handler).toHaveBeenCalledOnce();
  });

  it.each(["input", "textarea", "select"])("leaves keys to a focused %s", (tag) => {
    const { registry, handler } = registryWith("undo");
    press(registry, "z", `<${tag} data-target></${tag}>`);
    expect(handler).not.toHaveBeenCalled();
  });

  it("leaves letters to an open menu, which finds its entries by them", () => {
    const { registry, handler } = registryWith("list.archive");
    press(registry, "e", `<div role="menu"><div data-target></div></div>`);
    expect(handler).not.toHaveBeenCalled();
  });

  it("leaves Enter to a focused button", () => {
    const { registry, handler } = registryWith("list.open");
    press(registry, "Enter", `<button data-target></button>`);
    expect(handler).not.toHaveBeenCalled();
  });

  it("leaves the browser's own shortcuts alone", () => {
    const { registry, handler } = registryWith("list.rename");
    press(registry, "r", "", { ctrlKey: true });
    expect(handler).not.toHaveBeenCalled();
  });

  it("knows Ctrl and ⌘ as one key, and leaves it to a text field", () => {
    const { registry, handler } = registryWith("list.selectAll");
    press(registry, "a", `<input data-target>`, { ctrlKey: true });
    press(registry, "a");
    expect(handler).not.toHaveBeenCalled();
    expect(press(registry, "a", "", { ctrlKey: true }).defaultPrevented).toBe(true);
    press(registry, "a", "", { metaKey: true });
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it("tells a key held with Shift from the key alone", () => {
    const { registry, handler } = registryWith("list.next");
    const selectNext = vi.fn<() => void>();
    registry.register("list.selectNext", selectNext);
    press(registry, "ArrowDown", "", { shiftKey: true });
    press(registry, "J", "", { shiftKey: true });
    expect([handler.mock.calls.length, selectNext.mock.calls.length]).toEqual([0, 2]);
  });

  it("leaves a shortcut of the browser alone also after the first of two keys", () => {
    const { registry } = registryWith("go.usage");
    press(registry, "g");
    expect(press(registry, "u", "", { ctrlKey: true }).defaultPrevented).toBe(false);
  });

  it("gives an action back to the one before when the latest leaves", () => {
    const { registry, handler } = registryWith("undo");
    const later = vi.fn<() => void>();
    const leave = registry.register("undo", later);
    leave();
    registry.run("undo");
    expect([handler.mock.calls.length, later.mock.calls.length]).toEqual([1, 0]);
  });

  it("does not claim a key that nobody answers to", () => {
    expect(press(new ActionRegistry(), "j").defaultPrevented).toBe(false);
  });
});

describe("two keys after each other", () => {
  it("run an action, and neither runs what it stands for alone", () => {
    const { registry, handler } = registryWith("go.usage");
    const alone = vi.fn<() => void>();
    registry.register("undo", alone);
    expect(press(registry, "g").defaultPrevented).toBe(true);
    expect(handler).not.toHaveBeenCalled();
    expect(press(registry, "u").defaultPrevented).toBe(true);
    expect(handler).toHaveBeenCalledOnce();
    press(registry, "g");
    press(registry, "z");
    expect(alone).not.toHaveBeenCalled();
    press(registry, "z");
    expect(alone).toHaveBeenCalledOnce();
  });

  it("go before the second key's own meaning", () => {
    const { registry, handler } = registryWith("go.conversations");
    const alone = vi.fn<() => void>();
    registry.register("search.messages", alone);
    press(registry, "g");
    press(registry, "s");
    expect([handler.mock.calls.length, alone.mock.calls.length]).toEqual([1, 0]);
  });

  it("may have a modifier between them", () => {
    const { registry, handler } = registryWith("go.usage");
    press(registry, "g");
    press(registry, "Shift");
    press(registry, "u");
    expect(handler).toHaveBeenCalledOnce();
  });

  it("belong together for a moment alone", () => {
    const { registry, handler } = registryWith("go.usage");
    press(registry, "g");
    const late = new KeyboardEvent("keydown", { key: "u", cancelable: true });
    Object.defineProperty(late, "timeStamp", { value: late.timeStamp + 10_000 });
    registry.handleKey(late);
    expect(handler).not.toHaveBeenCalled();
  });

  it("are not begun in a text field, nor where nobody waits for the second", () => {
    const { registry, handler } = registryWith("go.usage");
    press(registry, "g", `<input data-target>`);
    press(registry, "u");
    expect(handler).not.toHaveBeenCalled();
    expect(press(new ActionRegistry(), "g").defaultPrevented).toBe(false);
  });
});

describe("keys with modifiers", () => {
  it.each([{ ctrlKey: true }, { metaKey: true }])("work with Ctrl and with ⌘: %o", (change) => {
    const { registry, handler } = registryWith("palette.open");
    expect(press(registry, "k", "", change).defaultPrevented).toBe(true);
    expect(handler).toHaveBeenCalledOnce();
  });

  it("work in a text field where the action says so, and never in a dialog", () => {
    const { registry, handler } = registryWith("palette.open");
    const other = vi.fn<() => void>();
    registry.register("settings.open", other);
    press(registry, "k", "<input data-target>", { ctrlKey: true });
    press(registry, ",", "<input data-target>", { ctrlKey: true });
    press(registry, "k", `<div role="dialog"><input data-target></div>`, { ctrlKey: true });
    expect([handler.mock.calls.length, other.mock.calls.length]).toEqual([1, 0]);
  });

  it("are not taken for the second of two keys", () => {
    const { registry, handler } = registryWith("palette.open");
    registry.register("go.usage", () => {});
    press(registry, "g");
    press(registry, "k", "", { ctrlKey: true });
    expect(handler).toHaveBeenCalledOnce();
  });
});

describe("a key press", () => {
  it("is a sign however the layout makes it", () => {
    const { registry, handler } = registryWith("list.delete");
    press(registry, "#");
    press(registry, "#", "", { shiftKey: true });
    press(registry, "#", "", { ctrlKey: true, altKey: true });
    expect(handler).toHaveBeenCalledTimes(3);
  });

  it("is left to the composition of a character", () => {
    const { registry, handler } = registryWith("list.archive");
    press(registry, "e", "", { isComposing: true });
    expect(handler).not.toHaveBeenCalled();
  });

  it("typed into a field right after the first of two keys is not lost", () => {
    const { registry } = registryWith("go.usage");
    press(registry, "g");
    expect(press(registry, "u", "<input data-target>").defaultPrevented).toBe(false);
  });
});

describe("single keys that are switched off", () => {
  it("do nothing; arrows, Escape and keys with modifiers work on", () => {
    const registry = new ActionRegistry();
    const ran: string[] = [];
    for (const id of ["undo", "list.next", "region.leave", "palette.open", "go.usage"] as const) registry.register(id, () => ran.push(id));
    changeSetting("singleKeys", "off");
    for (const key of ["z", "j", "g", "u"]) expect(press(registry, key).defaultPrevented).toBe(false);
    expect(ran).toEqual([]);
    press(registry, "ArrowDown");
    press(registry, "Escape");
    press(registry, "k", "", { ctrlKey: true });
    expect(ran).toEqual(["list.next", "region.leave", "palette.open"]);
    expect([ariaKeys("list.next"), ariaKeys("undo")]).toEqual(["ArrowDown", undefined]);
  });
});

describe("what an action needs in sight", () => {
  it("is brought there before it runs", () => {
    const { registry, handler } = registryWith("search.focus");
    registry.revealBy((id) => id === "search.focus");
    expect(registry.run("search.focus")).toBe(true);
    expect(handler).not.toHaveBeenCalled();
  });
});

describe("the keys", () => {
  it("stand for one action at most in each scope", () => {
    const keys = actionIds.flatMap((id) => ACTIONS[id].keys.map((key) => `${ACTIONS[id].scope} ${key}`));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it("mean what the region has for them before what they mean everywhere", () => {
    expect(actionsForKey("/", "reader")).toEqual(["reader.find", "search.focus"]);
    expect(actionsForKey("/", "list")).toEqual(["search.focus"]);
  });

  it("are written as aria-keyshortcuts wants them", () => {
    expect(ariaKeys("list.next")).toBe("j ArrowDown");
    expect(ariaKeys("palette.open")).toBe("Control+K Meta+K");
    expect(ariaKeys("import.open")).toBeUndefined();
  });
});
