const REPLACEMENTS: Readonly<Record<string, string>> = { "’": "'" };
const UNREADABLE = /[[\p{Cc}\p{Cf}\ufffd]--[\n\r\t\u200c\u200d]]/v;
const BLANK = /\s/u;
/** Length of the window, from the last sentence found, in which the next one is searched for. */
const WINDOW = 4_000;

/** Finds the positions of a text's sentences, in order: each search starts at the sentence found before. */
export class SpanFinder {
  readonly #text: string;
  readonly #positions: number[];
  #from = 0;

  constructor(content: string) {
    const { text, positions } = normalize(content);
    this.#text = text;
    this.#positions = positions;
  }

  /** Returns the span of a sentence. If the whole sentence is not found, the span starts at its first two words. */
  find(sentence: string): { start: number; end: number } {
    const window = this.#text.slice(this.#from, this.#from + WINDOW);
    const whole = window.indexOf(sentence);
    const index = whole !== -1 ? whole : window.indexOf(sentence.split(" ", 2).join(" "));
    const start = this.#from + Math.max(0, index);
    const end = Math.min(this.#text.length, start + sentence.length);
    if (index !== -1) this.#from = start;
    return { start: this.#positions[start] ?? 0, end: (this.#positions[end - 1] ?? 0) + 1 };
  }
}

/** Collapses white space and removes invisible characters; `positions` has the position of each unit in the content. */
function normalize(content: string): { text: string; positions: number[] } {
  const positions: number[] = [];
  const units: string[] = [];
  for (let index = 0; index < content.length; index++) {
    const unit = content[index] ?? "";
    if (UNREADABLE.test(unit)) continue;
    const isBlank = BLANK.test(unit);
    if (isBlank && units.at(-1) === " ") continue;
    units.push(isBlank ? " " : (REPLACEMENTS[unit] ?? unit));
    positions.push(index);
  }
  return { text: units.join(""), positions };
}
