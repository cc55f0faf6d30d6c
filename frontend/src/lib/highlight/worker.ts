/** Finds tokens off the page's own thread: a grammar that runs away stops nobody, and can be ended. */
import { highlight } from "./grammars";

export interface Job {
  id: number;
  language: string;
  text: string;
}

onmessage = ({ data: { id, language, text } }: MessageEvent<Job>) => {
  try {
    postMessage({ id, lines: highlight(language, text) });
  } catch {
    postMessage({ id, lines: null });
  }
};
