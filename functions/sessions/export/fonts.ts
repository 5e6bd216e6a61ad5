import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { create, type Font, type Glyph, type GlyphRun } from "fontkit";
import { EMOJI_FAMILIES, type FontFamily, type FontStyle, familiesFor, fileOf } from "./font-families.ts";
import { unpackWoff } from "./woff.ts";

const packages = createRequire(import.meta.url);
/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[[\p{sc=Hebr}\p{sc=Arab}]&&\p{L}]/v;
const KANA = /[[\p{scx=Hiragana}\p{scx=Katakana}]&&\p{L}]/v;

/** An opened file of a typeface. */
export interface Face {
  /** Unique among all faces. */
  name: string;
  /** The font that pdfkit embeds and uses. */
  font: Font;
  /** Whether its text needs shaping. */
  isShaped: boolean;
  /** Width of a text in ems. */
  widthOf(text: string): number;
}

/** The face of a character; undefined if no font has it. */
export type FaceFinder = (codePoint: number, isEmoji?: boolean) => Face | undefined;

interface OpenedFile extends Face {
  has(codePoint: number): boolean;
}

/**
 * Slices that may contain a code point, by the ranges of a package's unicode.json, which overlap and promise too much.
 */
type SliceFinder = (codePoint: number) => string[];

const openedFiles = new Map<string, Promise<OpenedFile>>();
const readPackages = new Map<string, Promise<SliceFinder>>();

/** Loads the faces for all characters of texts. Files are opened once per process, on demand. */
export class FontShelf {
  readonly #faces = new Map<string, Map<number, Face | undefined>>();

  /** The face finder for a text's characters; undefined for any other character. */
  async prepare(text: string, style: FontStyle): Promise<FaceFinder> {
    const isJapanese = KANA.test(text);
    const plain = this.#knownOf(`${style} ${isJapanese}`);
    const emoji = this.#knownOf("emoji");
    for (const character of new Set(text)) {
      const codePoint = character.codePointAt(0) ?? 0;
      if (!plain.has(codePoint)) plain.set(codePoint, await findFace(familiesFor(style, isJapanese), codePoint));
      if (codePoint > LAST_ASCII && !emoji.has(codePoint))
        emoji.set(codePoint, await findFace(EMOJI_FAMILIES, codePoint));
    }
    return (codePoint, isEmoji = false) => (isEmoji && emoji.get(codePoint)) || plain.get(codePoint);
  }

  #knownOf(name: string): Map<number, Face | undefined> {
    const known = this.#faces.get(name) ?? new Map<number, Face | undefined>();
    this.#faces.set(name, known);
    return known;
  }
}

const LAST_ASCII = 0x7f;

async function findFace(families: FontFamily[], codePoint: number): Promise<Face | undefined> {
  for (const family of families) {
    const slicesOf = await readSlices(family);
    for (const slice of slicesOf(codePoint)) {
      const file = await openFile(family, slice);
      if (file.has(codePoint)) return file;
    }
  }
  return undefined;
}

function readSlices(family: FontFamily): Promise<SliceFinder> {
  const reading = readPackages.get(family.package) ?? readRanges(family);
  readPackages.set(family.package, reading);
  return reading;
}

async function readRanges(family: FontFamily): Promise<SliceFinder> {
  const json = await readFile(packages.resolve(`${family.package}/unicode.json`), "utf8");
  const ranges = Object.entries(JSON.parse(json) as Record<string, string>).flatMap(([key, list]) => {
    const isNumbered = key.startsWith("[");
    const slice = isNumbered ? key.slice(1, -1) : key;
    const isOurs = typeof family.slices === "string" ? isNumbered : family.slices.includes(slice);
    return isOurs ? list.split(",").map((range) => ({ slice, ...parseRange(range.trim()) })) : [];
  });
  const common = family.common === undefined ? [] : [family.common];
  const blocks = byBlock(ranges);
  return (codePoint) => {
    const near = blocks.get(blockOf(codePoint)) ?? [];
    const within = near.filter(({ first, last }) => first <= codePoint && codePoint <= last);
    if (within.length === 0) return [];
    return [...common, ...(family.slices === "none" ? [] : within.map(({ slice }) => slice))];
  };
}

interface SliceRange {
  slice: string;
  first: number;
  last: number;
}

/** 256 code points are looked up together, because a Chinese font has thousands of ranges. */
const blockOf = (codePoint: number): number => codePoint >> 8;

function byBlock(ranges: SliceRange[]): Map<number, SliceRange[]> {
  const blocks = new Map<number, SliceRange[]>();
  for (const range of ranges) {
    for (let block = blockOf(range.first); block <= blockOf(range.last); block++) {
      const known = blocks.get(block);
      if (known) known.push(range);
      else blocks.set(block, [range]);
    }
  }
  return blocks;
}

/** CSS's `U+4E00`, `U+4E00-9FFF` or `U+4??`. */
function parseRange(range: string): { first: number; last: number } {
  const [from = "", to = from] = range.slice("U+".length).split("-");
  return { first: Number.parseInt(from.replaceAll("?", "0"), 16), last: Number.parseInt(to.replaceAll("?", "F"), 16) };
}

function openFile(family: FontFamily, slice: string): Promise<OpenedFile> {
  const name = `${family.package}/${fileOf(family, slice)}`;
  const opening = openedFiles.get(name) ?? readFace(name, family.shaped === "all" || family.shaped.includes(slice));
  openedFiles.set(name, opening);
  return opening;
}

async function readFace(name: string, isShaped: boolean): Promise<OpenedFile> {
  const font = openFont(unpackWoff(await readFile(packages.resolve(name))));
  const { unitsPerEm } = font;
  const setting = isShaped ? setByScript(font) : setPlainly(font);
  const advances = new Map<string, number>();
  const advanceOf = (character: string): number => {
    const known = advances.get(character) ?? setting.layout(character).advanceWidth / unitsPerEm;
    advances.set(character, known);
    return known;
  };
  return {
    name,
    isShaped,
    font: setting,
    widthOf: isShaped
      ? (text) => setting.layout(text).advanceWidth / unitsPerEm
      : (text) => {
          let sum = 0;
          for (const character of text) sum += advanceOf(character);
          return sum;
        },
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
  };
}

/** A typeface file contains one font, never a collection. */
function openFont(bytes: Buffer): Font {
  return create(bytes) as Font;
}

/** Cached shaped words; the cache is emptied when it is full. */
const MAX_REMEMBERED_WORDS = 5_000;

/** The font with full shaping: letters join, stack and reorder; digits do not. */
function setByScript(font: Font): Font {
  const known = new Map<string, GlyphRun>();
  const layout = (text: string) => {
    const direction = RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr";
    const run = known.get(text) ?? font.layout(text, undefined, undefined, undefined, direction);
    if (known.size >= MAX_REMEMBERED_WORDS) known.clear();
    known.set(text, run);
    const { glyphs, advanceWidth } = run;
    // pdfkit scales the given positions in place.
    return { glyphs, advanceWidth, positions: run.positions.map((position) => ({ ...position })) };
  };
  return Object.create(font, { layout: { value: layout } });
}

/**
 * The font with one glyph per character. For letters that do not join, full shaping adds only kerning and takes twenty
 * times as long.
 */
function setPlainly(font: Font): Font {
  const glyphs = new Map<string, Glyph>();
  const glyphOf = (character: string): Glyph => {
    const glyph = glyphs.get(character) ?? font.glyphForCodePoint(character.codePointAt(0) ?? 0);
    glyphs.set(character, glyph);
    return glyph;
  };
  // pdfkit requests the same text several times in a row, and scales the given positions in place.
  let last = { text: "", glyphs: [] as Glyph[], advanceWidth: 0 };
  const layout = (text: string) => {
    if (text !== last.text) {
      const own = Array.from(text, glyphOf);
      last = { text, glyphs: own, advanceWidth: own.reduce((sum, glyph) => sum + glyph.advanceWidth, 0) };
    }
    const { glyphs: own, advanceWidth } = last;
    const positions = own.map((glyph) => ({ xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs: own, positions, advanceWidth };
  };
  return Object.create(font, { layout: { value: layout } });
}
