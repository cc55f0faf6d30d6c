/** The door: requests that need another token wait here until somebody has given one. */
import { useCallback, useState } from "react";
import { saveToken } from "../lib/token";

export interface Door {
  isLocked: boolean;
  /** Whether a token was tried before. */
  wasRefused: boolean;
  /** Locks the door. Resolves when it is opened. */
  ask: () => Promise<void>;
  open: (token: string) => void;
}

export function useDoor(): Door {
  const [waiting, setWaiting] = useState<(() => void)[]>([]);
  const [attempts, setAttempts] = useState(0);
  const ask = useCallback(
    () => new Promise<void>((resolve) => setWaiting((before) => [...before, resolve])),
    [],
  );
  const open = (token: string) => {
    saveToken(token);
    setAttempts(attempts + 1);
    setWaiting([]);
    for (const resume of waiting) resume();
  };
  return { isLocked: waiting.length > 0, wasRefused: attempts > 0, ask, open };
}
