/** What can be done with one message: take its text, a link to it, its stored row, its query. */
import { useClient } from "urql";
import { IconButton } from "../../components/IconButton";
import { Menu, MenuItem, MenuLine } from "../../components/Menu";
import { TakeQueryItems } from "../../components/TakeQuery";
import { useToast } from "../../components/Toasts";
import { copyText } from "../../lib/clipboard";
import { changeView, useView } from "../../lib/useView";
import { toHref } from "../../lib/view";
import styles from "./MessageArticle.module.css";
import { messageAsMarkdown } from "./markdown";
import { MessageRaw } from "./RawMessage";
import type { Call, Message } from "./transcript";
import { loadWhole } from "./useFullMessage";

interface MessageMenuProps {
  message: Message;
  calls: readonly Call[];
  isRaw: boolean;
  onRaw: () => void;
}

export function MessageMenu({ message, calls, isRaw, onRaw }: MessageMenuProps) {
  const client = useClient();
  const toast = useToast();
  const { view } = useView();
  const copy = async (what: string, text: string | null) => {
    const copied = text !== null && (await copyText(text));
    toast(copied ? { text: `Copied ${what}` } : { text: text === null ? "The text could not be loaded" : "The browser did not allow copying", tone: "bad" });
  };
  const whole = async () => (message.contentTruncated ? loadWhole(client, message.nodeId) : (message.content ?? ""));
  const asMarkdown = async () => {
    const content = await whole();
    return content === null ? null : messageAsMarkdown({ ...message, content, contentTruncated: false }, calls);
  };
  const link = () => window.location.origin + toHref(changeView(view, { open: view.open && { ...view.open, message: message.id, segment: null } }));

  return (
    <span className={styles.menu}>
      <Menu align="end" trigger={<IconButton icon="more" label="What to do with this message" />}>
        <MenuItem icon="copy" disabled={!message.content} onSelect={async () => copy("the text", await whole())}>
          Copy the text
        </MenuItem>
        <MenuItem icon="copy" onSelect={async () => copy("as Markdown", await asMarkdown())}>
          Copy as Markdown
        </MenuItem>
        <MenuItem icon="link" onSelect={() => void copy("the link", link())}>
          Copy a link to it
        </MenuItem>
        <MenuItem icon="code" onSelect={onRaw}>
          {isRaw ? "Hide the stored row" : "Show the stored row"}
        </MenuItem>
        <MenuLine />
        <TakeQueryItems request={{ document: MessageRaw, variables: { nodeId: message.nodeId } }} />
      </Menu>
    </span>
  );
}
