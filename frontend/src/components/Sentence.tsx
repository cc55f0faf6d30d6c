/** A sentence of the server's: what it names between backticks stands out as code. */
export function Sentence({ text }: { text: string }) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return text; // one of them has no partner, and is a sign of somebody's own
  return parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
