/** The runs of one job as one row: its name, how many, what they cost, and how and when the last one went. */
import { Icon } from "../../components/Icon";
import { KindGlyph } from "../../components/KindGlyph";
import rowStyles from "../../components/ListRow.module.css";
import { moneyMeaning, moneyText } from "../../components/Money";
import { type FragmentType, graphql, readFragment } from "../../graphql/generated";
import type { RunsRow_RunFragment } from "../../graphql/generated/graphql";
import { age, count, dateAndTime } from "../../lib/format";
import { titleOf } from "../../lib/titles";
import styles from "./ConversationRow.module.css";
import { sumCosts } from "./costs";
import type { FoldRow } from "./rows";

export const RunsRowFragment = graphql(`
  fragment RunsRow_run on Conversation {
    job
    kind
    title
    displayTitle
    source
    isLive
    startedAt
    lastActiveAt
    profile { nodeId name }
    tip { nodeId endReason }
    cost { usd actualUsd estimatedUsd status unknownSessions }
  }
`);

export type RunsRow_Node = FragmentType<typeof RunsRowFragment>;

interface RunsRowProps {
  fold: FoldRow<RunsRow_Node>;
  showProfile: boolean;
}

export function RunsRow({ fold, showProfile }: RunsRowProps) {
  const runs = fold.runs.map((run) => readFragment(RunsRowFragment, run));
  const last = runs[0];
  if (!last) return null;
  const cost = sumCosts(runs.map((run) => run.cost));
  const moment = last.lastActiveAt ?? last.startedAt;
  const many = `${count(runs.length)}${fold.isPartial ? "+" : ""} runs`;
  const state = stateOf(last);
  return (
    <div className={`${rowStyles.row} ${styles.row}`}>
      <span className={styles.chevron} data-open={fold.isOpen || undefined}>
        <Icon name="chevron" size={14} />
      </span>
      <span className={rowStyles.title} dir="auto" title={last.displayTitle}>
        {titleOf(last)}
      </span>
      {moment && (
        <time className={rowStyles.age} dateTime={moment} title={`Last run: ${dateAndTime(moment)}`}>
          {age(moment)}
        </time>
      )}
      <span className={rowStyles.details}>
        <span className={styles.runs} title={fold.isPartial ? "Of those that are loaded: the group may hold more" : undefined}>
          {many}
        </span>
        {showProfile && <span className={rowStyles.profile}>{last.profile.name}</span>}
        <span className={`${rowStyles.yielding} ${styles.source}`}>{last.source}</span>
        <span className={`${rowStyles.yielding} ${styles.state}`} data-tone={state.tone} data-first>
          last {state.word}
        </span>
        {last.isLive && <KindGlyph kind={last.kind} live />}
        <span className={styles.numbers}>
          <span title={`${moneyMeaning(cost)}${fold.isPartial ? ", of the runs that are loaded" : ""}`}>{moneyText(cost)}</span>
        </span>
      </span>
    </div>
  );
}

function stateOf({ isLive, tip }: RunsRow_RunFragment): { word: string; tone: "good" | "plain" | "warn" } {
  if (isLive) return { word: "is running", tone: "good" };
  if (tip.endReason === "cron_complete") return { word: "complete", tone: "plain" };
  return tip.endReason ? { word: `ended by ${tip.endReason}`, tone: "plain" } : { word: "never closed", tone: "warn" };
}
