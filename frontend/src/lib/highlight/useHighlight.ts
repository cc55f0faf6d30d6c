/** The lines of a code: plain at first, in their colours when the worker has found them. */
import { useEffect, useMemo, useState } from "react";
import { type Line, plainLines } from "../spans";
import { Highlighter } from "./highlighter";
import { languageOf } from "./languages";

const highlighter = new Highlighter(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));

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
