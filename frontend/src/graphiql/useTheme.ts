/** The theme as it is now: the dashboard's choice, else the system's. */
import { useEffect, useSyncExternalStore } from "react";
import { applyTheme, currentTheme, type Theme } from "../lib/theme";

/** Calls back when the system changes, or another window of the dashboard. */
function subscribe(onChange: () => void): () => void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", onChange);
  window.addEventListener("storage", onChange);
  return () => {
    system.removeEventListener("change", onChange);
    window.removeEventListener("storage", onChange);
  };
}

export function useTheme(): Theme {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  useEffect(() => applyTheme(theme), [theme]);
  return theme;
}
