/** Over one session alone: what it is and why, and the way to the conversation that it belongs to. */
import { Link } from "@tanstack/react-router";
import { ExportMenu } from "../../components/ExportMenu";
import { IconButton } from "../../components/IconButton";
import { KindGlyph } from "../../components/KindGlyph";
import { KINDS } from "../../components/kinds";
import { Money } from "../../components/Money";
import { TakeQuery } from "../../components/TakeQuery";
import { type FragmentType, graphql, readFragment } from "../../graphql/generated";
import { plural } from "../../lib/format";
import { useTitle } from "../../lib/useTitle";
import { changeView, useView } from "../../lib/useView";
import { toLocation } from "../../lib/view";
import styles from "./ReaderHeader.module.css";
import { FIRST_SIZE, SessionMessages } from "./readerQueries";

const HeaderFragment = graphql(`
  fragment SessionHeader_session on Session {
    nodeId
    id
    kind
    kindReason
    displayTitle
    source
    model
    isLive
    messageCount
    profile { nodeId name }
    cost { ...Money_cost }
    conversation { nodeId id displayTitle }
  }
`);

export function SessionHeader({ session }: { session: FragmentType<typeof HeaderFragment> }) {
  const data = readFragment(HeaderFragment, session);
  const { view, go } = useView();
  useTitle(data.displayTitle);
  const profile = data.profile.name;
  const whole = changeView(view, { open: { type: "conversation", profile, id: data.conversation.id } });
  const request = { document: SessionMessages, variables: { id: data.id, profile, first: FIRST_SIZE } };
  return (
    <header className={styles.header}>
      <IconButton className={styles.back} icon="back" label="Back to the list" action="region.leave" onClick={() => go({ open: null })} />
      <KindGlyph kind={data.kind} live={data.isLive} />
      <div className={styles.names}>
        <h2 className={styles.title}>{data.displayTitle}</h2>
        <p className={styles.facts}>
          <strong title={data.kindReason}>{KINDS[data.kind].word}</strong>
          <span>{profile}</span>
          <span>{data.source}</span>
          {data.model && <span>{data.model}</span>}
          <span>{plural(data.messageCount, "message")}</span>
          <Money cost={data.cost} />
          <Link {...toLocation(whole)}>of “{data.conversation.displayTitle}”</Link>
        </p>
      </div>
      <ExportMenu target={{ profile, id: data.id, scope: "session" }} label="Export the session" />
      <TakeQuery request={request} label="Take the session's query" />
      <IconButton
        icon="inspector"
        label="Inspector"
        action="inspector.toggle"
        aria-pressed={view.panel !== null}
        onClick={() => go({ panel: view.panel ? null : "lineage" }, true)}
      />
    </header>
  );
}
