/** One hit: the conversation's title and the hit's age, whose words they are and where, and the words themselves. */
import { Link, type LinkProps } from "@tanstack/react-router";
import { KindGlyph } from "../../components/KindGlyph";
import { type FragmentType, graphql, readFragment } from "../../graphql/generated";
import { age, count, dateAndTime } from "../../lib/format";
import styles from "./HitRow.module.css";
import { toPieces } from "./highlights";
import { partOf, voiceOf } from "./place";

export const HitRowFragment = graphql(`
  fragment HitRow_hit on SearchHit {
    field
    hitsInConversation
    snippet
    highlights { start end }
    profile { nodeId name }
    conversation { nodeId displayTitle archived segments { nodeId id } }
    session { nodeId id kind displayTitle startedAt }
    message { nodeId role toolName timestamp toolCalls { name } }
  }
`);

interface HitRowProps {
  hit: FragmentType<typeof HitRowFragment>;
  /** Among several profiles each row says where it lives. */
  showProfile: boolean;
  /** The address of all hits of its conversation. */
  all: LinkProps;
  /** Whether the tab key stops at its link: at the cursor's row alone. */
  isCurrent: boolean;
}

export function HitRow({ hit, showProfile, all, isCurrent }: HitRowProps) {
  const { field, hitsInConversation, snippet, highlights, profile, conversation, session, message } = readFragment(HitRowFragment, hit);
  const moment = message?.timestamp ?? session.startedAt;
  const part = partOf(session, conversation.segments);
  return (
    <div className={styles.row}>
      <KindGlyph kind={session.kind} />
      <span className={styles.title}>{conversation.displayTitle}</span>
      {moment && (
        <time className={styles.age} dateTime={moment} title={dateAndTime(moment)}>
          {age(moment)}
        </time>
      )}
      <span className={styles.details}>
        <span className={styles.voice}>{voiceOf(field, message)}</span>
        {showProfile && <span className={styles.profile}>{profile.name}</span>}
        {part && <span className={styles.part}>{part}</span>}
        {conversation.archived && <span>archived</span>}
        {hitsInConversation > 1 && (
          <Link {...all} className={styles.more} tabIndex={isCurrent ? 0 : -1} onClick={(event) => event.stopPropagation()}>
            +{count(hitsInConversation - 1)} more in this conversation
          </Link>
        )}
      </span>
      <p className={styles.snippet}>
        {toPieces(snippet, highlights).map(({ text, isFound }, index) => (isFound ? <mark key={index}>{text}</mark> : text))}
      </p>
    </div>
  );
}
