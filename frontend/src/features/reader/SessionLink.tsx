/** Leads to a session that a message speaks of. */
import type { ReactNode } from "react";
import { changeView, useView } from "../../lib/useView";
import { toHref } from "../../lib/view";

export function SessionLink({ id, profile, children }: { id: string; profile: string; children: ReactNode }) {
  const { view, go } = useView();
  const open = { type: "session", profile, id } as const;
  const follow = (event: React.MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go({ open });
  };
  return (
    <a href={toHref(changeView(view, { open }))} onClick={follow}>
      {children}
    </a>
  );
}
