/** One hit: the conversation's title and the hit's age, whose words they are and where, and the words themselves. */
import { Link, type LinkProps } from "@tanstack/react-router";
import { KindGlyph } from "../../components/KindGlyph";
import rowStyles from "../../components/ListRow.module.css";
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
    <div className={`${rowStyles.row} ${styles.row}`}>
      <KindGlyph kind={session.kind} />
      <span className={rowStyles.title}>{conversation.displayTitle}</span>
      {moment && (
        <time className={rowStyles.age} dateTime={moment} title={dateAndTime(moment)}>
          {age(moment)}
        </time>
      )}
      <span className={rowStyles.details}>
        <span className={styles.voice}>{voiceOf(field, message)}</span>
        {showProfile && <span className={rowStyles.profile}>{profile.name}</span>}
        {part && <span className={rowStyles.yielding}>{part}</span>}
        {conversation.archived && <span>archived</span>}
        {hitsInConversation > 1 && (
          <Link {...all} className={styles.more} tabIndex={isCurrent ? 0 : -1} title="All of them, in the conversation" onClick={(event) => event.stopPropagation()}>
            +{count(hitsInConversation - 1)} more<span className="visually-hidden"> in this conversation</span>
          </Link>
        )}
      </span>
      <p className={styles.snippet}>
        {toPieces(snippet, highlights).map(({ text, isFound }, index) => (isFound ? <mark key={index}>{text}</mark> : text))}
      </p>
    </div>
  );
}
