import { LRUCache } from "lru-cache";
import { sentenceCase } from "../../kernel/strings.ts";
import type { Sentence } from "./passage.ts";

/** A word of a sentence; contractions are split ("I'm" is "I" and "am"). */
export interface Token {
  /** As written, without surrounding punctuation. */
  text: string;
  /** Lower case, without a possessive ending. */
  normal: string;
  /** Punctuation and blanks before and after it. */
  before: string;
  after: string;
  /** For a contraction, its written form at the first word and empty at the others. */
  contraction?: string;
  tags: ReadonlySet<string>;
}

/** Tags the parts of speech of a sentence. */
export type Tagger = (sentence: Pick<Sentence, "text">) => Token[];

/** The library's terms have more properties than its types: the word that a contraction stands for. */
interface Term {
  text: string;
  normal: string;
  pre: string;
  post: string;
  tags?: ReadonlySet<string>;
  implicit?: string;
}

let loading: Promise<Tagger> | undefined;

/** The library's last stage is left out: it triples the time and hardly changes what the rules use. */
const STAGES = ["lexicon", "preTagger", "contractionTwo"];

/** A few megabytes. Sentences are cached because a session's newest messages are read again with each later one. */
const MAX_CACHED_SENTENCES = 1_000;

/** The lexicon has hundreds of kilobytes, so it is loaded for the first text. */
export function loadTagger(): Promise<Tagger> {
  loading ??= import("compromise/two").then(({ default: nlp }) => {
    const cache = new LRUCache<string, Token[]>({
      max: MAX_CACHED_SENTENCES,
      memoMethod: (text) =>
        nlp
          .tokenize(text)
          .compute(STAGES)
          .docs.flatMap((terms) => terms.map(tokenOf)),
    });
    return ({ text }) => cache.memo(text);
  });
  return loading;
}

const NAME: ReadonlySet<string> = new Set(["Noun", "ProperNoun"]);

function tokenOf(term: Term, index: number): Token {
  const { implicit = term.text } = term;
  const text = /^\p{Lu}/u.test(term.text) ? sentenceCase(implicit) : implicit;
  return {
    text,
    normal: (term.implicit ?? term.normal).replace(/'s?$/, ""),
    before: term.pre,
    after: term.post === "" ? " " : term.post,
    ...(term.implicit !== undefined && { contraction: term.text }),
    tags: isNamed(term, index) ? NAME : (term.tags ?? new Set()),
  };
}

/** Whether a word that looks like a verb, but ends a clause, is a name: "My favourite tea is Darjeeling." */
function isNamed({ text, post, tags }: Term, index: number): boolean {
  return index > 0 && post !== " " && tags?.has("Gerund") === true && /^\p{Lu}\p{Ll}/u.test(text);
}

export function hasTag(token: Token | undefined, ...tags: string[]): boolean {
  return token !== undefined && tags.some((tag) => token.tags.has(tag));
}

/** Returns tokens as they were written. */
export function textOf(tokens: Token[]): string {
  const parts = tokens.map(({ before, text, after, contraction = text }, index) => {
    const isWithinContraction = tokens[index + 1]?.contraction === "";
    return before + contraction + (isWithinContraction ? "" : after);
  });
  return parts.join("");
}
