/** The lines of a code: plain at first, in their colours when the worker has found them. */
import { useEffect, useMemo, useState } from "react";
import { type Line, plainLines } from "../spans";
import { Highlighter, type Tokenizer } from "./highlighter";
import { languageOf } from "./languages";

const highlighter = new Highlighter(startWorker);

function startWorker(): Tokenizer {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  let tell: ((id: number, lines: Line[] | null) => void) | undefined;
  let fail: (() => void) | undefined;
  worker.addEventListener("message", ({ data }) => tell?.(data.id, data.lines));
  worker.addEventListener("error", () => fail?.());
  return {
    run: (job, onLines, onFailure) => {
      [tell, fail] = [onLines, onFailure];
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows: workers have none
      worker.postMessage(job);
    },
    terminate: () => worker.terminate(),
  };
}

export function useHighlight(text: string, language: string): Line[] {
  const name = languageOf(language);
  const plain = useMemo(() => plainLines(text), [text]);
  const [found, setFound] = useState<{ text: string; name: string; lines: Line[] | null }>();
  const known = name === null ? null : highlighter.known(name, text);
  useEffect(() => {
    if (name === null || known !== undefined) return;
    let isWanted = true;
    void highlighter.highlight(name, text).then((lines) => isWanted && setFound({ text, name, lines }));
    return () => {
      isWanted = false;
    };
  }, [text, name, known]);
  const lines = known ?? (found?.text === text && found.name === name ? found.lines : null);
  return lines ?? plain;
}
