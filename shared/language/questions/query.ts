import { spacedWords, termsOfWords, type Word, words } from "../../kernel/text/text.ts";
import { type DatedLine, type DatedText, linesOf } from "../dates/dated-text.ts";
import { type Token, tokenize } from "../dates/tokens.ts";
import { type Language, languageOf } from "../languages/detect.ts";
import { type Keyword, queryKeywords } from "../words/keywords.ts";

/** A query that is taken apart once: each reading is computed when it is first needed, and kept. */
export class Query implements DatedText {
  readonly text: string;
  readonly #readings = new Map<unknown, unknown>();

  constructor(text: string) {
    this.text = text;
  }

  /** Returns what a function reads from the query; the function runs once. */
  once<Reading>(read: (query: Query) => Reading): Reading {
    if (!this.#readings.has(read)) this.#readings.set(read, read(this));
    return this.#readings.get(read) as Reading;
  }

  get language(): Language {
    return this.once(readLanguage);
  }

  get words(): readonly Word[] {
    return this.once(readWords);
  }

  /** Its folded words with a space around each, for the search of phrases. */
  get spaced(): string {
    return this.once(readSpaced);
  }

  /** Its content words, stemmed, in order, with repetitions. */
  get termList(): readonly string[] {
    return this.once(readTermList);
  }

  get terms(): ReadonlySet<string> {
    return this.once(readTerms);
  }

  /** Its words as keyword search looks them up. */
  get keywords(): readonly Keyword[] {
    return queryKeywords(this.text);
  }

  /** Its lines with their tokens for dates. */
  get lines(): readonly DatedLine[] {
    return this.once(readLines);
  }

  /** The tokens of all lines. */
  get tokens(): Token[] {
    return this.once(readTokens);
  }
}

const readLanguage = ({ text }: Query) => languageOf(text);
const readWords = ({ text }: Query) => words(text);
const readSpaced = (query: Query) => spacedWords(query.words);
const readTermList = (query: Query) => termsOfWords(query.words);
const readTerms = ({ termList }: Query): ReadonlySet<string> => new Set(termList);
const readLines = ({ text }: Query) => linesOf(text);

function readTokens({ text, lines }: Query): Token[] {
  const [line, ...others] = lines;
  return line !== undefined && others.length === 0 ? line.tokens : tokenize(text);
}
