/** Counts and encodes text with the o200k_base vocabulary. Synchronous; created by `loadTokenCounter`. */
export interface TokenCounter {
  /** Returns the number of tokens. Text that looks like a special token (`<|endoftext|>`) counts as ordinary text. */
  count(text: string): number;
  /** Returns the token ids. The vocabulary was built by frequency, so a low id means a frequent piece of text. */
  encode(text: string): number[];
}

/** The highest id that represents text, plus one. */
export const VOCABULARY_SIZE = 199_998;

/**
 * Merging takes time quadratic in the length of an unbroken stretch, so a stretch is cut after this many characters.
 * Words of human text are shorter and are counted exactly; a longer stretch counts at most one extra token per cut.
 */
const MAX_STRETCH_LENGTH = 64;
const LONG_STRETCH = new RegExp(
  ["[\\p{L}\\p{M}]", "[^\\s\\p{L}\\p{N}]", "\\s"].map((kind) => `${kind}{${MAX_STRETCH_LENGTH}}`).join("|"),
  "gu",
);

/**
 * Number of words whose merges the tokenizer caches. Each hit moves an entry to the end of a Map, which takes time
 * proportional to the Map's size: with the default of 100,000 entries, a long text of rare characters took twenty times
 * as long.
 */
const MAX_CACHED_MERGES = 1_000;

/** Contraction suffix of an English word, which belongs to the word's token. */
const CONTRACTION = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
/** How o200k_base splits a text before merging; each piece is encoded separately. As published in tiktoken. */
const PIECES = new RegExp(
  [
    `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+${CONTRACTION}`,
    `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*${CONTRACTION}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ].join("|"),
  "gu",
);
/**
 * Number of pieces whose count is cached, which halves the time of counting. It exceeds the pieces in a text of 100,000
 * characters: with a smaller cache, repeated counts of a text of distinct words evict each piece before its next use.
 */
const MAX_CACHED_COUNTS = 60_000;
/** Longer pieces are not cached: V8 stores them as slices that keep the whole text in memory. */
const MAX_CACHED_LENGTH = 12;

let loading: Promise<TokenCounter> | undefined;

/** Returns the token counter. Its vocabulary, 0.2 s and 100 MB, is loaded on first use and shared by the process. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= importTokenCounter();
  return loading;
}

async function importTokenCounter(): Promise<TokenCounter> {
  const { countTokens, encode, setMergeCacheSize } = await import("gpt-tokenizer/encoding/o200k_base");
  setMergeCacheSize(MAX_CACHED_MERGES);
  const asText = { disallowedSpecial: new Set<string>() };
  return {
    count: cachingCounts((piece) => countTokens(piece, asText)),
    encode: (text) => stretches(text).flatMap((stretch) => encode(stretch, asText)),
  };
}

function cachingCounts(countPiece: (piece: string) => number): TokenCounter["count"] {
  const counts = new Map<string, number>();
  const countOf = (piece: string): number => {
    if (piece.length > MAX_CACHED_LENGTH) return countPiece(piece);
    const cached = counts.get(piece);
    if (cached !== undefined) return cached;
    if (counts.size >= MAX_CACHED_COUNTS) counts.clear();
    const count = countPiece(piece);
    counts.set(piece, count);
    return count;
  };
  return (text) => {
    let total = 0;
    for (const stretch of stretches(text)) for (const piece of stretch.match(PIECES) ?? []) total += countOf(piece);
    return total;
  };
}

const LONG_SPACE = new RegExp(`\\s{${MAX_STRETCH_LENGTH}}`, "u");

/** Whether a text may have a long stretch: only spaces, or without spaces. Most texts have none, as this finds quickly. */
function mayHaveLongStretch(text: string): boolean {
  for (let start = 0; text.length - start >= MAX_STRETCH_LENGTH; ) {
    const space = text.indexOf(" ", start);
    const end = space < 0 ? text.length : space;
    if (end - start >= MAX_STRETCH_LENGTH) return true;
    start = end + 1;
  }
  return LONG_SPACE.test(text);
}

/** Splits a text into parts that are encoded one by one, so that the time is linear in its length. */
export function stretches(text: string): string[] {
  if (!mayHaveLongStretch(text)) return [text];
  const cut: string[] = [];
  let start = 0;
  for (const match of text.matchAll(LONG_STRETCH)) {
    const end = match.index + match[0].length;
    cut.push(text.slice(start, end));
    start = end;
  }
  cut.push(text.slice(start));
  return cut;
}
