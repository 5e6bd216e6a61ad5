import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import bidiFactory, { type Bidi } from "bidi-js";
import { create, type Font, type Glyph } from "fontkit";
import { LRUCache } from "lru-cache";
import { type FontStyle, SCRIPT_FONTS, STYLE_FONTS } from "./font-files.ts";

/** A font for one reading direction. */
export interface Face {
  /** Unique among all faces. */
  name: string;
  /** The font that pdfkit embeds. Its `layout` returns glyphs in drawing order. */
  font: Font;
  /** Width of a text in ems. */
  widthOf(text: string): number;
}

/** The package's types describe its ES module; Node loads the function itself, as esbuild does for both. */
export const bidi: Bidi = (bidiFactory as unknown as () => Bidi)();

const packages = createRequire(import.meta.url);
/** Shows an emoji as a picture even where DejaVu has the character. */
const PICTURE = /[\p{Emoji_Presentation}\p{RI}]/u;
/** Letters that join, stack or reorder, marks, and emoji sequences. Full shaping takes twenty times as long. */
const NEEDS_SHAPING = /[\p{scx=Arab}\p{sc=Deva}\p{sc=Thai}\p{M}\p{RI}\p{EMod}\u200c\u200d]/u;
const MAX_CACHED_LAYOUTS = 1_000;

const fonts = new Map<string, Font>();
const faces = new Map<string, Face>();
const chosenFiles: Record<FontStyle, Map<string, string | undefined>> = {
  text: new Map(),
  bold: new Map(),
  code: new Map(),
};

/** The face that shows a character; undefined if no font has it. Fonts are opened on demand, once per process. */
export function faceFor(character: string, style: FontStyle, isRightToLeft: boolean): Face | undefined {
  const chosen = chosenFiles[style];
  if (!chosen.has(character)) chosen.set(character, fileFor(character, style));
  const file = chosen.get(character);
  if (file === undefined) return undefined;
  const name = isRightToLeft ? `${file} rtl` : file;
  const face = faces.get(name) ?? createFace(name, openFont(file), isRightToLeft);
  faces.set(name, face);
  return face;
}

function fileFor(character: string, style: FontStyle): string | undefined {
  const byStyle = [STYLE_FONTS[style], STYLE_FONTS.text];
  const byScript = SCRIPT_FONTS.filter(([characters]) => characters.test(character)).map(([, file]) => file);
  const files = PICTURE.test(character) ? [...byScript, ...byStyle] : [...byStyle, ...byScript];
  return files.find((file) => openFont(file).hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
}

function openFont(file: string): Font {
  // None of the files is a collection of fonts.
  const font = fonts.get(file) ?? withCharacters(create(readFileSync(packages.resolve(file))) as Font);
  fonts.set(file, font);
  return font;
}

/**
 * Gives glyphs the characters that they stand for. fontkit keeps a glyph as it was first asked for: without characters
 * if it was a part of another one that a subset needed.
 */
function withCharacters(font: Font): Font {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, characters = []) => {
    const glyph = getGlyph(id, characters);
    if (glyph?.codePoints.length === 0) glyph.codePoints = characters;
    return glyph;
  };
  return font;
}

interface Layout {
  glyphs: Glyph[];
  positions: { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[];
  advanceWidth: number;
}

function createFace(name: string, font: Font, isRightToLeft: boolean): Face {
  const layouts = new LRUCache<string, Layout>({ max: MAX_CACHED_LAYOUTS });
  const layoutOf = (text: string) => {
    const layout = layouts.get(text) ?? (isRightToLeft ? shapeRightToLeft(font, text) : shape(font, text));
    layouts.set(text, layout);
    return layout;
  };
  // pdfkit scales the given positions in place.
  const layout = (text: string) => {
    const { glyphs, positions, advanceWidth } = layoutOf(text);
    return { glyphs, advanceWidth, positions: positions.map((position) => ({ ...position })) };
  };
  const widthOf = (text: string) => layoutOf(text).advanceWidth / font.unitsPerEm;
  // pdfkit identifies fonts by this name.
  const postscriptName = `${font.postscriptName}${isRightToLeft ? "-RTL" : ""}`;
  const overrides = { layout: { value: layout }, postscriptName: { value: postscriptName } };
  return { name, widthOf, font: Object.create(font, overrides) };
}

function shapeRightToLeft(font: Font, text: string): Layout {
  const mirrored = Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join("");
  return font.layout(mirrored, undefined, undefined, undefined, "rtl");
}

function shape(font: Font, text: string): Layout {
  if (NEEDS_SHAPING.test(text)) return font.layout(text, undefined, undefined, undefined, "ltr");
  const glyphs = font.glyphsForString(text);
  const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
  return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
}
