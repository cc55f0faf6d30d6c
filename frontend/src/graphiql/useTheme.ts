/** The theme as it is now: the dashboard's choice, else the system's. */
import { useSyncExternalStore } from "react";
import { currentTheme, subscribeToSettings, type Theme } from "../lib/settings";

export const useTheme = (): Theme => useSyncExternalStore(subscribeToSettings, currentTheme);
