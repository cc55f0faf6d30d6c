/** A snippet in pieces, those that were found marked apart. */
export interface Piece {
  text: string;
  isFound: boolean;
}

/** `highlights` count code points, of which some are two units of a string here. */
export function toPieces(snippet: string, highlights: readonly { start: number; end: number }[]): Piece[] {
  const characters = Array.from(snippet);
  const pieces: Piece[] = [];
  const add = (start: number, end: number, isFound: boolean) => {
    const text = characters.slice(start, end).join("");
    if (text) pieces.push({ text, isFound });
  };
  let done = 0;
  for (const { start, end } of highlights) {
    add(done, start, false);
    add(start, end, true);
    done = end;
  }
  add(done, characters.length, false);
  return pieces;
}
