/** What is read of each side: a whole conversation from where the other one forked off, or a session alone. */
import type { Compare_SessionFragment } from "../../graphql/generated/graphql";

type Session = Compare_SessionFragment;

export interface Reading {
  /** A conversation as one, or a session alone. */
  isConversation: boolean;
  sessions: string[];
  /** Segments before the one that the other side forked off from: they are not part of the comparison. */
  earlier: number;
}

const isSegment = ({ id, conversation }: Session) => conversation.segments.some((segment) => segment.id === id);

export function toReadings(left: Session, right: Session): { left: Reading; right: Reading } {
  const isOneConversation = left.conversation.id === right.conversation.id;
  return { left: toReading(left, right, isOneConversation), right: toReading(right, left, isOneConversation) };
}

function toReading(session: Session, other: Session, isAlone: boolean): Reading {
  if (isAlone || !isSegment(session)) return { isConversation: false, sessions: [session.id], earlier: 0 };
  const ids = session.conversation.segments.map(({ id }) => id);
  const forkedFrom = isSegment(other) ? other.conversation.segments[0]?.parentId : other.parentId;
  const start = Math.max(0, ids.indexOf(forkedFrom ?? ""));
  return { isConversation: true, sessions: ids.slice(start), earlier: start };
}
