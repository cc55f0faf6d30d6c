/** Who stands on a side: title, kind, model, cost, tokens, messages and dates, and what of it is compared. */
import { Link } from "@tanstack/react-router";
import { KindGlyph } from "../../components/KindGlyph";
import { KINDS } from "../../components/kinds";
import { Money } from "../../components/Money";
import { TakeQuery } from "../../components/TakeQuery";
import type { Compare_SessionFragment } from "../../graphql/generated/graphql";
import { count, dateAndTime, plural, tokens } from "../../lib/format";
import { changeView, useView } from "../../lib/useView";
import { toLocation } from "../../lib/view";
import styles from "./Compare.module.css";
import { CompareMessages } from "./compareQueries";
import { FIRST_PAGE } from "./comparison";
import type { Reading } from "./sides";

interface SideHeadProps {
  name: string;
  other: string;
  session: Compare_SessionFragment;
  reading: Reading;
  profile: string;
  /** Compacted messages that the other side no longer carries. */
  skipped: number;
}

export function SideHead({ name, other, session, reading, profile, skipped }: SideHeadProps) {
  const { view } = useView();
  const what = reading.isConversation ? session.conversation : session;
  const id = what.id;
  const there = changeView(view, { open: { type: reading.isConversation ? "conversation" : "session", profile, id } });
  const request = { document: CompareMessages, variables: { id: reading.sessions[0] ?? id, profile, first: FIRST_PAGE } };
  const ended = what.endedAt ?? what.lastActiveAt;
  return (
    <div className={styles.head}>
      <span className={styles.badge}>{name}</span>
      <div className={styles.about}>
        <h3 className={styles.title}>
          <KindGlyph kind={what.kind} live={what.isLive} />
          <Link {...toLocation(there)}>{what.displayTitle}</Link>
        </h3>
        <p className={styles.facts}>
          <strong title={session.kindReason}>{KINDS[what.kind].word}</strong>
          {what.archived && <span>archived</span>}
          {what.model && <span>{what.model}</span>}
          <span>{count(what.messageCount)} msg</span>
          <span>{tokens(what.usage.totalTokens)} tok</span>
          <Money cost={what.cost} />
          {what.startedAt && <span>{dateAndTime(what.startedAt)}</span>}
          {ended && <span>to {dateAndTime(ended)}</span>}
        </p>
        {reading.earlier > 0 && (
          <p className={styles.hint}>
            Read from segment {reading.earlier + 1} on, where {other} forked off; {plural(reading.earlier, "segment")} before it left out.
          </p>
        )}
        {skipped > 0 && (
          <p className={styles.hint}>
            {plural(skipped, "compacted message")} passed over: {other} began after that compression.
          </p>
        )}
      </div>
      <TakeQuery label={`Take the query of ${name}'s messages`} request={request} />
    </div>
  );
}
