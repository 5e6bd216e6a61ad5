/**
 * Generates text for speed measurements: things that people tell an assistant, composed from word lists by a seeded
 * generator, so that all runs see the same text. Names of things follow Zipf's law (the n-th most frequent word is n
 * times as rare as the first), like words of real text, so that keyword queries meet common and rare words.
 */

const PEOPLE = words(
  "Ada Bruno Carla Dmitri Elena Farid Greta Hassan Ines Jonas Keiko Liam Mara Nadia Oscar Priya Quentin Rosa Samir Tess",
);
const PLACES = words(
  "Zurich Lisbon Osaka Toronto Nairobi Bergen Valparaiso Hanoi Krakow Austin Perth Ghent Tbilisi Oaxaca Turin Leeds",
);
const ACTIVITIES = words(
  "painting climbing gardening pottery sailing chess photography baking cycling archery woodworking astronomy fencing hiking",
);
const THINGS = words(
  "bicycle piano telescope kayak camera sweater teapot notebook guitar lantern bookshelf blanket bakery clinic library garage",
);
const QUALITIES = words("quiet old bright expensive reliable broken tiny enormous familiar strange gentle stubborn");
const DAYS = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday");
const MONTHS = words("January February March April May June July August September October November December");
const CONSONANTS = words("b d f g k l m n p r s t v z br dr kl st tr pl");
const VOWELS = words("a e i o u ai ea ou");
const COINED_WORDS = 8_000;

/** Options that store a text unchanged, without extraction and compression. */
export const AS_IT_IS = { extract_facts: false, extract_entities: false, compress: false };

type Part = (from: Generator) => string;

const SENTENCES: Part[] = [
  (g) => `${g.person()} bought a ${g.quality()} ${g.thing()} in ${g.place()} last ${g.day()}.`,
  (g) => `I work with ${g.person()} at ${g.coined()}, mostly on the ${g.coined()} project.`,
  (g) => `We talked about ${g.activity()} and the ${g.coined()} festival in ${g.place()}.`,
  (g) => `${g.person()} prefers ${g.coined()} over ${g.coined()} because it is ${g.quality()}.`,
  (g) => `On ${g.month()} ${g.number(28)} my sister moved to ${g.place()} for a job at ${g.coined()}.`,
  (g) => `Please remember that the ${g.thing()} needs a new ${g.coined()} before ${g.month()}.`,
  (g) => `Since ${g.month()} I go ${g.activity()} with ${g.person()} every ${g.day()}, and it helps me sleep.`,
  (g) => `The ${g.quality()} ${g.thing()} from ${g.coined()} cost ${g.number(900)} euros, which felt like too much.`,
  (g) => `${g.person()} recommended the book about ${g.coined()} and ${g.activity()} to me.`,
  (g) => `My doctor said the ${g.coined()} treatment should end in ${g.month()}.`,
];

const QUESTIONS: Part[] = [
  (g) => `What did ${g.person()} buy in ${g.place()}?`,
  (g) => `Who works at ${g.coined()} on the ${g.coined()} project?`,
  (g) => `When did we talk about ${g.activity()} and the ${g.coined()} festival?`,
  (g) => `Why does ${g.person()} prefer ${g.coined()}?`,
  (g) => `How much was the ${g.quality()} ${g.thing()} from ${g.coined()}?`,
  (g) => `Which book about ${g.coined()} was recommended?`,
];

/** Generates memories and questions about them; the same seed generates the same ones. */
export class Generator {
  readonly #random: () => number;
  readonly #coined: readonly string[];

  constructor(seed: number) {
    this.#random = mulberry32(seed);
    this.#coined = coinWords(mulberry32(1));
  }

  /** Returns one to four sentences, about 30 words on average. */
  memory(): string {
    return Array.from({ length: this.number(4) }, () => this.#pick(SENTENCES)(this)).join(" ");
  }

  question(): string {
    return this.#pick(QUESTIONS)(this);
  }

  person = () => this.#pick(PEOPLE);
  place = () => this.#pick(PLACES);
  activity = () => this.#pick(ACTIVITIES);
  thing = () => this.#pick(THINGS);
  quality = () => this.#pick(QUALITIES);
  day = () => this.#pick(DAYS);
  month = () => this.#pick(MONTHS);
  /** Returns a made-up name; the first ones are by far the most frequent. */
  coined = () => this.#coined[Math.floor(this.#coined.length ** this.#random()) - 1] ?? "";
  /** Returns an integer from 1 to `most`. */
  number = (most: number) => 1 + Math.floor(this.#random() * most);

  #pick<T>(all: readonly [T, ...T[]] | readonly T[]): T {
    return at(all, Math.floor(this.#random() * all.length));
  }
}

function words(list: string): readonly string[] {
  return list.split(" ");
}

function at<T>(all: readonly T[], place: number): T {
  const found = all[place];
  if (found === undefined) throw new RangeError(`no item ${place} of ${all.length}`);
  return found;
}

function coinWords(random: () => number): readonly string[] {
  const pick = (all: readonly string[]) => at(all, Math.floor(random() * all.length));
  const coined = new Set<string>();
  while (coined.size < COINED_WORDS) {
    const syllables = Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(CONSONANTS) + pick(VOWELS));
    const word = syllables.join("");
    coined.add(word.charAt(0).toUpperCase() + word.slice(1));
  }
  return [...coined];
}

/** Tommy Ettinger's mulberry32 (public domain): returns numbers in 0..1 from a 32-bit state. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
