/** Copies the message at the cursor, with its calls, as Markdown. */
import { useToast } from "../../components/Toasts";
import { copyText } from "../../lib/clipboard";
import { useAction } from "../../lib/useAction";
import { messageAsMarkdown } from "./markdown";
import type { Row } from "./modes";

export function useCopyMessage(row: Row | undefined): void {
  const toast = useToast();
  const copy = async () => {
    if (row?.type !== "message") return;
    const copied = await copyText(messageAsMarkdown(row.message, row.calls));
    toast(copied ? { text: "Copied the message as Markdown" } : { text: "The browser did not allow copying", tone: "bad" });
  };
  useAction("reader.copy", () => void copy());
}
