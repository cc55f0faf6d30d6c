/** Names the window after what it shows, while that is shown. */
import { useEffect } from "react";

const PRODUCT = "Hermes Sessions";

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
    return () => {
      document.title = PRODUCT;
    };
  }, [title]);
}
