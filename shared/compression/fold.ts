import { type Repeat, repeatsOf } from "./repeats.ts";

/** What a fold saves and costs, in the unit that counts: tokens or characters. */
export interface FoldCost {
  /** Cost of a stretch of text. */
  of(text: string): number;
  /** A dictionary entry has to save at least this much. */
  leastGain: number;
}

/** Signs that stand for a phrase, those that are one token first. Those the text has itself are passed over. */
const MARKERS = "§¶†※★◆■▲▶▼●○☆□△◎►♥♦♪↑↓⇒√█‹›‡◇▽▷♀♂♡♫☎☺①②③④⑤∀∆∞≫━┃├┣║╗╝▀▄▋░▒▓▪▫▬";
/** A line break, a marker, or a word or a run of signs with the blanks before it: joined they give the text again. */
const PIECE = new RegExp(
  `\\n|[^\\S\\n]*(?:[${MARKERS}]|[\\p{L}\\p{M}\\p{N}]{1,32}|[^\\s\\p{L}\\p{M}\\p{N}${MARKERS}]{1,8})|[^\\S\\n]+`,
  "gu",
);
const LONGEST_PHRASE = 64;
/** Each round folds the text of the one before, so its phrases may contain phrases. */
const MOST_ROUNDS = 4;
/** Best phrases looked at in a round; beyond them the gains are crumbs. */
const MOST_CANDIDATES = 4_000;
const FEWEST_PIECES = 8;

/**
 * Folds repeated phrases into a dictionary in front of the text: a line `§ phrase` for each, an empty line, the text
 * with `§` in the phrases' places. Phrases keep within a line and may hold markers defined above them.
 * Undefined where nothing is worth it. `unfold` gives the text back exactly.
 */
export function fold(text: string, cost: FoldCost): string | undefined {
  const markers = [...MARKERS].filter((marker) => !text.includes(marker));
  const dictionary: string[] = [];
  let body = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const folded = foldOnce(body, cost, markers);
    if (folded === undefined) break;
    dictionary.push(...folded.entries);
    body = folded.body;
  }
  return dictionary.length === 0 ? undefined : `${dictionary.join("\n")}\n\n${body}`;
}

/** The text that `fold` folded. Only for what it returned: other text may happen to look like it. */
export function unfold(folded: string): string {
  const end = folded.indexOf("\n\n");
  const phrases = new Map<string, string>();
  const expand = (part: string) => part.replace(/[^\w\s]/g, (sign) => phrases.get(sign) ?? sign);
  for (const entry of folded.slice(0, end).split("\n")) phrases.set(entry.charAt(0), expand(entry.slice(2)));
  return expand(folded.slice(end + 2));
}

/** One round; takes the markers it uses from the list. */
function foldOnce(text: string, cost: FoldCost, markers: string[]): { entries: string[]; body: string } | undefined {
  const pieces = text.match(PIECE) ?? [];
  if (pieces.length < FEWEST_PIECES) return undefined;
  const spent = runningCost(pieces, cost);
  const taken = new Uint8Array(pieces.length);
  const entries: string[] = [];
  for (const { places, length } of bestCandidates(pieces, spent, cost, markers)) {
    const [marker] = markers;
    if (marker === undefined) break;
    const free = freePlaces(places, length, taken);
    const [first] = free;
    if (first === undefined) continue;
    if (gainOf(free.length, costOf(first, length, spent), cost, marker) < cost.leastGain) continue;
    const phrase = pieces.slice(first, first + length).join("");
    markers.shift();
    entries.push(`${marker} ${phrase.trimStart()}`);
    for (const place of free) {
      taken.fill(1, place, place + length);
      putMarker(pieces, place, length, marker);
    }
  }
  return entries.length === 0 ? undefined : { entries, body: pieces.join("") };
}

/** Repeats that would pay if all their occurrences were free, those that save most first. */
function bestCandidates(pieces: string[], spent: Int32Array, cost: FoldCost, markers: string[]): Repeat[] {
  const [marker] = markers;
  if (marker === undefined) return [];
  const candidates: { repeat: Repeat; gain: number }[] = [];
  for (const repeat of repeatsOf(numbered(pieces), LONGEST_PHRASE)) {
    const [first = 0] = repeat.places;
    const gain = gainOf(repeat.places.length, costOf(first, repeat.length, spent), cost, marker);
    if (gain >= cost.leastGain) candidates.push({ repeat, gain });
  }
  candidates.sort((a, b) => b.gain - a.gain);
  return candidates.slice(0, MOST_CANDIDATES).map(({ repeat }) => repeat);
}

function gainOf(uses: number, phraseCost: number, cost: FoldCost, marker: string): number {
  return uses * (phraseCost - cost.of(` ${marker}`)) - phraseCost - cost.of(`${marker} \n`);
}

/** Equal pieces get equal numbers; every line break and closing blank its own, so that no phrase holds one. */
function numbered(pieces: string[]): Int32Array {
  const numbers = new Map<string, number>();
  let next = 0;
  return Int32Array.from(pieces, (piece) => {
    const known = numbers.get(piece);
    if (known !== undefined) return known;
    const number = next++;
    if (piece.trimStart() !== "") numbers.set(piece, number);
    return number;
  });
}

/** `spent[i]`: what the first i pieces cost. */
function runningCost(pieces: string[], cost: FoldCost): Int32Array {
  const costs = new Map<string, number>();
  const spent = new Int32Array(pieces.length + 1);
  pieces.forEach((piece, i) => {
    const known = costs.get(piece) ?? cost.of(piece);
    costs.set(piece, known);
    spent[i + 1] = (spent[i] ?? 0) + known;
  });
  return spent;
}

function costOf(place: number, length: number, spent: Int32Array): number {
  return (spent[place + length] ?? 0) - (spent[place] ?? 0);
}

/** Occurrences that overlap neither one another nor what is taken, from the front. */
function freePlaces(places: Int32Array, length: number, taken: Uint8Array): number[] {
  const free: number[] = [];
  let end = 0;
  // Most places of most phrases are taken by better ones: sorting them all would cost more than anything else.
  const open = places.filter((place) => taken[place] === 0 && taken[place + length - 1] === 0);
  for (const place of open.sort()) {
    if (place < end || taken.subarray(place, place + length).includes(1)) continue;
    free.push(place);
    end = place + length;
  }
  return free;
}

/** Puts the marker in place of the phrase, behind the blanks that stood before it. */
function putMarker(pieces: string[], place: number, length: number, marker: string): void {
  const first = pieces[place] ?? "";
  pieces.fill("", place, place + length);
  pieces[place] = first.slice(0, first.length - first.trimStart().length) + marker;
}
