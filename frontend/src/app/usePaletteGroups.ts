/** What can be gone to, done and set at the moment, for the palette. */
import { useMemo } from "react";
import { useQuery } from "urql";
import type { IconName } from "../components/Icon";
import { graphql } from "../graphql/generated";
import { ACTIONS, type ActionId, actionIds, activeKeys, type ActionRegistry, type Scope } from "../lib/actions";
import { readRecent } from "../lib/recent";
import { getSavedViews, listOf } from "../lib/savedViews";
import { changeSetting, choicesOf, currentSettings, type Setting, settingNames } from "../lib/settings";
import { useActionRegistry } from "../lib/useAction";
import { useView } from "../lib/useView";
import { AUDIENCES } from "../lib/view";
import type { Entry, Group } from "./paletteEntries";
import { SETTING_WORDS } from "./settingWords";

const PaletteProfiles = graphql(`
  query PaletteProfiles {
    profiles { nodeId name status }
  }
`);

type Go = ReturnType<typeof useView>["go"];

const AUDIENCE_LABELS = { chats: "Show chats", automation: "Show automation", all: "Show chats and automation" };
const ICONS: Partial<Record<ActionId, IconName>> = {
  "go.conversations": "chat", "go.usage": "usage", "go.stores": "store", "go.bin": "trash", "go.graphiql": "graphql",
  "search.focus": "filter", "search.messages": "search", "help.open": "keyboard", "settings.open": "settings", "import.open": "upload",
  undo: "reset", "inspector.toggle": "inspector", "theme.toggle": "theme", "region.leave": "close",
  "list.rename": "edit", "list.archive": "archive", "list.delete": "trash",
  "reader.rename": "edit", "reader.archive": "archive", "reader.delete": "trash",
  "export.md": "download", "export.html": "download", "export.json": "download", "export.jsonl": "download", "export.copy": "copy",
};

const actionEntry = (id: ActionId, registry: ActionRegistry): Entry => {
  const [keys] = activeKeys(id);
  return { key: id, label: ACTIONS[id].label, icon: ICONS[id] ?? "chevron", keys, run: () => void registry.run(id) };
};

const isPlace = (id: ActionId) => id.startsWith("go.");

/** What somebody answers to, by where it works; the region that had the focus comes first. */
function actionGroups(registry: ActionRegistry, region: Scope): Group[] {
  const alive = actionIds.filter((id) => id !== "palette.open" && registry.isAlive(id));
  const entries = (ids: ActionId[]) => ids.map((id) => actionEntry(id, registry));
  const inScope = (scope: Scope) => entries(alive.filter((id) => ACTIONS[id].scope === scope && !isPlace(id)));
  const regions = [
    { name: "In the list", entries: inScope("list") },
    { name: "In the reader", entries: inScope("reader") },
  ];
  return [
    { name: "Go to", entries: entries(alive.filter(isPlace)) },
    { name: "Actions", entries: inScope("everywhere") },
    ...(region === "reader" ? regions.toReversed() : regions),
  ];
}

const recentGroup = (go: Go): Group => ({
  name: "Recent",
  entries: readRecent().map(({ profile, id, title }) => ({
    key: `open ${profile} ${id}`,
    label: title,
    note: profile,
    icon: "chat",
    run: () => go({ open: { type: "conversation", profile, id } }),
  })),
});

const viewGroup = (go: Go): Group => ({
  name: "Saved views",
  entries: getSavedViews().map((view) => ({ key: `view ${view.name}`, label: view.name, icon: "filter", run: () => go({ page: null, list: listOf(view) }) })),
});

const showGroup = (go: Go, profiles: readonly { name: string; status: string }[]): Group => ({
  name: "Show",
  entries: [
    ...AUDIENCES.map((audience): Entry => ({ key: `audience ${audience}`, label: AUDIENCE_LABELS[audience], icon: "filter", run: () => go({ page: null, list: { audience, find: "" } }) })),
    { key: "all profiles", label: "All profiles", icon: "store", run: () => go({ list: { profile: null, workspace: null } }) },
    ...profiles.map(({ name, status }): Entry => ({
      key: `profile ${name}`,
      label: `Profile ${name}`,
      note: status === "READY" ? undefined : status.toLowerCase().replaceAll("_", " "),
      icon: "store",
      run: () => go({ list: { profile: name, workspace: null } }),
    })),
  ],
});

const settingEntries = <Name extends Setting>(name: Name): Entry[] =>
  choicesOf(name).map((value) => ({
    key: `${name} ${value}`,
    label: `${SETTING_WORDS[name].label}: ${SETTING_WORDS[name].choices[value].toLowerCase()}`,
    icon: currentSettings()[name] === value ? "check" : "settings",
    run: () => changeSetting(name, value),
  }));

export function usePaletteGroups(region: Scope): Group[] {
  const registry = useActionRegistry();
  const { go } = useView();
  const [{ data }] = useQuery({ query: PaletteProfiles });
  return useMemo(() => {
    const settings = { name: "Settings", entries: settingNames.flatMap((name) => settingEntries(name)) };
    return [recentGroup(go), ...actionGroups(registry, region), viewGroup(go), showGroup(go, data?.profiles ?? []), settings];
  }, [registry, region, go, data]);
}
