import bidiFactory, { type Bidi } from "bidi-js";
import LineBreaker from "linebreak";
import type { Face, FaceFinder } from "./fonts.ts";

/** Text in one face in drawing order, left to right. `width` is in ems. */
export interface Run {
  text: string;
  face: Face;
  width: number;
}

export interface Line {
  runs: Run[];
  /** In ems. */
  width: number;
  /** Whether it starts at the right margin. */
  isRightToLeft: boolean;
}

/** A run before line breaking; odd levels read right to left (Unicode Standard Annex 9). */
interface LogicalRun extends Run {
  level: number;
}

/** An unbreakable part with its trailing blanks. */
interface Chunk {
  runs: LogicalRun[];
  width: number;
  /** Width of trailing blanks, which may extend into the margin. */
  trailing: number;
}

const bidi = openBidi();
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const ASCII = /^[\x20-\x7e]*$/;
/** Emoji sequences and characters without a glyph. */
const NEEDS_CARE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Extended_Pictographic}\p{RI}\u20e3\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/v;
const TURNS_AROUND = /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\u061c\u200f\u202b\u202e\u2067]/v;
const CHARACTER = /\p{RGI_Emoji}|[\s\S]/gv;
const EMOJI = /^\p{RGI_Emoji}$/v;
const JOINERS = /^[\u200c\u200d]$/;
/** Formatting characters and variation selectors, which only affect their neighbours. */
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]$/v;
/** Skin tones and the key cap, without which an emoji is still readable. */
const ADORNMENT = /^[\u{1f3fb}-\u{1f3ff}\u{20e3}]$/v;

/**
 * Breaks one paragraph into lines of at most `ems` at the opportunities of Unicode Standard Annex 14; a longer word is
 * broken between letters. A character without a font is shown by its code point.
 */
export function setParagraph(text: string, finder: FaceFinder, ems: number): Line[] {
  const { levels, base } = levelsOf(text);
  const lines: Line[] = [];
  let chunks: Chunk[] = [];
  let width = 0;
  const close = () => {
    lines.push(toLine(chunks, base));
    chunks = [];
    width = 0;
  };
  for (const chunk of chunksOf(text, levels, finder, ems)) {
    if (chunks.length > 0 && width + chunk.width - chunk.trailing > ems) close();
    chunks.push(chunk);
    width += chunk.width;
  }
  close();
  return lines;
}

/** The package's types describe its ES module; Node loads the function itself, as esbuild does for both. */
function openBidi(): Bidi {
  return (bidiFactory as unknown as () => Bidi)();
}

function levelsOf(text: string): { levels: Uint8Array | undefined; base: number } {
  if (!TURNS_AROUND.test(text)) return { levels: undefined, base: 0 };
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, "auto");
  return { levels, base: paragraphs[0]?.level ?? 0 };
}

function* chunksOf(
  text: string,
  levels: Uint8Array | undefined,
  finder: FaceFinder,
  ems: number,
): Generator<Chunk, void> {
  const breaker = new LineBreaker(text);
  let start = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const chunk = chunkOf(text, start, next.position, levels, finder);
    if (chunk.width - chunk.trailing <= ems) yield chunk;
    else yield* brokenUp(text, start, next.position, levels, finder, ems);
    start = next.position;
  }
}

/** Splits a chunk that is wider than a line. */
function* brokenUp(
  text: string,
  from: number,
  to: number,
  levels: Uint8Array | undefined,
  finder: FaceFinder,
  ems: number,
): Generator<Chunk, void> {
  let start = from;
  let width = 0;
  for (const { segment, index } of graphemes.segment(text.slice(from, to))) {
    const place = from + index;
    const own = chunkOf(text, place, place + segment.length, levels, finder).width;
    if (width + own > ems && place > start) {
      yield chunkOf(text, start, place, levels, finder);
      start = place;
      width = 0;
    }
    width += own;
  }
  yield chunkOf(text, start, to, levels, finder);
}

function chunkOf(text: string, start: number, end: number, levels: Uint8Array | undefined, finder: FaceFinder): Chunk {
  const part = text.slice(start, end);
  const runs = runsOf(part, (index) => levels?.[start + index] ?? 0, finder);
  const width = runs.reduce((sum, run) => sum + run.width, 0);
  const blanks = part.length - part.trimEnd().length;
  const space = finder(0x20);
  return { runs, width, trailing: blanks === 0 || space === undefined ? 0 : space.widthOf(" ".repeat(blanks)) };
}

/** Splits a text at changes of face or direction. */
function runsOf(text: string, levelAt: (index: number) => number, finder: FaceFinder): LogicalRun[] {
  const runs: LogicalRun[] = [];
  const add = (piece: string, face: Face | undefined, level: number) => {
    const last = runs.at(-1);
    if (face === undefined) return;
    if (last?.face === face && last.level === level) last.text += piece;
    else runs.push({ text: piece, face, level, width: 0 });
  };
  if (ASCII.test(text) && levelAt(0) === 0 && levelAt(text.length - 1) === 0) add(text, finder(0x20), 0);
  else if (NEEDS_CARE.test(text)) addWithCare(text, levelAt, finder, add);
  else {
    let index = 0;
    for (const character of text) {
      add(...shown(character, finder), levelAt(index));
      index += character.length;
    }
  }
  for (const run of runs) run.width = run.face.widthOf(run.text);
  return runs;
}

function addWithCare(
  text: string,
  levelAt: (index: number) => number,
  finder: FaceFinder,
  add: (piece: string, face: Face | undefined, level: number) => void,
): void {
  let before: Face | undefined;
  for (const { 0: character, index } of text.matchAll(CHARACTER)) {
    const level = levelAt(index);
    if (EMOJI.test(character)) for (const part of emojiParts(character, finder)) add(...part, level);
    else if (JOINERS.test(character)) add(character, before?.isShaped ? before : undefined, level);
    else if (!INVISIBLE.test(character)) {
      const [shape, face] = shown(character, finder);
      add(shape, face, level);
      before = face;
    }
  }
}

function shown(character: string, finder: FaceFinder): [string, Face | undefined] {
  const codePoint = character.codePointAt(0) ?? 0;
  const face = finder(codePoint);
  return face ? [character, face] : [`[U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}]`, finder(0x20)];
}

/** An emoji sequence is one glyph if its font has it, otherwise its parts. */
function emojiParts(emoji: string, finder: FaceFinder): [string, Face | undefined][] {
  const parts = [...emoji].filter((part) => !INVISIBLE.test(part));
  const faceOf = (part: string) => finder(part.codePointAt(0) ?? 0, true);
  const [face, ...others] = new Set(parts.map(faceOf));
  const bare = emoji.replaceAll("\ufe0f", "");
  if (face && others.length === 0 && face.font.layout(bare).glyphs.length === 1) return [[bare, face]];
  const essential = parts.filter((part) => !ADORNMENT.test(part) || parts.length === 1);
  return essential.map((part) => {
    const own = faceOf(part);
    return own ? [part, own] : shown(part, finder);
  });
}

function toLine(chunks: Chunk[], base: number): Line {
  const logical = withoutTrailingBlanks(chunks.flatMap(({ runs }) => runs));
  const runs = merged(inVisualOrder(logical).map(asDrawn));
  const width = runs.reduce((sum, run) => sum + run.width, 0);
  return { runs, width, isRightToLeft: base % 2 === 1 };
}

function withoutTrailingBlanks(runs: LogicalRun[]): LogicalRun[] {
  const kept = [...runs];
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    const text = last.text.trimEnd();
    if (text !== "") return [...kept, { ...last, text, width: last.face.widthOf(text) }];
  }
  return [];
}

/**
 * Rule L2 of Unicode Standard Annex 9: from the highest level to the lowest odd one, runs at or above it are reversed.
 */
function inVisualOrder(runs: LogicalRun[]): LogicalRun[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while ((ordered[end]?.level ?? 0) >= level) end++;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}

/** Shaping fonts reverse their script themselves; for others, text is given in drawing order with mirrored brackets. */
function asDrawn(run: LogicalRun): LogicalRun {
  if (run.level % 2 === 0 || run.face.isShaped) return run;
  const characters = [...run.text].reverse().map((each) => bidi.getMirroredCharacter(each) ?? each);
  return { ...run, text: characters.join("") };
}

/** Merges neighbours of one face, except those that a font reverses as a whole. */
function merged(runs: LogicalRun[]): Run[] {
  const all: Run[] = [];
  for (const { text, face, width, level } of runs) {
    const last = all.at(-1);
    if (last?.face === face && !(face.isShaped && level % 2 === 1)) {
      last.text += text;
      last.width += width;
    } else all.push({ text, face, width });
  }
  return all;
}
