/** The latest value that there was: keeps what is shown while the next answer is on its way. */
import { useState } from "react";

export function useKept<T>(value: T | null): T | null {
  const [kept, setKept] = useState(value);
  if (value !== null && value !== kept) setKept(value);
  return value ?? kept;
}
