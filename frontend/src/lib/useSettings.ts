/** The settings, for components that show them or depend on them. */
import { useSyncExternalStore } from "react";
import { currentSettings, type Settings, subscribeToSettings } from "./settings";

export const useSettings = (): Settings => useSyncExternalStore(subscribeToSettings, currentSettings);
