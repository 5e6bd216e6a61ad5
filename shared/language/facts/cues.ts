import { setOf } from "../../kernel/strings.ts";
import { allPhrases, allWords, alternatives } from "../languages/lists.ts";

/**
 * Words by which the form of a sentence shows that it does not simply state something of its speaker, in the languages of
 * the reader. They only ever reject what a language model wrote, so that a missing word costs no fact.
 */
const NEGATIONS = setOf(allWords(({ cues }) => cues?.negations));
/** Sentences in which "no" is a preposition. */
const PREPOSITIONAL_NO = new RegExp(
  alternatives(({ cues }) => cues?.prepositionalNo),
  "iu",
);
/** What is only imagined, wished or possible. */
const IMAGINED = setOf(allWords(({ cues }) => cues?.imagined));
/** Forms that only wishes and conditions have. */
const CONDITIONAL = new RegExp(`(?:${alternatives(({ cues }) => cues?.conditionalEndings)})$`, "u");
/** What others claim. */
const CLAIMED = setOf(allWords(({ cues }) => cues?.claimed));
/** What was before. */
const FORMERLY = setOf(allWords(({ cues }) => cues?.formerly));
const USED_TO = /(?<!\p{L})used to(?!\p{L})/iu;
/** A plan that does not take place. */
const CANCELLED = new RegExp(`(?<!\\p{L})(?:${alternatives(({ cues }) => cues?.cancelled)})(?!\\p{L})`, "iu");
/** A rule for what is to come, rather than a task for now. */
const LASTING = setOf(allWords(({ cues }) => cues?.lasting));
const FROM_NOW_ON = new RegExp(
  String.raw`from (?:now|here) on|going forward|(?:when|if) (?:i|you|we)(?!\p{L})|(?<!\p{L})(?:${alternatives(({ cues }) => cues?.whenever)}) `,
  "iu",
);

/** "I", "we" as subjects. */
const FIRST = setOf(allWords(({ cues }) => cues?.firstPerson));
const THIRD = setOf(allWords(({ cues }) => cues?.thirdPerson));
/** People and animals beside the user, by the languages of the reader. */
const OTHERS = new Set([
  ...setOf(allWords(({ cues }) => cues?.others)),
  ...allPhrases(({ names }) => names?.relatives),
]);
/** Words before the subject of a clause: possessives, articles, conjunctions. */
const MAX_BEFORE_SUBJECT = 2;
/** Ends of clauses: marks, and words that begin another clause. */
const CLAUSE_END = new RegExp(
  String.raw`[,;:.!?()–—]+|\s(?:${alternatives(({ cues }) => cues?.clauseOpenings)})\s`,
  "iu",
);
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu;

/** A clause of a sentence by its words, in lower case. */
type Clause = string[];

/** What the form of a sentence says about a value in it. */
export class Cues {
  readonly #sentence: string;
  /** The clause with the value, and those before it, nearest first. */
  readonly #clause: Clause;
  readonly #before: Clause[];

  constructor(sentence: string, value: string) {
    this.#sentence = sentence;
    const clauses = sentence.split(CLAUSE_END).map((clause) => clause ?? "");
    const first = value.split(CLAUSE_END)[0] ?? value;
    const index = clauses.findLastIndex((clause) => clause.toLowerCase().includes(first.toLowerCase().trim()));
    this.#clause = wordsOf(clauses[index] ?? sentence);
    this.#before = clauses
      .slice(0, Math.max(0, index))
      .map(wordsOf)
      .filter((words) => words.length > 0)
      .reverse();
  }

  get isDenied(): boolean {
    const isNoPreposition = PREPOSITIONAL_NO.test(this.#sentence);
    return this.#clause.some(
      (word) => (NEGATIONS.has(word) || word.endsWith("n't")) && !(isNoPreposition && word === "no"),
    );
  }

  get isImagined(): boolean {
    const words = [...this.#clause, ...this.#before.flat()];
    return words.some((word) => IMAGINED.has(word)) || this.#clause.some((word) => CONDITIONAL.test(word));
  }

  /** Whether somebody claims it: in its clause, or in the one before. */
  get isClaimed(): boolean {
    return [...this.#clause, ...(this.#before[0] ?? [])].some((word) => CLAIMED.has(word));
  }

  get isFormer(): boolean {
    return this.#clause.some((word) => FORMERLY.has(word)) || USED_TO.test(this.#sentence);
  }

  get isCancelled(): boolean {
    return CANCELLED.test(this.#sentence);
  }

  get isLasting(): boolean {
    return wordsOf(this.#sentence).some((word) => LASTING.has(word)) || FROM_NOW_ON.test(this.#sentence);
  }

  /** Whether its clause begins with somebody else ("My sister …", "Jana …", "she …") and the quote has no "I". */
  isAboutOthers(people: ReadonlySet<string>, quote: string): boolean {
    const subject = this.#clause.slice(0, MAX_BEFORE_SUBJECT + 1);
    if ([...this.#clause, ...wordsOf(quote)].some((word) => FIRST.has(word))) return false;
    return THIRD.has(subject[0] ?? "") || people.has(subject[0] ?? "") || subject.some((word) => OTHERS.has(word));
  }
}

function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase().replaceAll("’", "'")).flatMap((word) =>
    // "j'adore", "l'ai": the first part is a word of its own.
    /^[jlnd]'/.test(word) ? [word.slice(0, 1), word.slice(2)] : [word],
  );
}
