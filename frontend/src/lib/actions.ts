/** Every action of the dashboard with its keys: the one source of handler, palette, help and `aria-keyshortcuts`. */
import { ariaOf, isSingle, keyOf } from "./keys";
import { currentSettings } from "./settings";

export type Scope = "everywhere" | "list" | "reader" | "lineage" | "compare";

export interface Action {
  label: string;
  /** Each one as `keys.ts` writes them; none for what the palette and menus alone offer. */
  keys: readonly string[];
  scope: Scope;
  /** The region that must be in sight for it, where that is not its scope. */
  shows?: "list";
  /** Its keys work in text fields and menus, too. */
  inFields?: true;
}

export const ACTIONS = {
  "palette.open": { label: "Search and run anything", keys: ["Mod+k"], scope: "everywhere", inFields: true },
  "search.focus": { label: "Filter the list by text", keys: ["/"], scope: "everywhere", shows: "list" },
  "search.messages": { label: "Search all messages", keys: ["s"], scope: "everywhere", shows: "list" },
  "go.conversations": { label: "Go to the conversations", keys: ["g s"], scope: "everywhere" },
  "go.usage": { label: "Go to the usage", keys: ["g u"], scope: "everywhere" },
  "go.stores": { label: "Go to the stores", keys: ["g p"], scope: "everywhere" },
  "go.bin": { label: "Go to the bin", keys: ["g b"], scope: "everywhere" },
  "go.graphiql": { label: "Go to GraphiQL", keys: ["g q"], scope: "everywhere" },
  "settings.open": { label: "Settings", keys: ["Mod+,"], scope: "everywhere" },
  "import.open": { label: "Import sessions from a file", keys: [], scope: "everywhere" },
  "help.open": { label: "Show all keys", keys: ["?"], scope: "everywhere" },
  undo: { label: "Undo the last change", keys: ["z"], scope: "everywhere" },
  "inspector.toggle": { label: "Show or hide the inspector", keys: ["i"], scope: "everywhere" },
  "theme.toggle": { label: "Switch between light and dark", keys: ["t"], scope: "everywhere" },
  "region.leave": { label: "Close the open region", keys: ["Escape"], scope: "everywhere" },
  "list.next": { label: "Next conversation", keys: ["j", "ArrowDown"], scope: "list" },
  "list.previous": { label: "Previous conversation", keys: ["k", "ArrowUp"], scope: "list" },
  "list.first": { label: "First conversation", keys: ["Home"], scope: "list" },
  "list.last": { label: "Last conversation", keys: ["End"], scope: "list" },
  "list.open": { label: "Open the conversation", keys: ["Enter"], scope: "list" },
  "list.unfold": { label: "Unfold the runs of a job", keys: ["ArrowRight"], scope: "list" },
  "list.fold": { label: "Fold the runs of a job", keys: ["ArrowLeft"], scope: "list" },
  "list.rename": { label: "Rename the conversation", keys: ["r"], scope: "list" },
  "list.archive": { label: "Archive, or bring back: the conversation or all selected", keys: ["e"], scope: "list" },
  "list.delete": { label: "Delete the conversation or all selected", keys: ["#"], scope: "list" },
  "list.select": { label: "Select the conversation, or not", keys: ["x"], scope: "list" },
  "list.selectNext": { label: "Select on to the next one", keys: ["J", "Shift+ArrowDown"], scope: "list" },
  "list.selectPrevious": { label: "Select on to the previous one", keys: ["K", "Shift+ArrowUp"], scope: "list" },
  "list.selectAll": { label: "Select all that match", keys: ["Mod+a", "* a"], scope: "list" },
  "list.selectNone": { label: "Select nothing", keys: ["Escape", "* n"], scope: "list" },
  "prune.open": { label: "Prune old conversations", keys: ["P"], scope: "list" },
  "reader.next": { label: "Next message", keys: ["j"], scope: "reader" },
  "reader.previous": { label: "Previous message", keys: ["k"], scope: "reader" },
  "reader.nextPrompt": { label: "Next prompt", keys: ["n"], scope: "reader" },
  "reader.previousPrompt": { label: "Previous prompt", keys: ["p"], scope: "reader" },
  "reader.nextTool": { label: "Next tool call", keys: ["}"], scope: "reader" },
  "reader.previousTool": { label: "Previous tool call", keys: ["{"], scope: "reader" },
  "reader.nextError": { label: "Next failed tool", keys: ["!", "]"], scope: "reader" },
  "reader.previousError": { label: "Previous failed tool", keys: ["["], scope: "reader" },
  "reader.find": { label: "Find in the transcript", keys: ["/"], scope: "reader" },
  "reader.mode": { label: "Show more, or answers alone again", keys: ["f"], scope: "reader" },
  "reader.link": { label: "Copy the link to the message", keys: ["y"], scope: "reader" },
  "reader.copy": { label: "Copy the message as Markdown", keys: ["c"], scope: "reader" },
  "reader.unfold": { label: "Unfold or fold the message", keys: ["o"], scope: "reader" },
  "reader.start": { label: "Go to the first message", keys: ["Home"], scope: "reader" },
  "reader.end": { label: "Go to the last message", keys: ["End"], scope: "reader" },
  "reader.rename": { label: "Rename the conversation", keys: ["r"], scope: "reader" },
  "reader.archive": { label: "Archive, or bring back from the archive", keys: ["e"], scope: "reader" },
  "reader.delete": { label: "Delete the conversation", keys: ["#"], scope: "reader" },
  "lineage.compare": { label: "Compare with the open one", keys: ["c"], scope: "lineage" },
  "compare.next": { label: "Next turn", keys: ["n"], scope: "compare" },
  "compare.previous": { label: "Previous turn", keys: ["p"], scope: "compare" },
  "compare.unfold": { label: "Unfold or fold the shared beginning", keys: ["o"], scope: "compare" },
  "compare.swap": { label: "Change sides", keys: ["x"], scope: "compare" },
  "export.md": { label: "Export as Markdown", keys: [], scope: "reader" },
  "export.html": { label: "Export as a web page", keys: [], scope: "reader" },
  "export.json": { label: "Export as JSON", keys: [], scope: "reader" },
  "export.jsonl": { label: "Export as JSON lines", keys: [], scope: "reader" },
  "export.copy": { label: "Copy all of it as Markdown", keys: [], scope: "reader" },
} as const satisfies Record<string, Action>;

export type ActionId = keyof typeof ACTIONS;
export type Handler = () => void;

export const actionIds = Object.keys(ACTIONS) as ActionId[];

export const keysOf = (id: ActionId): readonly string[] => ACTIONS[id].keys;

/** The keys of an action that work at the moment: single keys can be switched off. */
export function activeKeys(id: ActionId, singleKeys = currentSettings().singleKeys): readonly string[] {
  return singleKeys === "on" ? keysOf(id) : keysOf(id).filter((keys) => !isSingle(keys));
}

/** The keys of an action as `aria-keyshortcuts` wants them; undefined where none works. */
export const ariaKeys = (id: ActionId): string | undefined => activeKeys(id).map(ariaOf).join(" ") || undefined;

/** The actions that a key, or two after each other, stand for in a region: the region's own before those that work everywhere. */
export function actionsForKey(key: string, region: Scope): ActionId[] {
  const scopes = [region, "everywhere"];
  return actionIds
    .filter((id) => scopes.includes(ACTIONS[id].scope) && activeKeys(id).includes(key))
    .toSorted((a, b) => scopes.indexOf(ACTIONS[a].scope) - scopes.indexOf(ACTIONS[b].scope));
}

/** The actions that wait for one more key after this one. */
const actionsAfterKey = (key: string): ActionId[] => actionIds.filter((id) => activeKeys(id).some((keys) => keys.startsWith(`${key} `)));

const SEQUENCE_TIME = 1_500;
const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta"]);
const TAKES_ALL_KEYS = "[role=dialog]";
const TAKES_MOST_KEYS = "input, textarea, select, [contenteditable=true], [role=menu]";
const TAKES_NAMED_KEYS = "[role=tree], [role=tablist]";
const TAKES_ENTER = "button, a, summary";

const takesLetters = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(`${TAKES_ALL_KEYS}, ${TAKES_MOST_KEYS}`) !== null;

/** Whether a key press belongs to what has the focus (a text field, a menu, a button) instead of to an action. */
function belongsToFocus(id: ActionId, key: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(TAKES_ALL_KEYS)) return true;
  if (target.closest(TAKES_MOST_KEYS)) return !(ACTIONS[id] as Action).inFields;
  const isNamed = key.length > 1 && key !== "Escape" && !key.startsWith("Mod+");
  if (isNamed && target.closest(TAKES_NAMED_KEYS)) return true;
  return key === "Enter" && target.closest(TAKES_ENTER) !== null;
}

const REGIONS: readonly Scope[] = ["list", "reader", "lineage", "compare"];

/** Which region a key press is meant for; without a focus the list, where it is in sight. */
export function regionOf(target: EventTarget | null): Scope {
  const region = target instanceof Element ? target.closest<HTMLElement>("[data-region]")?.dataset.region : undefined;
  return REGIONS.find((each) => each === region) ?? (isListInSight() ? "list" : "reader");
}

/** Narrow windows show one region at a time. */
const isListInSight = (): boolean => document.querySelector("[data-region=list]")?.checkVisibility?.() !== false;

/** Brings into sight what an action needs, and runs it afterwards; false when it may run at once. */
export type Reveal = (id: ActionId) => boolean;

/** Who answers to which action at the moment; the latest to register wins, and makes way when it leaves. */
export class ActionRegistry {
  readonly #handlers = new Map<ActionId, Handler[]>();
  #begun: { key: string; at: number } | null = null;
  #reveal: Reveal = () => false;

  register(id: ActionId, handler: Handler): () => void {
    this.#handlers.set(id, [...(this.#handlers.get(id) ?? []), handler]);
    return () => this.#handlers.set(id, (this.#handlers.get(id) ?? []).filter((each) => each !== handler));
  }

  revealBy(reveal: Reveal): void {
    this.#reveal = reveal;
  }

  /** Whether somebody answers to an action. */
  isAlive(id: ActionId): boolean {
    return (this.#handlers.get(id)?.length ?? 0) > 0;
  }

  /** Runs an action; false when nobody answers to it. */
  run(id: ActionId): boolean {
    const handler = this.#handlers.get(id)?.at(-1);
    if (handler && !this.#reveal(id)) handler();
    return handler !== undefined;
  }

  handleKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || MODIFIERS.has(event.key)) return;
    const key = keyOf(event);
    const begun = isSingle(key) && !takesLetters(event.target) ? this.#takeBegun(event.timeStamp) : null;
    const mayRun = (id: ActionId) => !belongsToFocus(id, key, event.target);
    const keys = begun === null ? key : `${begun} ${key}`;
    const ran = actionsForKey(keys, regionOf(event.target)).some((id) => mayRun(id) && this.run(id));
    // A second key that ends no sequence does nothing: on its own it might delete.
    if (ran || begun !== null || this.#begin(key, event, mayRun)) event.preventDefault();
  }

  /** The first key of a sequence, when it was pressed a moment ago. */
  #takeBegun(now: number): string | null {
    const begun = this.#begun;
    this.#begun = null;
    return begun && now - begun.at <= SEQUENCE_TIME ? begun.key : null;
  }

  #begin(key: string, { timeStamp }: KeyboardEvent, mayRun: (id: ActionId) => boolean): boolean {
    const isAwaited = actionsAfterKey(key).some((id) => this.isAlive(id) && mayRun(id));
    if (isAwaited) this.#begun = { key, at: timeStamp };
    return isAwaited;
  }
}
