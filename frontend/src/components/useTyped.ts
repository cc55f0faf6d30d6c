/** What stands in a text field that takes effect after a pause in typing. */
import { useCallback, useEffect, useRef, useState } from "react";

const TYPING_PAUSE = 200;

export function useTyped(text: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  const [sent, setSent] = useState(text);
  if (text !== known) {
    setKnown(text);
    // What was typed comes back while somebody types on: only a change from elsewhere replaces it.
    if (text !== sent) setTyped(text);
  }
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  const send = useCallback((value: string) => {
    setSent(value);
    change.current(value);
  }, []);
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => send(typed), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed, text, send]);

  return { typed, setTyped, sendNow: () => send(typed) };
}
