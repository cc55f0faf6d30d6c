/** What the list shows, row by row: conversations, under the name of their day where they are in order of time. */
import { dayName } from "../../lib/format";
import type { ListView } from "../../lib/view";

interface Dated {
  nodeId: string;
  lastActiveAt?: string | null;
  startedAt?: string | null;
}

export type ListRow<Node extends Dated> =
  | { type: "day"; key: string; name: string }
  | { type: "conversation"; key: string; node: Node; position: number };

const NO_DATE = "Without a date";

export function toRows<Node extends Dated>(nodes: readonly Node[], sort: ListView["sort"], now = Date.now()): ListRow<Node>[] {
  const rows: ListRow<Node>[] = [];
  let day = "";
  nodes.forEach((node, position) => {
    const moment = sort === "started" ? node.startedAt : (node.lastActiveAt ?? node.startedAt);
    const name = moment ? dayName(moment, now) : NO_DATE;
    const isByTime = sort === "last_active" || sort === "started";
    if (isByTime && name !== day) {
      day = name;
      rows.push({ type: "day", key: `day ${name} ${position}`, name });
    }
    rows.push({ type: "conversation", key: node.nodeId, node, position });
  });
  return rows;
}
