/** Whether the reader may take the focus when it opens: from the list that it was opened from, or from nothing. */
export const isFree = (focused: Element | null): boolean =>
  focused === null || focused === document.body || focused.getAttribute("role") === "grid";
