/** The kinds of sessions in words and signs; the colours stand in the theme. */
import type { SessionKind } from "../graphql/generated/graphql";
import type { IconName } from "./Icon";

interface KindLook {
  word: string;
  icon: IconName;
  meaning: string;
}

export const KINDS: Record<SessionKind, KindLook> = {
  ROOT: { word: "Root", icon: "root", meaning: "Began on its own" },
  CONTINUATION: { word: "Continuation", icon: "continuation", meaning: "Goes on after a compression" },
  BRANCH: { word: "Branch", icon: "branch", meaning: "Forked off to go another way" },
  SUBAGENT: { word: "Subagent", icon: "subagent", meaning: "Was given a task by its parent" },
  TOOL: { word: "Tool", icon: "tool", meaning: "Was started by a tool" },
  RESET: { word: "Reset", icon: "reset", meaning: "Began anew in the same chat" },
  SIDE: { word: "Side row", icon: "side", meaning: "Was left behind by a compression" },
  UNCLASSIFIED: { word: "Unclassified", icon: "unclassified", meaning: "Its place cannot be told" },
};
