/** A link to a view, light enough for hundreds of rows: unlike the router's own it need not know whether it is the current one. */
import { useNavigate } from "@tanstack/react-router";
import type { ComponentProps, MouseEvent } from "react";
import { toHref, toLocation, type View } from "../lib/view";

type ViewLinkProps = Omit<ComponentProps<"a">, "href" | "onClick"> & { view: View };

export function ViewLink({ view, children, ...props }: ViewLinkProps) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent) => {
    const isForBrowser = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.button !== 0 || isForBrowser) return;
    event.preventDefault();
    void navigate(toLocation(view));
  };
  return (
    <a {...props} href={toHref(view)} onClick={follow}>
      {children}
    </a>
  );
}
