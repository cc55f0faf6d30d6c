/** Characters that change what is read without being seen, made visible. */

/** Turn the order of the text around them: an identifier may then read as another one. */
const TURNING = "\\u202A-\\u202E\\u2066-\\u2069";
/** Take no room: in code they make two words of one. */
const UNSEEN = "\\u200B\\u2060\\uFEFF\\u00AD";
const CONTROLS = "\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F";

const IN_PROSE = new RegExp(`([${TURNING}])`);
const IN_CODE = new RegExp(`([${TURNING}${UNSEEN}${CONTROLS}])`);

const NAMES: Record<number, string> = {
  0x00: "NUL", 0x08: "backspace", 0x0d: "carriage return", 0x1b: "escape",
  0x00ad: "soft hyphen", 0x200b: "zero-width space", 0x2060: "word joiner", 0xfeff: "byte order mark",
  0x202a: "left-to-right embedding", 0x202b: "right-to-left embedding", 0x202c: "end of a direction", 0x202d: "left-to-right override",
  0x202e: "right-to-left override", 0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate", 0x2068: "first strong isolate", 0x2069: "end of an isolate",
};

export interface Piece {
  text: string;
  /** For a character that is not seen: what it is called. */
  name?: string;
}

/** A text in pieces; a single one where nothing hides in it. */
export function visiblePieces(text: string, where: "prose" | "code"): Piece[] {
  const pattern = where === "prose" ? IN_PROSE : IN_CODE;
  if (!pattern.test(text)) return [{ text }];
  return text.split(pattern).flatMap((part, index): Piece[] => {
    if (index % 2 === 0) return part ? [{ text: part }] : [];
    const code = part.codePointAt(0) ?? 0;
    const point = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    return [{ text: point, name: `${NAMES[code] ?? "control character"} (${point})` }];
  });
}
