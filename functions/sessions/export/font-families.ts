/**
 * A typeface as its package ships it: one file a weight and a slice of Unicode, so that a text loads what it needs. Of large
 * repertoires Google numbers the slices; they are small, and a text that meets many of them is set character by character.
 */
export interface FontFamily {
  package: string;
  weight: 400 | 700;
  /** Which slices are ours; `none` where `common` has as much as all of the numbered ones. */
  slices: readonly string[] | "numbered" | "none";
  /** One file with what is common in a language, tried first. */
  common?: string;
  /** Of these slices a word is more than the sum of its letters: they join, stack or turn around. */
  shaped: readonly string[] | "all";
}

const EUROPEAN = ["latin", "latin-ext", "greek", "greek-ext", "cyrillic", "cyrillic-ext", "vietnamese"] as const;

const SANS: FontFamily = {
  package: "@fontsource/noto-sans",
  weight: 400,
  slices: [...EUROPEAN, "devanagari"],
  shaped: ["devanagari"],
};
const BOLD: FontFamily = { ...SANS, weight: 700 };
const MONO: FontFamily = { package: "@fontsource/noto-sans-mono", weight: 400, slices: EUROPEAN, shaped: [] };
const HEBREW: FontFamily = { package: "@fontsource/noto-sans-hebrew", weight: 400, slices: ["hebrew"], shaped: "all" };
const ARABIC: FontFamily = { package: "@fontsource/noto-sans-arabic", weight: 400, slices: ["arabic"], shaped: "all" };
const THAI: FontFamily = { package: "@fontsource/noto-sans-thai", weight: 400, slices: ["thai"], shaped: "all" };
const CHINESE: FontFamily = {
  package: "@fontsource/noto-sans-sc",
  weight: 400,
  slices: "numbered",
  common: "chinese-simplified",
  shaped: [],
};
const JAPANESE: FontFamily = {
  package: "@fontsource/kosugi",
  weight: 400,
  slices: "none",
  common: "japanese",
  shaped: [],
};
const KOREAN: FontFamily = {
  package: "@fontsource/gowun-dodum",
  weight: 400,
  slices: "none",
  common: "korean",
  shaped: [],
};
const EMOJI: FontFamily = {
  package: "@fontsource/noto-emoji",
  weight: 400,
  slices: "none",
  common: "emoji",
  shaped: "all",
};
const SYMBOLS: FontFamily = {
  package: "@fontsource/noto-sans-symbols-2",
  weight: 400,
  slices: ["symbols", "math", "braille"],
  shaped: [],
};

/** How a text is set; `code` has letters of one width. */
export type FontStyle = "text" | "bold" | "code";

const FIRST: Record<FontStyle, FontFamily[]> = { text: [SANS], bold: [BOLD, SANS], code: [MONO, SANS] };
const SCRIPTS = [HEBREW, ARABIC, THAI, KOREAN];
const PICTURES = [SYMBOLS, EMOJI];

/** Families in the order in which a character is looked for. The same character is drawn one way in China, another in Japan. */
export function familiesFor(style: FontStyle, isJapanese: boolean): FontFamily[] {
  const han = isJapanese ? [JAPANESE, CHINESE] : [CHINESE, JAPANESE];
  return [...FIRST[style], ...SCRIPTS, ...han, ...PICTURES];
}

/** Where an emoji is looked for: many a symbol is one only if it is marked to be. */
export const EMOJI_FAMILIES: FontFamily[] = [EMOJI];

const ALL = [SANS, BOLD, MONO, ...SCRIPTS, CHINESE, JAPANESE, ...PICTURES];

/** Name of a slice's file within its package. */
export function fileOf(family: FontFamily, slice: string): string {
  const name = family.package.slice(family.package.indexOf("/") + 1);
  return `files/${name}-${slice}-${family.weight}-normal.woff`;
}

const SLICE_FILES = { numbered: ["[0-9]*"], none: [] };

/** Files of packages that are read while a PDF is made, as patterns: the deployed bundle carries them along. */
export const FONT_FILES: string[] = [
  ...new Set(
    ALL.flatMap((family) => {
      const { slices, common } = family;
      const named = typeof slices === "string" ? SLICE_FILES[slices] : slices;
      const files = [...named, ...(common === undefined ? [] : [common])].map((slice) => fileOf(family, slice));
      return ["unicode.json", ...files].map((file) => `${family.package}/${file}`);
    }),
  ),
];
