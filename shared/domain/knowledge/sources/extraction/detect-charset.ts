import { analyse } from "chardet";

/** Bytes of lines with other characters than ASCII that are compared. */
const SAMPLE_BYTES = 16 * 1024;
const LINE_FEED = 0x0a;
const ASCII_LIMIT = 0x80;

/** Whether a two-byte character with this first byte is among those that texts of the encoding mostly consist of. */
type IsCommon = (lead: number) => boolean;

interface Candidate {
  encoding: string;
  /** The names that chardet has for it and for its subset. */
  known?: readonly string[];
  isCommon?: IsCommon;
}

const isBetween = (value: number, first: number, last: number) => value >= first && value <= last;

/** The lead byte that only Shift-JIS has for kana, and how much its half-width kana count. */
const FULL_WIDTH_KANA = 0x83;
const HALF_WIDTH_WEIGHT = 0.5;

/** Encodings in the order in which they are preferred if a text says nothing more. */
const CANDIDATES: readonly Candidate[] = [
  { encoding: "windows-1252", known: ["ISO-8859-1", "windows-1252"] },
  {
    encoding: "gb18030",
    known: ["GB18030"],
    isCommon: (lead) => isBetween(lead, 0xa1, 0xa3) || isBetween(lead, 0xb0, 0xd7),
  },
  {
    encoding: "shift_jis",
    known: ["Shift_JIS"],
    // Punctuation, kana and the first level of kanji.
    isCommon: (lead) => isBetween(lead, 0x81, FULL_WIDTH_KANA) || isBetween(lead, 0x88, 0x98),
  },
  { encoding: "euc-kr", known: ["EUC-KR"], isCommon: (lead) => isBetween(lead, 0xb0, 0xc8) || lead === 0xa1 },
  { encoding: "big5", known: ["Big5"], isCommon: (lead) => isBetween(lead, 0xa1, 0xa2) || isBetween(lead, 0xa4, 0xc6) },
  {
    encoding: "euc-jp",
    known: ["EUC-JP"],
    isCommon: (lead) => isBetween(lead, 0xa1, 0xa5) || isBetween(lead, 0xb0, 0xcf),
  },
  { encoding: "windows-1251", known: ["windows-1251"] },
  { encoding: "koi8-u", known: ["KOI8-R"] },
  { encoding: "iso-8859-5", known: ["ISO-8859-5"] },
  { encoding: "ibm866" },
  { encoding: "windows-1253", known: ["ISO-8859-7", "windows-1253"] },
  { encoding: "windows-1256", known: ["windows-1256"] },
  { encoding: "iso-8859-6", known: ["ISO-8859-6"] },
  { encoding: "windows-1255", known: ["ISO-8859-8", "windows-1255"] },
  { encoding: "windows-874" },
  { encoding: "windows-1250", known: ["windows-1250"] },
  { encoding: "iso-8859-2", known: ["ISO-8859-2"] },
  { encoding: "windows-1254", known: ["ISO-8859-9", "windows-1254"] },
  { encoding: "windows-1257", known: ["windows-1257"] },
];

/** A text of an unknown encoding reads worse than this share of its characters. */
const MIN_PLAUSIBLE = 0.6;
/** How much chardet's statistics count beside the share of plausible characters. */
const WEIGHT_OF_STATISTICS = 0.004;
/** How much an encoding later in the list must be better. */
const ORDER = 0.0001;

/**
 * The most likely encoding of a text that is not UTF-8: the one in which its words are of one script and written as
 * words are, then by chardet's statistics of letters. Undefined if the text reads as no text in any. Linear time.
 */
export function detectCharset(bytes: Uint8Array): string | undefined {
  const sample = sampleOf(bytes);
  const confidence = new Map<string, number>(analyse(sample).map((match) => [match.name, match.confidence]));
  let best: { encoding: string; score: number } | undefined;
  for (const [order, candidate] of CANDIDATES.entries()) {
    const plausible = plausibility(sample, candidate);
    if (plausible < MIN_PLAUSIBLE) continue;
    const statistics = Math.max(0, ...(candidate.known ?? []).map((name) => confidence.get(name) ?? 0));
    const score = plausible + statistics * WEIGHT_OF_STATISTICS - order * ORDER;
    if (!best || score > best.score) best = { encoding: candidate.encoding, score };
  }
  return best?.encoding;
}

/** The lines with other characters than ASCII, up to a length. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let start = 0; start < bytes.length && length < SAMPLE_BYTES; ) {
    const newline = bytes.indexOf(LINE_FEED, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES));
    if (line.some((byte) => byte >= ASCII_LIMIT)) {
      parts.push(line);
      length += line.length;
    }
    start = end;
  }
  return Buffer.concat(parts);
}

/** The share of the characters beyond ASCII that are plausible in an encoding, from 0 to 1. */
function plausibility(sample: Uint8Array, { encoding, isCommon }: Candidate): number {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
    return isCommon ? commonPairs(sample, isCommon) : plausibleLetters(text);
  } catch {
    return 0;
  }
}

function commonPairs(sample: Uint8Array, isCommon: IsCommon): number {
  const hasHalfWidthKana = isCommon(FULL_WIDTH_KANA);
  let common = 0;
  let all = 0;
  for (let index = 0; index < sample.length; index++) {
    const lead = sample[index] ?? 0;
    if (lead < ASCII_LIMIT) continue;
    all++;
    const isHalfWidth = hasHalfWidthKana && isBetween(lead, 0xa1, 0xdf);
    if (isHalfWidth) common += HALF_WIDTH_WEIGHT;
    else if (isCommon(lead)) common++;
    if (!isHalfWidth) index++;
  }
  return all === 0 ? 0 : common / all;
}

/** Words, and the signs beyond ASCII between them. */
const PARTS = /[\p{L}\p{M}]+|[^\p{L}\p{M}\p{ASCII}]+/gu;
const LETTER = /[\p{L}\p{M}]/u;
const COMMON_SIGNS = /^[\u00a0«»“”„‘’‚–—…•€£¥§©®°±²³·½¼¿¡№،؛؟\p{Nd}]{1,2}$/u;
const SCRIPTS = [/^\p{Script=Cyrillic}+$/u, /^\p{Script=Greek}+$/u, /^\p{Script=Hebrew}+$/u, /^\p{Script=Thai}+$/u];
const ARABIC = /^[\p{Script=Arabic}\p{M}\u0640]+$/u;
const LATIN = /^[\p{Script=Latin}ªºµ]+$/u;
/** Small letters, capital ones, or a capital before small ones. */
const WRITTEN = /^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+)$/u;
/** The accented letters among those of the words that have one; text of another script has nearly all. */
const MAX_ACCENTED = 0.7;
const MIN_LETTERS = 4;
/** Latin words yield to words of another script; a letter alone or a sign proves little. */
const WEIGHTS = { word: 1, latin: 0.98, lone: 0.7 } as const;

function plausibleLetters(text: string): number {
  const latin = { letters: 0, foreign: 0, plausible: 0 };
  let plausible = 0;
  let all = 0;
  for (const [part] of text.matchAll(PARTS)) {
    const foreign = part.replace(/\p{ASCII}/gu, "").length;
    if (foreign === 0) continue;
    all += foreign;
    if (!LETTER.test(part)) plausible += COMMON_SIGNS.test(part) ? foreign * WEIGHTS.lone : 0;
    else if (LATIN.test(part)) {
      latin.letters += part.length;
      latin.foreign += foreign;
      latin.plausible += WRITTEN.test(part) ? foreign * (part.length > 1 ? WEIGHTS.latin : WEIGHTS.lone) : 0;
    } else plausible += isWord(part) ? foreign * (part.length > 1 ? WEIGHTS.word : WEIGHTS.lone) : 0;
  }
  const isDense = latin.letters >= MIN_LETTERS && latin.foreign > latin.letters * MAX_ACCENTED;
  return all === 0 ? 0 : (plausible + (isDense ? 0 : latin.plausible)) / all;
}

function isWord(part: string): boolean {
  return ARABIC.test(part) || (WRITTEN.test(part) && SCRIPTS.some((script) => script.test(part)));
}
