/**
 * A typeface as its package ships it: one file per weight and Unicode slice, so that a text loads only what it needs.
 * Google numbers the slices of large repertoires; they are small, and a text with many of them is set character by
 * character.
 */
export interface FontFamily {
  package: string;
  weight: 400 | 700;
  /** The slices to use; `none` if `common` contains all numbered ones. */
  slices: readonly string[] | "numbered" | "none";
  /** A file with a language's common characters, tried first. */
  common?: string;
  /** Slices whose letters join, stack or reorder within words. */
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

/** The style of a text; `code` is monospaced. */
export type FontStyle = "text" | "bold" | "code";

const FIRST: Record<FontStyle, FontFamily[]> = { text: [SANS], bold: [BOLD, SANS], code: [MONO, SANS] };
const SCRIPTS = [HEBREW, ARABIC, THAI, KOREAN];
const PICTURES = [SYMBOLS, EMOJI];

/** Families in the order in which a character is searched. Some characters look different in Chinese and Japanese. */
export function familiesFor(style: FontStyle, isJapanese: boolean): FontFamily[] {
  const han = isJapanese ? [JAPANESE, CHINESE] : [CHINESE, JAPANESE];
  return [...FIRST[style], ...SCRIPTS, ...han, ...PICTURES];
}

/** Families for emoji; many symbols are emoji only if marked. */
export const EMOJI_FAMILIES: FontFamily[] = [EMOJI];

const ALL = [SANS, BOLD, MONO, ...SCRIPTS, CHINESE, JAPANESE, ...PICTURES];

/** File name of a slice within its package. */
export function fileOf(family: FontFamily, slice: string): string {
  const name = family.package.slice(family.package.indexOf("/") + 1);
  return `files/${name}-${slice}-${family.weight}-normal.woff`;
}

const SLICE_FILES = { numbered: ["[0-9]*"], none: [] };

/** Package files that PDF export reads, as globs; deployed with the bundle. */
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
