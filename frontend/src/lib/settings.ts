/** What a person sets for this browser; kept from visit to visit, and put where style sheets see it. */
export const CHOICES = {
  theme: ["system", "light", "dark"],
  density: ["comfortable", "compact"],
  prose: ["narrow", "wide", "full"],
  singleKeys: ["on", "off"],
} as const;

export type Setting = keyof typeof CHOICES;
export type Settings = { readonly [name in Setting]: (typeof CHOICES)[name][number] };

export const settingNames = Object.keys(CHOICES) as Setting[];
export const choicesOf = <Name extends Setting>(name: Name) => CHOICES[name] as unknown as readonly Settings[Name][];

const keyOf = (name: Setting) => `hermes-sessions.${name}`;
const listeners = new Set<() => void>();

/** What is kept, where the browser keeps anything and it is one of the choices; else the first choice. */
function read(name: Setting): string {
  const choices: readonly string[] = choicesOf(name);
  try {
    const kept = localStorage.getItem(keyOf(name));
    if (kept !== null && choices.includes(kept)) return kept;
  } catch {
    // Storage is switched off: the defaults hold.
  }
  return choices[0] ?? "";
}

let current: Settings | null = null;

/** The same object as long as nothing changes. */
export function currentSettings(): Settings {
  const next = Object.fromEntries(settingNames.map((name) => [name, read(name)])) as unknown as Settings;
  if (current === null || settingNames.some((name) => next[name] !== current?.[name])) current = next;
  return current;
}

export function changeSetting<Name extends Setting>(name: Name, value: Settings[Name]): void {
  try {
    localStorage.setItem(keyOf(name), value);
  } catch {
    // Nothing to be done about: the next visit starts with the defaults.
  }
  for (const tell of listeners) tell();
}

/** Calls back after a change here or in another window, and when the system goes from light to dark. */
export function subscribeToSettings(onChange: () => void): () => void {
  const system = window.matchMedia(DARK) as Partial<MediaQueryList>;
  listeners.add(onChange);
  window.addEventListener("storage", onChange);
  system.addEventListener?.("change", onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener("storage", onChange);
    system.removeEventListener?.("change", onChange);
  };
}

export type Theme = "light" | "dark";
const DARK = "(prefers-color-scheme: dark)";

/** The theme as it is seen: the person's choice, else the system's. */
export function currentTheme(): Theme {
  const { theme } = currentSettings();
  return theme === "system" ? (window.matchMedia(DARK).matches ? "dark" : "light") : theme;
}

export const toggleTheme = (): void => changeSetting("theme", currentTheme() === "dark" ? "light" : "dark");

export function applySettings(): void {
  const { density, prose } = currentSettings();
  Object.assign(document.documentElement.dataset, { theme: currentTheme(), density, prose });
}

/** Puts the settings on the page now, before anything is painted, and again whenever they change. */
export function followSettings(): () => void {
  applySettings();
  return subscribeToSettings(applySettings);
}
