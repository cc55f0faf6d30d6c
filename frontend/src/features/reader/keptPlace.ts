/** Where somebody was reading, by conversation, for as long as the tab is open. */
export interface Place {
  message: string;
  /** Pixels from the top of the reader to the message's. */
  offset: number;
}

const keyOf = (document: string) => `reading ${document}`;

export function keptPlace(document: string): Place | null {
  try {
    const place: unknown = JSON.parse(sessionStorage.getItem(keyOf(document)) ?? "null");
    const { message, offset } = (place ?? {}) as Partial<Place>;
    return typeof message === "string" && typeof offset === "number" ? { message, offset } : null;
  } catch {
    return null;
  }
}

export function keepPlace(document: string, place: Place): void {
  try {
    sessionStorage.setItem(keyOf(document), JSON.stringify(place));
  } catch {
    // A full or forbidden storage: the place is not kept.
  }
}

export function forgetPlace(document: string): void {
  try {
    sessionStorage.removeItem(keyOf(document));
  } catch {
    // See above.
  }
}
