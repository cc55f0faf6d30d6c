/** Terminal output as a terminal would show it: colours as names of looks, lines written over as they end up. */
import { type Line, plainLines, type Span } from "./spans";

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
const FURTHEST = 1_000;

/* oxlint-disable no-control-regex -- terminal sequences are made of control characters */
const SEQUENCE = /(?:\u001B\[|\u009B)([0-?]*)[ -/]*([@-~])|\u001B\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|\u001B[PX^_][^\u001B\n]*(?:\u001B\\)?|\u001B[ -/]*[0-~]?/y;
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;
const PLAIN = /[^\u0000-\u0008\u000A-\u001F\u007F-\u009F]+/y;
/* oxlint-enable no-control-regex */

/** Whether anything in a text is meant for a terminal rather than for a reader. */
export const hasTerminalSequences = (text: string): boolean => CONTROL.test(text);

interface Pen {
  colour?: string;
  ground?: string;
  isInverse: boolean;
  marks: ReadonlySet<string>;
}

const BLANK: Pen = { isInverse: false, marks: new Set() };
const MARKS: Record<number, string> = { 1: "bold", 2: "dim", 3: "italic", 4: "underline", 9: "strike" };
const MARKS_OFF: Record<number, readonly string[]> = { 22: ["bold", "dim"], 23: ["italic"], 24: ["underline"], 29: ["strike"] };

export function readTerminal(text: string): Line[] {
  return hasTerminalSequences(text) ? new Screen().write(text).lines() : plainLines(text);
}

/** Text as a terminal would show it, without its colours. */
export const terminalText = (text: string): string =>
  readTerminal(text).map((line) => line.map((span) => span.text).join("")).join("\n");

/** Rows of characters with the look of each; hidden text (SGR 8) is shown, since what is read here is evidence. */
class Screen {
  readonly #characters: string[][] = [[]];
  readonly #looks: string[][] = [[]];
  #row = 0;
  #column = 0;
  #pen = BLANK;
  #look = "";

  write(text: string): this {
    let at = 0;
    while (at < text.length) at = this.#step(text, at);
    return this;
  }

  lines(): Line[] {
    return this.#characters.map((characters, row) => toSpans(characters, this.#looks[row] ?? []));
  }

  #step(text: string, at: number): number {
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text);
    if (plain) {
      for (const character of plain[0]) this.#put(character);
      return PLAIN.lastIndex;
    }
    SEQUENCE.lastIndex = at;
    const sequence = SEQUENCE.exec(text);
    if (sequence) {
      if (sequence[2]) this.#obey(sequence[2], sequence[1] ?? "");
      return SEQUENCE.lastIndex;
    }
    if (text[at] === "\n") this.#goTo(this.#row + 1, 0);
    else if (text[at] === "\r") this.#column = 0;
    else if (text[at] === "\b") this.#column = Math.max(0, this.#column - 1);
    return at + 1;
  }

  #put(character: string): void {
    const characters = this.#characters[this.#row] ?? [];
    const looks = this.#looks[this.#row] ?? [];
    while (characters.length < this.#column) {
      characters.push(" ");
      looks.push("");
    }
    characters[this.#column] = character;
    looks[this.#column] = this.#look;
    this.#column += 1;
  }

  #goTo(row: number, column: number): void {
    this.#row = Math.max(0, row);
    this.#column = Math.max(0, column);
    while (this.#characters.length <= this.#row) {
      this.#characters.push([]);
      this.#looks.push([]);
    }
  }

  #obey(command: string, parameters: string): void {
    const count = Math.min(FURTHEST, Number.parseInt(parameters, 10) || 0);
    const steps = Math.max(1, count);
    if (command === "m") this.#paint(parameters);
    else if (command === "K") this.#erase(count);
    else if (command === "G") this.#goTo(this.#row, steps - 1);
    else if (command === "C") this.#goTo(this.#row, Math.min(FURTHEST, this.#column) + steps);
    else if (command === "D") this.#goTo(this.#row, this.#column - steps);
    else if (command === "A") this.#goTo(this.#row - steps, this.#column);
    else if (command === "F") this.#goTo(this.#row - steps, 0);
    else if (command === "B" || command === "E") this.#goTo(Math.min(this.#row + steps, this.#characters.length - 1), command === "E" ? 0 : this.#column);
  }

  /** 0: from the cursor on, 1: up to it, 2: the whole line. */
  #erase(what: number): void {
    const characters = this.#characters[this.#row] ?? [];
    const looks = this.#looks[this.#row] ?? [];
    if (what === 1) {
      characters.fill(" ", 0, this.#column + 1);
      looks.fill("", 0, this.#column + 1);
      return;
    }
    characters.length = Math.min(characters.length, what === 0 ? this.#column : 0);
    looks.length = characters.length;
  }

  #paint(parameters: string): void {
    this.#pen = painted(this.#pen, parameters.split(/[;:]/).map(Number));
    this.#look = lookOf(this.#pen);
  }
}

function painted(pen: Pen, codes: readonly number[]): Pen {
  let next = pen;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(index + 1));
      index += used;
      next = code === 38 ? { ...next, colour } : { ...next, ground: colour };
    } else next = withCode(next, code);
  }
  return next;
}

function withCode(pen: Pen, code: number): Pen {
  if (!code) return BLANK;
  const mark = MARKS[code];
  if (mark) return { ...pen, marks: new Set([...pen.marks, mark]) };
  const off = MARKS_OFF[code];
  if (off) return { ...pen, marks: new Set([...pen.marks].filter((each) => !off.includes(each))) };
  if (code === 7 || code === 27) return { ...pen, isInverse: code === 7 };
  if (code === 39) return { ...pen, colour: undefined };
  if (code === 49) return { ...pen, ground: undefined };
  const name = COLOURS[code % 10];
  const tens = Math.floor(code / 10);
  if (tens === 3 || tens === 9) return { ...pen, colour: named(name, tens === 9) };
  if (tens === 4 || tens === 10) return { ...pen, ground: named(name, tens === 10) };
  return pen;
}

const named = (name: string | undefined, isBright: boolean) => (name && isBright ? `bright-${name}` : name);

/** What follows 38 or 48: a colour of 256, or of red, green and blue; and how many codes it took. */
function extended([kind, ...values]: readonly number[]): [string | undefined, number] {
  if (kind === 5) return [ofPalette(values[0] ?? 0), 2];
  if (kind === 2) return [nearest(values[0] ?? 0, values[1] ?? 0, values[2] ?? 0), 4];
  return [undefined, 1];
}

/** One of the six steps of a colour cube's side, as 0 to 255. */
const level = (value: number) => (value % 6) * 51;

function ofPalette(index: number): string | undefined {
  if (index < 16) return named(COLOURS[index % 8], index > 7);
  if (index >= 232) return nearest(...grey(index));
  const cube = index - 16;
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6)), level(cube));
}

const grey = (index: number): [number, number, number] => {
  const value = (index - 232) * 11;
  return [value, value, value];
};

/** The one of 16 that comes nearest, which both themes can show readably. */
function nearest(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) return most < 64 ? "black" : most < 176 ? "bright-black" : "white";
  const middle = (most + least) / 2;
  const index = Number(red > middle) + 2 * Number(green > middle) + 4 * Number(blue > middle);
  return named(COLOURS[index], middle > 140) ?? "white";
}

function lookOf({ colour, ground, isInverse, marks }: Pen): string {
  const [front, back] = isInverse ? [ground, colour ?? "ink"] : [colour, ground];
  return [front, back && `on-${back}`, ...marks].filter(Boolean).join(" ");
}

function toSpans(characters: readonly string[], looks: readonly string[]): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (let column = 1; column <= characters.length; column += 1) {
    if (column < characters.length && looks[column] === looks[start]) continue;
    spans.push({ text: characters.slice(start, column).join(""), ...(looks[start] ? { look: looks[start] } : {}) });
    start = column;
  }
  return spans;
}
