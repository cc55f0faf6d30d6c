/**
 * Keys in writing: `j`, `#`, `ArrowDown`, `Shift+ArrowDown`, `Mod+k`, and `g s` for two after each other.
 *
 * `Mod` is ⌘ on a Mac and Ctrl elsewhere; both are taken. A letter with Shift is its capital, and a sign is itself,
 * however the layout makes it: `#` may be Shift+3, and `{` AltGr+7.
 */
type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const LETTER_CODE = /^Key([A-Z])$/;
const SIGN = /^[^\p{L}\p{N}\s]$/u;
const NAMES: Record<string, string> = {
  ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", Enter: "↵", Backspace: "⌫",
};

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** The key's letter on layouts of other scripts, where the key `j` gives "о". */
function latin({ key, code }: KeyPress): string {
  const letter = LETTER_CODE.exec(code ?? "")?.[1];
  return letter && key.length === 1 && key > "\u007f" ? letter.toLowerCase() : key;
}

/** A sign that AltGr made, which comes as Ctrl+Alt on Windows and as Option on a Mac. */
function isMadeByAlt({ key, ctrlKey, metaKey, altKey }: KeyPress): boolean {
  return altKey && !metaKey && (ctrlKey || isMac()) && SIGN.test(key);
}

/** A key press in writing. */
export function keyOf(press: KeyPress): string {
  const { ctrlKey, metaKey, altKey, shiftKey } = press;
  const key = latin(press);
  if (isMadeByAlt(press)) return key;
  const isChord = ctrlKey || metaKey || altKey;
  const isLetter = /^[a-z]$/i.test(key);
  // Whether Caps Lock is on does not matter.
  const plain = isLetter ? (shiftKey && !isChord ? key.toUpperCase() : key.toLowerCase()) : key;
  const tellsShift = shiftKey && (key.length > 1 || (isChord && isLetter));
  return [(ctrlKey || metaKey) && "Mod", altKey && "Alt", tellsShift && "Shift", plain].filter(Boolean).join("+");
}

/** Whether keys are letters and signs alone, which speech input and slips of the hand press by mistake. */
export const isSingle = (keys: string): boolean => keys.split(" ").every((key) => [...key].length === 1);

const splitChord = (key: string): string[] => (key.length === 1 ? [key] : key.split(/\+(?=.)/));

function showKey(key: string, onMac: boolean): string {
  const parts = splitChord(key);
  const last = parts.at(-1) ?? "";
  const name = NAMES[last] ?? (parts.length > 1 && last.length === 1 ? last.toUpperCase() : last);
  const signs: Record<string, string> = onMac ? { Mod: "⌘", Alt: "⌥", Shift: "⇧" } : { Mod: "Ctrl", Alt: "Alt", Shift: "Shift" };
  return [...parts.slice(0, -1).map((part) => signs[part] ?? part), name].join(onMac ? "" : " ");
}

/** Keys as they are shown, one text for each that is pressed after the other: "⌘K" or "Ctrl K", "g" and "s". */
export const showKeys = (keys: string, onMac = isMac()): string[] => keys.split(" ").map((key) => showKey(key, onMac));

/** Keys as `aria-keyshortcuts` wants them. */
export const ariaOf = (keys: string): string =>
  keys.includes("Mod+")
    ? ["Control", "Meta"].map((mod) => keys.replace("Mod", mod).replace(/(?<=\+)[a-z]$/, (letter) => letter.toUpperCase())).join(" ")
    : keys;
