/** The settings in words, for the dialog and the palette. */
import type { Setting, Settings } from "../lib/settings";

interface Words<Name extends Setting> {
  label: string;
  note: string;
  choices: Record<Settings[Name], string>;
}

export const SETTING_WORDS: { [Name in Setting]: Words<Name> } = {
  theme: { label: "Theme", note: "Light or dark", choices: { system: "System", light: "Light", dark: "Dark" } },
  density: { label: "Density", note: "Height of the rows in lists", choices: { comfortable: "Comfortable", compact: "Compact" } },
  prose: { label: "Text width", note: "Of what is read", choices: { narrow: "Narrow", wide: "Wide", full: "Full" } },
  singleKeys: {
    label: "Single keys",
    note: "Letters and signs that act on their own. Arrows, Esc, and keys with Ctrl or ⌘ always work.",
    choices: { on: "On", off: "Off" },
  },
};
