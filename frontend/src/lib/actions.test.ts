import { describe, expect, it, vi } from "vitest";
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
  });
});
