/** What the page is narrowed to, and where its rows lead. */
import type { Narrowing } from "../../components/FilterChips";
import type { ViewChange } from "../../lib/useView";
import type { UsageView } from "../../lib/usageView";
import { DEFAULT_LIST, type ListView } from "../../lib/view";
import { dayText } from "./calendar";

type Grouping = UsageView["by"];
type Only = UsageView["only"];

export const GROUPING_NAMES: Record<Grouping, string> = {
  day: "Day",
  model: "Model",
  source: "Source",
  workspace: "Workspace",
  profile: "Profile",
  task: "Task",
};

export const NOT_GIVEN: Record<Grouping, string> = {
  day: "no date",
  model: "no model",
  source: "no source",
  workspace: "no workspace",
  profile: "no profile",
  task: "the conversations themselves",
};

const without = (only: Only, by: Grouping): Only => only.filter((each) => each.by !== by);

/** Narrowed to one row more; a profile is the scope of the page. What has no date lies in no bounded period. */
export function narrowTo(only: Only, by: Grouping, value: string): ViewChange | null {
  if (by === "profile") return { list: { profile: value } };
  if (by === "day" && value === "") return null;
  return { usage: { only: [...without(only, by), { by, value }] } };
}

export const chips = (only: Only): Narrowing<Partial<UsageView>>[] =>
  only.map(({ by, value }) => ({ name: `${by}: ${valueText(by, value)}`, drop: { only: without(only, by) } }));

export function valueText(by: Grouping, value: string): string {
  if (value === "") return NOT_GIVEN[by];
  return by === "day" ? dayText(value) : value;
}

/** All conversations that hold a value, the archived and automated ones too: all of them count here. */
export function conversationsOf(by: Grouping, value: string, list: ListView): ListView | null {
  const all: ListView = { ...DEFAULT_LIST, profile: list.profile, audience: "all", archived: "include", empty: "show" };
  if (value === "") return null;
  if (by === "model") return { ...all, models: [value] };
  if (by === "source") return { ...all, sources: [value] };
  if (by === "workspace") return { ...all, workspace: value };
  return by === "profile" ? { ...all, profile: value } : null;
}
