/** Keeps the list up to date, except while one is reading further down: there it waits and says so. */
import { useCallback, useEffect, useRef, useState } from "react";
import { useShownProfiles } from "../../components/useShownProfiles";
import { useStoreChanges } from "../../graphql/useLive";

const PACE = 2_000;

export function useLiveList(profile: string | null, refresh: () => Promise<unknown>) {
  const isAway = useRef(false);
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  const [hasNews, setNews] = useState(false);
  useStoreChanges(useShownProfiles(profile), PACE, () => {
    if (!isAway.current) return refresh();
    setNews(true);
    return undefined;
  });
  const onAway = useCallback(
    (value: boolean) => {
      isAway.current = value;
      if (value || !hasNews) return;
      setNews(false);
      void latest.current();
    },
    [hasNews],
  );
  return { hasNews, onAway };
}
