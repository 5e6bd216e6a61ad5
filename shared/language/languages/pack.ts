import type { DateWords } from "./date-words.ts";
import type { Grammar } from "./grammar.ts";

/** Words of questions. */
export interface QuestionWords {
  interrogatives: string;
  /** Ask for what held before something else. */
  before: string;
  /** Ask why or when something changed; words and phrases separated by `|`. */
  cause: string;
  /** Forms of verbs and adverbs for the past. */
  past: string;
  /** Ask for yes or no at the beginning of a question. */
  polar: string;
  /** Ask for what holds now; words and phrases separated by `|`. */
  now: string;
  /** Ask for a kind of value; words and phrases separated by `|`. */
  asked: { readonly [kind in AskedValue]?: string };
}

/** The kind of value that a question asks for: `code` identifies something, `otherName` is a first or last name. */
export type AskedValue = "age" | "amount" | "code" | "name" | "otherName" | "colour";

/** Words that are values, or stand beside them. */
export interface ValueWords {
  numbers: string;
  colours: string;
  ages: string;
  /** Stand beside a name, in scripts and languages whose capitals show none. */
  nameMarks: string;
}

/** People and things that somebody has only a few of. */
export type Relation =
  | `${"" | "grand"}${"mother" | "father"}`
  | "brother"
  | "sister"
  | "son"
  | "daughter"
  | "child"
  | "husband"
  | "wife"
  | "partner"
  | "aunt"
  | "uncle"
  | "cousin"
  | "niece"
  | "nephew"
  | "boss"
  | "colleague"
  | "landlord"
  | "neighbour"
  | "flatmate"
  | "dentist"
  | "doctor"
  | "teacher"
  | "therapist"
  | "lawyer"
  | "accountant"
  | "dog"
  | "cat"
  | "rabbit"
  | "horse"
  | "car"
  | "rent"
  | "salary"
  | "passport"
  | "birthday"
  | "blood"
  | "school"
  | "wifi"
  | "bank"
  | "insurance";

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
  questions?: Partial<QuestionWords>;
  values?: Partial<ValueWords>;
  relations?: { readonly [relation in Relation]?: string };
}
