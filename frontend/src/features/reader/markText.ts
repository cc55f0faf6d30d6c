/** Marks of the outline in words. */
import type { Mark, OutlineKind } from "./outline";

export const MARK_NAMES: Record<OutlineKind, string> = {
  PROMPT: "Prompt",
  SEAM: "Seam",
  ERROR: "Failed tool",
  SUBAGENT: "Subagent",
  SUMMARY: "Summary",
  HIT: "Found",
};

export const markText = ({ kind, label }: Mark): string => (label ? `${MARK_NAMES[kind]}: ${label}` : MARK_NAMES[kind]);
