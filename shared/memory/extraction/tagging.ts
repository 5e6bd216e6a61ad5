import { BoundedMap } from "../../kernel/bounded.ts";
import type { Sentence } from "./passage.ts";

/** A word of a sentence; contractions come apart ("I'm" is "I" and "am"). */
export interface Token {
  /** As written, without punctuation around it. */
  text: string;
  /** Lower case, without a possessive ending. */
  normal: string;
  /** Punctuation and blanks before and after it. */
  before: string;
  after: string;
  /** Of a contraction, how it is written: "I'm" at its first word, nothing at the others. */
  contraction?: string;
  tags: ReadonlySet<string>;
}

/** Finds the parts of speech of a sentence. */
export type Tagger = (sentence: Pick<Sentence, "text">) => Token[];

/** The library's own terms carry more than its types say: the word that a contraction stands for. */
interface Term {
  text: string;
  normal: string;
  pre: string;
  post: string;
  tags?: ReadonlySet<string>;
  implicit?: string;
}

let loading: Promise<Tagger> | undefined;

/**
 * Lexicon and neighbours are what tags a word. The library's last stage, a thousand more patterns, triples the time and
 * changes next to nothing that the rules look at.
 */
const STAGES = ["lexicon", "preTagger", "contractionTwo"];

/** The newest messages of a session are read again with each that follows: their sentences stay known. A few megabytes. */
const KNOWN_SENTENCES = 1_000;

/** The tagger needs a lexicon of hundreds of kilobytes, so it is loaded by the first text that is read by rule. */
export function loadTagger(): Promise<Tagger> {
  loading ??= import("compromise/two").then(({ default: nlp }) => {
    const known = new BoundedMap<string, Token[]>(KNOWN_SENTENCES);
    return ({ text }) => {
      const tokens = known.get(text) ?? nlp.tokenize(text).compute(STAGES).docs.flat().map(tokenOf);
      known.set(text, tokens);
      return tokens;
    };
  });
  return loading;
}

function tokenOf(term: Term): Token {
  const text = term.implicit === undefined ? term.text : sameCase(term.implicit, term.text);
  return {
    text,
    normal: (term.implicit ?? term.normal).replace(/'s?$/, ""),
    before: term.pre,
    after: term.post === "" ? " " : term.post,
    ...(term.implicit !== undefined && { contraction: term.text }),
    tags: term.tags ?? new Set(),
  };
}

function sameCase(word: string, like: string): string {
  return /^\p{Lu}/u.test(like) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

export function hasTag(token: Token | undefined, ...tags: string[]): boolean {
  return token !== undefined && tags.some((tag) => token.tags.has(tag));
}
