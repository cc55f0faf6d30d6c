/** The lineage of what is open, or of a node that was gone on from, as one list of nodes. */
import { useState } from "react";
import { useQuery } from "urql";
import { type FragmentType, readFragment } from "../../graphql/generated";
import type { OpenView } from "../../lib/view";
import { LineageBelow, LineageOf, LineageSession } from "./inspectorQueries";
import type { LineageNode } from "./lineage";

/** Nodes of the first answer; a bigger lineage is drawn in full on request, as far as the API goes. */
export const FIRST_NODES = 2_000;
export const MOST_NODES = 20_000;
const BELOW = 500;

interface Whole {
  from: null;
  maxNodes: number;
}
interface Below {
  from: string;
}
export type Stretch = Whole | Below;
export const WHOLE: Stretch = { from: null, maxNodes: FIRST_NODES };

type Session = FragmentType<typeof LineageSession>;
interface PlacedSession {
  depth: number;
  parentId: string | null;
  session: Session;
}

const read = ({ depth, parentId, session }: PlacedSession): LineageNode => ({ depth, parentId, session: readFragment(LineageSession, session) });

/** Asks again only where what is open is none of the nodes that are there: one tree for all clicks on it. */
export function useLineage(open: OpenView, stretch: Stretch) {
  const openId = open.segment ?? open.id;
  const [anchor, setAnchor] = useState({ id: openId, profile: open.profile });
  const isBelow = stretch.from !== null;
  const whole = useQuery({
    query: LineageOf,
    variables: { ...anchor, maxNodes: isBelow ? FIRST_NODES : stretch.maxNodes },
    requestPolicy: "cache-and-network",
  });
  const below = useQuery({
    query: LineageBelow,
    variables: { id: stretch.from ?? "", profile: anchor.profile, first: BELOW },
    pause: !isBelow,
  });

  const [{ data, error, stale, fetching }, ask] = isBelow ? below : whole;
  const lineage = whole[0].data?.session?.lineage;
  const ids = lineage?.nodes.map((node) => readFragment(LineageSession, node.session).id);
  const isKnown = anchor.id === openId || ids?.includes(openId);
  if (open.profile !== anchor.profile || (ids && !isKnown)) setAnchor({ id: openId, profile: open.profile });

  const nodes = isBelow ? nodesBelow(below[0].data?.session ?? null) : lineage?.nodes.map(read);
  const focus = lineage?.nodes.find(({ isFocus }) => isFocus);
  return {
    lineage,
    nodes,
    /** By its whole id, also where the address has the beginning of one. */
    openId: ids?.includes(openId) || !focus ? openId : readFragment(LineageSession, focus.session).id,
    isGone: data !== undefined && data.session === null && !fetching,
    isOld: stale,
    error,
    retry: () => ask({ requestPolicy: "network-only" }),
    request: isBelow
      ? { document: LineageBelow, variables: { id: stretch.from, profile: anchor.profile, first: BELOW } }
      : { document: LineageOf, variables: { ...anchor, maxNodes: stretch.maxNodes } },
  };
}

type BelowSession = Session & { descendants: { edges: { depth: number; parentId: string; node: Session }[] } };

function nodesBelow(top: BelowSession | null): LineageNode[] | undefined {
  if (!top) return undefined;
  const edges = top.descendants.edges.map(({ depth, parentId, node }) => read({ depth, parentId, session: node }));
  return [read({ depth: 0, parentId: null, session: top }), ...edges];
}
