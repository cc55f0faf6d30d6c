/** JSON set in lines without parsing it: long numbers, doubled keys and depth stay as stored. */
const DEEPEST = 40;

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gy;

/** Null where the text is not built like JSON. */
export function prettyJson(text: string): string | null {
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  let end = 0;
  const breakLine = () => {
    lines.push(line);
    line = "  ".repeat(Math.min(depth, DEEPEST));
  };
  const source = text.trim();
  if (!/^[[{]/.test(source)) return null;
  while (end < source.length) {
    const space = /\s*/y;
    space.lastIndex = end;
    space.exec(source);
    TOKEN.lastIndex = space.lastIndex;
    const token = TOKEN.exec(source)?.[0];
    if (token === undefined) return null;
    end = TOKEN.lastIndex;
    if (token === "{" || token === "[") {
      const closed = /\s*[}\]]/y;
      closed.lastIndex = end;
      const empty = closed.exec(source);
      if (empty) {
        line += token + empty[0].trim();
        end = closed.lastIndex;
        continue;
      }
      line += token;
      depth += 1;
      breakLine();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      if (depth < 0) return null;
      breakLine();
      line += token;
    } else if (token === ",") {
      line += token;
      breakLine();
    } else line += token === ":" ? ": " : token;
  }
  lines.push(line);
  return depth === 0 ? lines.join("\n") : null;
}

/** A parsed value as JSON; null where it nests too deep to be written. */
export function writeJson(value: unknown): string | null {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? null : (prettyJson(text) ?? text);
  } catch {
    return null;
  }
}
