/** The inspector: the lineage of what is open, its numbers, and what is stored of it. */
import { IconButton } from "../../components/IconButton";
import { Segments } from "../../components/Segments";
import { useView } from "../../lib/useView";
import type { OpenView, View } from "../../lib/view";
import styles from "./Inspector.module.css";
import { LineagePanel } from "./LineagePanel";
import { NumbersPanel } from "./NumbersPanel";
import { RawPanel } from "./RawPanel";

type Panel = NonNullable<View["panel"]>;
const NAMES: Record<Panel, string> = { lineage: "Lineage", numbers: "Numbers", raw: "Raw" };
const CONTENTS = { lineage: LineagePanel, numbers: NumbersPanel, raw: RawPanel } satisfies Record<Panel, unknown>;

export function Inspector({ open, panel }: { open: OpenView; panel: Panel }) {
  const { go } = useView();
  const Content = CONTENTS[panel];
  return (
    <>
      <header className={styles.header}>
        <Segments label="What the inspector shows" names={NAMES} value={panel} onChange={(each) => go({ panel: each }, true)} />
        <IconButton icon="close" label="Close the inspector" action="inspector.toggle" onClick={() => go({ panel: null }, true)} />
      </header>
      <Content open={open} />
    </>
  );
}
