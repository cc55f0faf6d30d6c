/** Names the window after what it shows, while that is shown. */
import { useEffect } from "react";

const PRODUCT = "Hermes Sessions";

/** Null leaves the naming to somebody else. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return undefined;
    document.title = `${title} · ${PRODUCT}`;
    return () => {
      document.title = PRODUCT;
    };
  }, [title]);
}
