/** The inspector: the lineage of what is open, and its numbers. */
import { IconButton } from "../../components/IconButton";
import { useView } from "../../lib/useView";
import { type OpenView, PANELS, type View } from "../../lib/view";
import styles from "./Inspector.module.css";
import { LineagePanel } from "./LineagePanel";
import { NumbersPanel } from "./NumbersPanel";

type Panel = NonNullable<View["panel"]>;
const NAMES: Record<Panel, string> = { lineage: "Lineage", numbers: "Numbers" };

export function Inspector({ open, panel }: { open: OpenView; panel: Panel }) {
  const { go } = useView();
  return (
    <>
      <header className={styles.header}>
        <div className={styles.tabs} role="group" aria-label="What the inspector shows">
          {PANELS.map((each) => (
            <button key={each} type="button" className={styles.tab} aria-pressed={each === panel} onClick={() => go({ panel: each }, true)}>
              {NAMES[each]}
            </button>
          ))}
        </div>
        <IconButton icon="close" label="Close the inspector" action="inspector.toggle" onClick={() => go({ panel: null }, true)} />
      </header>
      {panel === "lineage" ? <LineagePanel open={open} /> : <NumbersPanel open={open} />}
    </>
  );
}
