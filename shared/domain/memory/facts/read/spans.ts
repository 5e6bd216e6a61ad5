const FOLDED: Readonly<Record<string, string>> = { "’": "'" };
const UNREADABLE = /[[\p{Cc}\p{Cf}\ufffd]--[\n\r\t\u200c\u200d]]/v;
const BLANK = /\s/u;
/** Length of the window, from the last sentence found, in which the next one is searched for. */
const WINDOW = 4_000;

/** Finds the positions of a text's sentences, in order: each search starts at the sentence found before. */
export class SpanFinder {
  readonly #text: string;
  readonly #places: number[];
  #from = 0;

  constructor(content: string) {
    const { text, places } = folded(content);
    this.#text = text;
    this.#places = places;
  }

  /** Returns the span of a sentence. If the whole sentence is not found, the span starts at its first two words. */
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

/** Collapses white space and removes invisible characters; `places` has the position of each unit in the content. */
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
