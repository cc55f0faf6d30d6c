/** Takes files that are dropped anywhere on the page, and opens the dialog that imports them. */
import { lazy, Suspense, useEffect, useState } from "react";
import { useAction } from "../lib/useAction";
import styles from "./ImportDrop.module.css";

const ImportDialog = lazy(() => import("./ImportDialog").then((module) => ({ default: module.ImportDialog })));

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;

export function ImportDrop() {
  const [files, setFiles] = useState<File[] | null>(null);
  const isOver = useFileDrop(setFiles);
  useAction("import.open", () => setFiles([]));
  return (
    <>
      {isOver && (
        <div className={styles.over} role="presentation">
          <p className={styles.words}>Drop a .json or .jsonl file to import its sessions</p>
        </div>
      )}
      {files && (
        <Suspense>
          <ImportDialog dropped={files} onClose={() => setFiles(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Whether files are held over the page. The browser tells of every element that they enter or leave. */
function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [depth, setDepth] = useState(0);
  useEffect(() => {
    const on = (name: "dragenter" | "dragover" | "dragleave" | "drop", act: (event: DragEvent) => void) => {
      const handle = (event: DragEvent) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        act(event);
      };
      window.addEventListener(name, handle);
      return () => window.removeEventListener(name, handle);
    };
    const leaves = [
      on("dragenter", () => setDepth((count) => count + 1)),
      on("dragleave", () => setDepth((count) => Math.max(0, count - 1))),
      on("dragover", () => {}),
      on("drop", ({ dataTransfer }) => {
        setDepth(0);
        onFiles([...(dataTransfer?.files ?? [])]);
      }),
    ];
    return () => leaves.forEach((leave) => leave());
  }, [onFiles]);
  return depth > 0;
}
