/** What a search could not look at, in words, above its hits. */
import type { ReactNode } from "react";
import { Icon } from "../../components/Icon";
import type { ListView } from "../../lib/view";
import styles from "./Notices.module.css";
import type { SearchAnswer } from "./searchQuery";

interface NoticesProps {
  list: ListView;
  answer: Pick<SearchAnswer, "degraded" | "totalIsCapped">;
  onDays: () => void;
}

export function Notices({ list, answer, onDays }: NoticesProps) {
  return (
    <>
      {answer.degraded && <Notice>{answer.degraded}</Notice>}
      {answer.totalIsCapped && (
        <Notice label="Narrow by date" onClick={onDays}>
          Very many messages match: only the {list.findSort === "oldest" ? "oldest" : "newest"} of them were looked at.
        </Notice>
      )}
    </>
  );
}

interface NoticeProps {
  children: ReactNode;
  label?: string;
  onClick?: () => void;
}

function Notice({ children, label, onClick }: NoticeProps) {
  return (
    <div className={styles.notice} role="note">
      <Icon name="warning" size={14} />
      <span>{children}</span>
      {label && (
        <button type="button" onClick={onClick}>
          {label}
        </button>
      )}
    </div>
  );
}
