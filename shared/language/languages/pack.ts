import type { DateWords } from "./date-words.ts";
import type { Grammar } from "./grammar.ts";

/** What the service knows of one language. Lists of words are separated by spaces, in lower case with their accents. */
export interface LanguagePack {
  /** English name. */
  name: string;
  /** Latin by default. */
  script?: "Cyrillic" | "Han" | "Kana";
  /** Words that occur in nearly every sentence. */
  functionWords: string;
  /** Further words that tell the language: everyday words that other languages lack. */
  markers?: string;
  /** Letters beyond a to z that are typical of the language. */
  letters?: string;
  /** Every noun is capitalized, so a capital proves nothing. */
  capitalNouns?: boolean;
  /** Returns the stems of a lower-case word; several if it has several readings. */
  stems?(word: string): string[];
  /** How dates are said. */
  dates?: DateWords;
  /** How people state facts about themselves. */
  grammar?: Grammar;
}
