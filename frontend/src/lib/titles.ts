/** The title of a conversation where many stand together. */

interface Titled {
  job?: string | null;
  title?: string | null;
  displayTitle: string;
}

/** Hermes puts an order before the prompt of a job; a list of jobs would be one of orders. */
const ORDER = /^\[SYSTEM: [^\]]*(?:\]\s*|$)/;

export function titleOf({ job, title, displayTitle }: Titled): string {
  if (title || !job) return displayTitle;
  return displayTitle.replace(ORDER, "") || `Job ${job}`;
}

const MOST = 80;

/** What is stored may be of any length; in a sentence it has 80 characters at most. */
export function inShort(text: string): string {
  const characters = [...text];
  return characters.length > MOST ? `${characters.slice(0, MOST - 1).join("").trimEnd()}…` : text;
}
