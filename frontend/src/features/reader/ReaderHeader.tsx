/** Over a conversation: its title, what it is made of, and what can be done with it. */
import { useEffect, useState } from "react";
import { EditableTitle } from "../../components/EditableTitle";
import { ExportMenu } from "../../components/ExportMenu";
import { IconButton } from "../../components/IconButton";
import { KindGlyph } from "../../components/KindGlyph";
import { Menu, MenuItem } from "../../components/Menu";
import { Money } from "../../components/Money";
import { TakeQuery } from "../../components/TakeQuery";
import { titleDraft } from "../../components/titleDrafts";
import { useToast } from "../../components/Toasts";
import { useConversationActions } from "../../components/useConversationActions";
import { type FragmentType, graphql, readFragment } from "../../graphql/generated";
import { copyText } from "../../lib/clipboard";
import { plural, tokens } from "../../lib/format";
import { rememberOpened } from "../../lib/recent";
import { useAction } from "../../lib/useAction";
import { useTitle } from "../../lib/useTitle";
import { useView } from "../../lib/useView";
import styles from "./ReaderHeader.module.css";
import { ConversationMessages, FIRST_SIZE } from "./readerQueries";

const HeaderFragment = graphql(`
  fragment ReaderHeader_conversation on Conversation {
    nodeId
    id
    kind
    title
    displayTitle
    source
    model
    isLive
    archived
    messageCount
    segments { nodeId }
    profile { nodeId name }
    usage { totalTokens }
    cost { ...Money_cost }
  }
`);

export function ReaderHeader({ conversation }: { conversation: FragmentType<typeof HeaderFragment> }) {
  const data = readFragment(HeaderFragment, conversation);
  const { view, go } = useView();
  const { archive, remove, rename } = useConversationActions();
  const toast = useToast();
  const draftKey = `reader ${data.nodeId}`;
  // A title that was refused is still there for somebody who went to see who has it.
  const [isRenaming, setRenaming] = useState(() => titleDraft(draftKey) !== undefined);
  const target = { ...data, profile: data.profile.name };

  const toggleArchived = () => void archive(target);
  const removeIt = () => void remove(target, () => go({ open: null }));
  const copyLink = async () => {
    const copied = await copyText(window.location.href);
    toast(copied ? { text: "Copied the link" } : { text: "The browser did not allow copying", tone: "bad" });
  };
  useTitle(data.displayTitle);
  useEffect(() => rememberOpened({ profile: target.profile, id: data.id, title: data.displayTitle }), [target.profile, data.id, data.displayTitle]);
  useAction("reader.rename", () => setRenaming(true));
  useAction("reader.archive", toggleArchived);
  useAction("reader.delete", removeIt);

  const request = { document: ConversationMessages, variables: { id: data.id, profile: data.profile.name, first: FIRST_SIZE } };
  return (
    <header className={styles.header}>
      <IconButton className={styles.back} icon="back" label="Back to the list" action="region.leave" onClick={() => go({ open: null })} />
      <KindGlyph kind={data.kind} live={data.isLive} />
      <div className={styles.names}>
        {isRenaming ? (
          <EditableTitle draftKey={draftKey} title={data.title ?? ""} placeholder={data.displayTitle} onSave={(title) => rename(target, title)} onClose={() => setRenaming(false)} />
        ) : (
          <h2 className={styles.title}>
            <button type="button" title="Rename  (r)" onClick={() => setRenaming(true)}>
              {data.displayTitle}
            </button>
          </h2>
        )}
        <p className={styles.facts}>
          {data.archived && <strong>archived</strong>}
          <span>{data.profile.name}</span>
          <span>{data.source}</span>
          <span>{plural(data.messageCount, "message")}</span>
          {data.segments.length > 1 && <span>{plural(data.segments.length, "segment")}</span>}
          <span>{tokens(data.usage.totalTokens)} tokens</span>
          <Money cost={data.cost} />
          {data.model && <span>{data.model}</span>}
        </p>
      </div>
      <IconButton className={styles.spare} icon="archive" label={data.archived ? "Bring back from the archive" : "Archive"} action="reader.archive" onClick={toggleArchived} />
      <ExportMenu target={{ profile: target.profile, id: data.id }} label="Export the conversation" />
      <TakeQuery request={request} label="Take the conversation's query" />
      <IconButton
        icon="inspector"
        label="Inspector"
        action="inspector.toggle"
        aria-pressed={view.panel !== null}
        onClick={() => go({ panel: view.panel ? null : "lineage" }, true)}
      />
      <Menu align="end" trigger={<IconButton icon="more" label="More" />}>
        <MenuItem icon="edit" note="r" onSelect={() => setTimeout(() => setRenaming(true))}>
          Rename
        </MenuItem>
        <MenuItem icon="copy" onSelect={() => void copyLink()}>
          Copy link
        </MenuItem>
        <MenuItem icon="archive" note="e" onSelect={toggleArchived}>
          {data.archived ? "Bring back from the archive" : "Archive"}
        </MenuItem>
        <MenuItem icon="trash" note="#" danger onSelect={removeIt}>
          Delete
        </MenuItem>
      </Menu>
    </header>
  );
}
