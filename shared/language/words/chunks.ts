import { exactForm, MAX_WORD_LENGTH } from "../../kernel/text/fold.ts";

/** A word in its exact form with its position in the given text. */
export interface Piece {
  word: string;
  start: number;
  end: number;
}

/** A run of a script without spaces between words: its characters, each with its combining marks. */
interface Run {
  characters: Piece[];
}

/** A word, or several words joined by signs such as `-` or `_`. */
interface Compound {
  /** The compound, or several of its pieces, joined into one word: getuserbyid for get_user_by_id. */
  wholes: Piece[];
  /** `isName`: the piece changes from lower to upper case or between letters and digits, like an identifier. */
  pieces: (Piece & { isName: boolean; parts: Piece[] })[];
}

/** A unit without parts, such as an emoji or C#. */
interface Atom extends Pick<Piece, "start" | "end"> {
  /** The terms that it is indexed under. */
  indexed: string[];
  /** The terms that find it, the exact term first. */
  asked: string[];
}

export type Chunk = Run | Compound | Atom;

/** Maximum pieces that are joined into one word, and parts of a name; texts with more are encoded data. */
const MAX_JOINED = 8;
/** Maximum pieces of a compound with joined words. */
const MAX_PIECES = 32;

const UNSPACED_SCRIPTS =
  "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
const SPACED = `[[\\p{L}\\p{Nd}\\p{M}]--[${UNSPACED_SCRIPTS.replaceAll("scx", "sc")}]]+`;
const PIECE = `${SPACED}(?:['’]${SPACED})*`;
/** A run of a script without spaces; words joined by signs, with the sign of C# or C++ if present; or one emoji. */
const CHUNK = new RegExp(
  `(?<run>[[${UNSPACED_SCRIPTS}]&&[\\p{L}\\p{M}]]+)|(?<compound>${PIECE}(?:[\\-._\\/:@]${PIECE})*)(?<sign>(?:#|\\+\\+)(?![#+\\p{L}\\p{Nd}]))?|\\p{Extended_Pictographic}`,
  "gv",
);
const CHARACTER = /\P{M}\p{M}*|\p{M}+/gu;
const JOINER = /[-._/:@]/;
const VERSION = /^v?\d{1,9}(?:\.\d{1,9}){1,3}$/i;
const JOINT = /\p{Ll}\p{Lu}|\p{L}\p{Nd}|\p{Nd}\p{L}|\p{Lu}{2}\p{Ll}{2}/u;
/** The initial lower-case letter of iPhone and eBay is not a separate part. */
const PART = /\p{Nd}+|(?<!\p{L})\p{Ll}\p{Lu}\p{Ll}+|\p{Lu}{2,}(?!\p{Ll}{2})|\p{Lu}?[^\p{Lu}\p{Nd}]+|\p{Lu}/gu;
const APOSTROPHE = /['’]/;

/** Yields the chunks of a text in order, without the spaces and signs between them. */
export function* chunksOf(text: string): Generator<Chunk> {
  for (const match of text.matchAll(CHUNK)) {
    const [all] = match;
    const { run, compound, sign } = match.groups ?? {};
    if (run !== undefined) yield { characters: piecesBy(CHARACTER, run, match.index) };
    else if (compound === undefined) yield atom(all, match.index);
    else yield* chunksOfCompound(compound, match.index, sign ?? "");
  }
}

function atom(text: string, start: number, indexed = [exactForm(text)], asked = indexed): Atom {
  return { start, end: start + text.length, indexed, asked };
}

function* chunksOfCompound(text: string, start: number, sign: string): Generator<Chunk> {
  if (VERSION.test(text)) yield versionAtom(text, start);
  // A single letter before such a sign is not a word: C# is neither C++ nor C.
  else if (sign === "" || text.length > 1) yield compoundOf(text, start);
  if (sign !== "") yield atom(`${text}${sign}`, start, [`${exactForm(text)}${sign}`]);
}

/** Version 1.2.3 is found by v1.2.3, 1.2.3, v1.2 and 1.2, but not by its single numbers. */
function versionAtom(text: string, start: number): Atom {
  const numbers = text.replace(/^v/i, "").split(".");
  const prefixes = numbers.map((_, index) => numbers.slice(0, index + 1).join(".")).slice(1);
  const version = numbers.join(".");
  const hasV = /^v/i.test(text);
  const indexed = hasV ? [`v${numbers[0]}`, ...prefixes.flatMap((prefix) => [`v${prefix}`, prefix])] : prefixes;
  return atom(text, start, indexed, hasV ? [`v${version}`, version] : [version]);
}

function compoundOf(text: string, start: number): Compound {
  const pieces = splitAt(JOINER, text, start).map((piece) => {
    const raw = text.slice(piece.start - start, piece.end - start);
    const isName = JOINT.test(raw);
    return { ...piece, isName, parts: isName ? partsOf(raw, piece.start) : [] };
  });
  if (pieces.length === 1 || pieces.length > MAX_PIECES) return { wholes: [], pieces };
  const snakeCase = splitAt(/[-./:@]/, text, start).filter(({ start: from, end }) =>
    text.slice(from - start, end - start).includes("_"),
  );
  const whole = { start, end: start + text.length };
  return { wholes: [whole, ...snakeCase].flatMap((range) => joined(range, pieces)), pieces };
}

/** Returns the pieces within a range joined into one word; empty if they are too many or too long for a name. */
function joined({ start, end }: Omit<Piece, "word">, pieces: Piece[]): Piece[] {
  const inRange = pieces.filter((piece) => piece.start >= start && piece.end <= end);
  const word = inRange.map((piece) => piece.word).join("");
  return inRange.length > MAX_JOINED || word.length > MAX_WORD_LENGTH ? [] : [{ word, start, end }];
}

/** Returns the parts of a name: get, user, by and id for getUserById. Empty if it has only one part or too many. */
function partsOf(name: string, start: number): Piece[] {
  if (name.length > MAX_WORD_LENGTH || APOSTROPHE.test(name)) return [];
  const parts = piecesBy(PART, name, start);
  return parts.length === 1 || parts.length > MAX_JOINED ? [] : parts;
}

function splitAt(sign: RegExp, text: string, start: number): Piece[] {
  if (!sign.test(text)) return pieceOf(text, start);
  let position = start;
  return text.split(sign).flatMap((part) => {
    const piece = pieceOf(part, position);
    position += part.length + 1;
    return piece;
  });
}

function piecesBy(pattern: RegExp, text: string, start: number): Piece[] {
  return [...text.matchAll(pattern)].flatMap((match) => pieceOf(match[0], start + match.index));
}

function pieceOf(text: string, start: number): Piece[] {
  const word = exactForm(text);
  return word === "" ? [] : [{ word, start, end: start + text.length }];
}
