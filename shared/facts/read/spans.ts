const FOLDED: Readonly<Record<string, string>> = { "’": "'" };
const UNREADABLE = /[[\p{Cc}\p{Cf}\ufffd]--[\n\r\t\u200c\u200d]]/v;
const BLANK = /\s/u;
/** How far behind the last sentence that was found the next one is looked for. */
const WINDOW = 4_000;

/** Finds where the sentences of a text stand in it, in their order: each search goes on behind the one before. */
export class SpanFinder {
  readonly #text: string;
  readonly #places: number[];
  #from = 0;

  constructor(content: string) {
    const { text, places } = folded(content);
    this.#text = text;
    this.#places = places;
  }

  /** The span of a sentence, or of the part of it that is found first. */
  find(sentence: string): { start: number; end: number } {
    const window = this.#text.slice(this.#from, this.#from + WINDOW);
    const whole = window.indexOf(sentence);
    const place = whole !== -1 ? whole : window.indexOf(sentence.split(" ", 2).join(" "));
    const start = this.#from + Math.max(0, place);
    const end = Math.min(this.#text.length, start + sentence.length);
    if (place !== -1) this.#from = start;
    return { start: this.#places[start] ?? 0, end: (this.#places[end - 1] ?? 0) + 1 };
  }
}

/** One blank for each run of them, and no characters that nobody sees; with the place of each unit in the content. */
function folded(content: string): { text: string; places: number[] } {
  const places: number[] = [];
  const units: string[] = [];
  for (let place = 0; place < content.length; place++) {
    const unit = content[place] ?? "";
    if (UNREADABLE.test(unit)) continue;
    const isBlank = BLANK.test(unit);
    if (isBlank && units.at(-1) === " ") continue;
    units.push(isBlank ? " " : (FOLDED[unit] ?? unit));
    places.push(place);
  }
  return { text: units.join(""), places };
}
