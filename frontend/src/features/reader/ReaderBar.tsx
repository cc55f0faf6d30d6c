/** Over the transcript: how much of it is shown, where in it one reads, and finding words in it. */
import { IconButton } from "../../components/IconButton";
import { Segments } from "../../components/Segments";
import { count } from "../../lib/format";
import type { Mode } from "../../lib/view";
import { FindBar } from "./FindBar";
import { MODE_NAMES } from "./modes";
import styles from "./ReaderBar.module.css";
import type { InSight } from "./Transcript";
import type { Finding } from "./useFind";

interface ReaderBarProps {
  mode: Mode;
  onMode: (mode: Mode) => void;
  inSight: InSight | null;
  total: number | null;
  finding: Finding;
  onCloseFind: () => void;
}

export function ReaderBar({ mode, onMode, inSight, total, finding, onCloseFind }: ReaderBarProps) {
  if (finding.isOpen) {
    return (
      <div className={styles.bar}>
        <FindBar finding={finding} onClose={onCloseFind} />
      </div>
    );
  }
  return (
    <div className={styles.bar}>
      <Segments label="How much is shown" names={MODE_NAMES} value={mode} onChange={onMode} />
      <span className={styles.place}>
        {inSight && total !== null && `${count(inSight.from + 1)} / ${count(total)}`}
      </span>
      <IconButton icon="search" label="Find in the transcript" action="reader.find" onClick={finding.open} />
    </div>
  );
}
