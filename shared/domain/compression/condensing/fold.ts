import { type Repeat, repeatsOf } from "./repeats.ts";

/** How the cost of a text is measured: in tokens or in characters. */
export interface FoldCost {
  /** Cost of a piece of text. */
  of(text: string): number;
  /** Minimum saving of a dictionary entry. */
  minGain: number;
}

/** Characters that replace a phrase, single tokens first. Characters that occur in the text are skipped. */
const MARKERS = "§¶†※★◆■▲▶▼●○☆□△◎►♥♦♪↑↓⇒√█‹›‡◇▽▷♀♂♡♫☎☺①②③④⑤∀∆∞≫━┃├┣║╗╝▀▄▋░▒▓▪▫▬";
/** A line break, a marker, or a word or run of symbols with the whitespace before it. Joined, they are the text. */
const PIECE = new RegExp(
  `\\n|[^\\S\\n]*(?:[${MARKERS}]|[\\p{L}\\p{M}\\p{N}]{1,32}|[^\\s\\p{L}\\p{M}\\p{N}${MARKERS}]{1,8})|[^\\S\\n]+`,
  "gu",
);
const MAX_PHRASE_LENGTH = 64;
/** Each round folds the output of the previous one, so its phrases may contain markers. */
const MAX_ROUNDS = 4;
/** Number of best phrases considered per round; the gains beyond them are negligible. */
const MAX_CANDIDATES = 4_000;
const MIN_PIECES = 8;

/**
 * Folds repeated phrases into a dictionary in front of the text: one line `§ phrase` per phrase, an empty line, then
 * the text with `§` in place of the phrase. A phrase never spans lines and may contain markers defined above it.
 * Returns undefined if nothing is saved. `unfold` restores the text exactly.
 */
export function fold(text: string, cost: FoldCost): string | undefined {
  const markers = [...MARKERS].filter((marker) => !text.includes(marker));
  const dictionary: string[] = [];
  let body = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const folded = foldOnce(body, cost, markers);
    if (folded === undefined) break;
    dictionary.push(...folded.entries);
    body = folded.body;
  }
  return dictionary.length === 0 ? undefined : `${dictionary.join("\n")}\n\n${body}`;
}

/** Returns the text that `fold` folded. Only for output of `fold`, because other text may look like it by chance. */
export function unfold(folded: string): string {
  const end = folded.indexOf("\n\n");
  const phrases = new Map<string, string>();
  const expand = (part: string) => part.replace(/[^\w\s]/g, (sign) => phrases.get(sign) ?? sign);
  for (const entry of folded.slice(0, end).split("\n")) phrases.set(entry.charAt(0), expand(entry.slice(2)));
  return expand(folded.slice(end + 2));
}

/** Runs one round. Removes the markers it uses from `markers`. */
function foldOnce(text: string, cost: FoldCost, markers: string[]): { entries: string[]; body: string } | undefined {
  const pieces = text.match(PIECE) ?? [];
  if (pieces.length < MIN_PIECES) return undefined;
  const spent = runningCost(pieces, cost);
  const taken = new Uint8Array(pieces.length);
  const entries: string[] = [];
  for (const { positions, length } of bestCandidates(pieces, spent, cost, markers)) {
    const [marker] = markers;
    if (marker === undefined) break;
    const free = freePositions(positions, length, taken);
    const [first] = free;
    if (first === undefined) continue;
    if (gainOf(free.length, costOf(first, length, spent), cost, marker) < cost.minGain) continue;
    const phrase = pieces.slice(first, first + length).join("");
    markers.shift();
    entries.push(`${marker} ${phrase.trimStart()}`);
    for (const position of free) {
      taken.fill(1, position, position + length);
      putMarker(pieces, position, length, marker);
    }
  }
  return entries.length === 0 ? undefined : { entries, body: pieces.join("") };
}

/** Returns the repeats that would save enough if none of their occurrences were taken, largest saving first. */
function bestCandidates(pieces: string[], spent: Int32Array, cost: FoldCost, markers: string[]): Repeat[] {
  const [marker] = markers;
  if (marker === undefined) return [];
  const candidates: { repeat: Repeat; gain: number }[] = [];
  for (const repeat of repeatsOf(numbered(pieces), MAX_PHRASE_LENGTH)) {
    const [first = 0] = repeat.positions;
    const gain = gainOf(repeat.positions.length, costOf(first, repeat.length, spent), cost, marker);
    if (gain >= cost.minGain) candidates.push({ repeat, gain });
  }
  candidates.sort((a, b) => b.gain - a.gain);
  return candidates.slice(0, MAX_CANDIDATES).map(({ repeat }) => repeat);
}

function gainOf(uses: number, phraseCost: number, cost: FoldCost, marker: string): number {
  return uses * (phraseCost - cost.of(` ${marker}`)) - phraseCost - cost.of(`${marker} \n`);
}

/** Numbers the pieces, equal ones alike. Line breaks and trailing whitespace each differ, so no phrase contains one. */
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

/** Returns prefix sums: `spent[i]` is the cost of the first i pieces. */
function runningCost(pieces: string[], cost: FoldCost): Int32Array {
  const costs = new Map<string, number>();
  const spent = new Int32Array(pieces.length + 1);
  pieces.forEach((piece, i) => {
    const pieceCost = costs.get(piece) ?? cost.of(piece);
    costs.set(piece, pieceCost);
    spent[i + 1] = (spent[i] ?? 0) + pieceCost;
  });
  return spent;
}

function costOf(position: number, length: number, spent: Int32Array): number {
  return (spent[position + length] ?? 0) - (spent[position] ?? 0);
}

/** Returns occurrences, from the front, that overlap neither each other nor pieces already taken. */
function freePositions(positions: Int32Array, length: number, taken: Uint8Array): number[] {
  const free: number[] = [];
  let end = 0;
  // Most positions of most phrases are already taken by better ones; sorting all of them would dominate the run time.
  const open = positions.filter((position) => taken[position] === 0 && taken[position + length - 1] === 0);
  for (const position of open.sort()) {
    if (position < end || taken.subarray(position, position + length).includes(1)) continue;
    free.push(position);
    end = position + length;
  }
  return free;
}

/** Replaces the phrase with the marker and keeps the whitespace before the phrase. */
function putMarker(pieces: string[], position: number, length: number, marker: string): void {
  const first = pieces[position] ?? "";
  pieces.fill("", position, position + length);
  pieces[position] = first.slice(0, first.length - first.trimStart().length) + marker;
}
