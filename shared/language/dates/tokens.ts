/** A word, a number or a punctuation mark; a run is a number with several parts ("2026-12-04", "3/4", "14:30"). */
export interface Token {
  kind: "word" | "number" | "run" | "timestamp" | "mark";
  text: string;
  lower: string;
  start: number;
  end: number;
  /** Whether white space precedes it. */
  spaced: boolean;
  /** Whether it starts a line. */
  opensLine: boolean;
  /** Whether it is a number that is part of an identifier, an amount of money or a percentage. */
  bound: boolean;
}

const TIMESTAMP = String.raw`\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?(?![\d:])`;
const GROUPED = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?`;
const RUN = String.raw`[\d０-９]+(?:[.:/–-]\d+)*`;
const SINGLE = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
const WORD = String.raw`(?!${SINGLE})[\p{L}_](?:(?!${SINGLE})[\p{L}\p{M}\p{N}_])*`;
const TOKEN = new RegExp(`(\\s+)|(${TIMESTAMP})|(${GROUPED}|${RUN})|(${SINGLE}|${WORD})|(.)`, "gsu");
/** Characters before a number that make it part of something else, some only if they join it to a word or number. */
const BINDING_BEFORE = /[\p{Sc}#§_@=&\\]/u;
const JOINING_BEFORE = /[-/.:]/;
/** "mid-2025" */
const MIDDLE_OF = /(?:^|[^\p{L}])mid-$/iu;
const BINDING_AFTER = /[\p{Sc}%°_@=&\\″"]/u;

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let spaced = false;
  let opensLine = true;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, space, timestamp, number, word] = match;
    if (space !== undefined) {
      spaced = true;
      opensLine ||= space.includes("\n");
      continue;
    }
    const start = match.index;
    const end = start + whole.length;
    const kind =
      timestamp !== undefined ? "timestamp" : number !== undefined ? kindOfNumber(number) : word ? "word" : "mark";
    const bound =
      (kind === "number" || kind === "run" || kind === "timestamp") && isBound(text, start, end, tokens.at(-1));
    tokens.push({ kind, text: whole, lower: whole.toLowerCase(), start, end, spaced, opensLine, bound });
    spaced = false;
    opensLine = false;
  }
  return tokens;
}

function kindOfNumber(number: string): Token["kind"] {
  return /^[\d０-９]+$/.test(number) ? "number" : "run";
}

function isBound(text: string, start: number, end: number, previous: Token | undefined): boolean {
  const before = text.charAt(start - 1);
  if (MIDDLE_OF.test(text.slice(Math.max(0, start - 5), start))) return false;
  const joined = previous !== undefined && previous.end === start && /[\p{L}\p{N}]/u.test(text.charAt(start - 2));
  if (BINDING_BEFORE.test(before) || (joined && JOINING_BEFORE.test(before))) return true;
  if (previous?.kind === "word" && previous.end === start && /\p{Script=Latin}/u.test(before)) return true;
  return BINDING_AFTER.test(text.charAt(end)) || /^[-_/]\p{L}/u.test(text.slice(end, end + 2));
}

const FULL_WIDTH_ZERO = "０".charCodeAt(0);

/** Returns the value of a number's digits, including full-width ones. */
export function numberIn(text: string): number {
  return Number(text.replace(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - FULL_WIDTH_ZERO)));
}
