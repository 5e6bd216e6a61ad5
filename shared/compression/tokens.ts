/** Counts and cuts text as the o200k_base vocabulary does. Synchronous; made by `loadTokenCounter`. */
export interface TokenCounter {
  /** Tokens of a text; text that looks like a special token (`<|endoftext|>`) counts as the text it is. */
  count(text: string): number;
  /** Token ids. The vocabulary was built by frequency, so a low id means a frequent piece of text. */
  encode(text: string): number[];
}

/** One past the highest id that stands for text. */
export const VOCABULARY_SIZE = 199_998;

/**
 * Merging one unbroken stretch costs the square of its length, so a stretch is cut after this many characters. Words of
 * human text stay below it and count exactly; a longer stretch counts at most one token more a cut.
 */
const LONGEST_STRETCH = 64;
const LONG_STRETCH = new RegExp(
  ["[\\p{L}\\p{M}]", "[^\\s\\p{L}\\p{N}]", "\\s"].map((kind) => `${kind}{${LONGEST_STRETCH}}`).join("|"),
  "gu",
);

/**
 * Words whose merges the tokenizer remembers. Each hit moves an entry to the end of a Map, which takes time by the Map's
 * size: with the default of 100,000 entries, a long text of rare signs took twenty times as long.
 */
const REMEMBERED_MERGES = 1_000;

/** Ending of an English word that belongs to its token. */
const CONTRACTION = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
/** What o200k_base cuts a text into before it merges anything: each piece is encoded by itself. As published in tiktoken. */
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
 * Pieces whose count is remembered, which halves the time of counting. More than a text of 100,000 characters has: with
 * less, counting a text of distinct words several times forgets each piece before it comes again.
 */
const REMEMBERED_COUNTS = 60_000;
/** The engine keeps a longer part of a text as a view of it, and with the part the whole text. */
const LONGEST_REMEMBERED = 12;

let loading: Promise<TokenCounter> | undefined;

/** The vocabulary takes about 0.2 s and 100 MB, so it is loaded on first use and then shared by the process. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= importTokenCounter();
  return loading;
}

async function importTokenCounter(): Promise<TokenCounter> {
  const { countTokens, encode, setMergeCacheSize } = await import("gpt-tokenizer/encoding/o200k_base");
  setMergeCacheSize(REMEMBERED_MERGES);
  const asText = { disallowedSpecial: new Set<string>() };
  return {
    count: rememberingCounts((piece) => countTokens(piece, asText)),
    encode: (text) => stretches(text).flatMap((stretch) => encode(stretch, asText)),
  };
}

function rememberingCounts(countPiece: (piece: string) => number): TokenCounter["count"] {
  const known = new Map<string, number>();
  const countOf = (piece: string): number => {
    if (piece.length > LONGEST_REMEMBERED) return countPiece(piece);
    const remembered = known.get(piece);
    if (remembered !== undefined) return remembered;
    if (known.size >= REMEMBERED_COUNTS) known.clear();
    const count = countPiece(piece);
    known.set(piece, count);
    return count;
  };
  return (text) => {
    let total = 0;
    for (const stretch of stretches(text)) for (const piece of stretch.match(PIECES) ?? []) total += countOf(piece);
    return total;
  };
}

/** A text in parts that are encoded one by one, so that time grows with its length alone. */
export function stretches(text: string): string[] {
  if (text.length <= LONGEST_STRETCH) return [text];
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
