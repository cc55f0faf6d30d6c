/** One conversation of the list: sign, title and age; under it source, model, messages, cost and lineage counts. */
import type { ReactNode } from "react";
import { Icon } from "../../components/Icon";
import { KindGlyph } from "../../components/KindGlyph";
import rowStyles from "../../components/ListRow.module.css";
import { Money } from "../../components/Money";
import { type FragmentType, graphql, readFragment } from "../../graphql/generated";
import { age, count, dateAndTime, dayAndTime, plural } from "../../lib/format";
import { titleOf } from "../../lib/titles";
import styles from "./ConversationRow.module.css";

export const ConversationRowFragment = graphql(`
  fragment ConversationRow_conversation on Conversation {
    job
    kind
    title
    displayTitle
    source
    model
    isLive
    archived
    archivedMixed
    startedAt
    lastActiveAt
    messageCount
    branchCount
    subagentCount
    segments { nodeId }
    profile { nodeId name }
    cost { ...Money_cost }
  }
`);

interface ConversationRowProps {
  conversation: FragmentType<typeof ConversationRowFragment>;
  /** In a list of several profiles each row says where it lives. */
  showProfile: boolean;
  /** Among the runs of one job each tells its moment to the minute: else they are all alike. */
  isRun: boolean;
  /** The field that stands in the title's place while it is renamed. */
  editor?: ReactNode;
}

export function ConversationRow({ conversation, showProfile, isRun, editor }: ConversationRowProps) {
  const data = readFragment(ConversationRowFragment, conversation);
  const moment = data.lastActiveAt ?? data.startedAt;
  return (
    <div className={`${rowStyles.row} ${styles.row}`} data-archived={data.archived || undefined}>
      <KindGlyph kind={data.kind} live={data.isLive} />
      {editor ?? (
        <span className={`${rowStyles.title} ${styles.title}`} dir="auto" data-untitled={data.title === null || undefined} title={data.displayTitle}>
          {titleOf(data)}
        </span>
      )}
      {moment && (
        <time className={rowStyles.age} dateTime={moment} title={dateAndTime(moment)}>
          {isRun ? dayAndTime(moment) : age(moment)}
        </time>
      )}
      <span className={rowStyles.details}>
        {showProfile && <span className={rowStyles.profile}>{data.profile.name}</span>}
        <span className={`${rowStyles.yielding} ${styles.source}`}>{data.source}</span>
        {data.model && (
          <span className={`${rowStyles.yielding} ${styles.model}`} data-first>
            {shortModel(data.model)}
          </span>
        )}
        {data.archived && <span title={data.archivedMixed ? "Some of its sessions are not" : undefined}>archived</span>}
        <span className={styles.numbers}>
          <LineageCounts continuations={data.segments.length - 1} branches={data.branchCount} subagents={data.subagentCount} />
          <span title={plural(data.messageCount, "message")}>{count(data.messageCount)} msg</span>
          <Money cost={data.cost} />
        </span>
      </span>
    </div>
  );
}

const shortModel = (model: string) => model.slice(model.lastIndexOf("/") + 1);

interface LineageCountsProps {
  continuations: number;
  branches: number;
  subagents: number;
}

function LineageCounts({ continuations, branches, subagents }: LineageCountsProps) {
  const counts = [
    { value: continuations, icon: "continuation", words: plural(continuations, "continuation") },
    { value: branches, icon: "branch", words: plural(branches, "branch", "branches") },
    { value: subagents, icon: "subagent", words: plural(subagents, "subagent") },
  ] as const;
  return counts
    .filter(({ value }) => value > 0)
    .map(({ value, icon, words }) => (
      <span key={icon} className={styles.count} title={words}>
        <Icon name={icon} size={12} />
        <span aria-hidden="true">{value}</span>
        <span className="visually-hidden">{words}</span>
      </span>
    ));
}
