import { wordSet, words } from "../../../kernel/text/text.ts";
import { datesOf } from "../../../language/dates/asked.ts";
import { allWords } from "../../../language/languages/lists.ts";
import type { LanguagePack } from "../../../language/languages/pack.ts";
import { PACKS } from "../../../language/languages/packs.ts";
import type { Query } from "../../../language/questions/query.ts";
import { NOW, QUESTION_WORDS } from "../../../language/questions/question-time.ts";
import { timePhraseOf } from "../../../language/questions/time-phrase.ts";
import { capitalizedOf } from "./names.ts";

/** Words that ask for a name, and verbs without meaning of their own. */
const EMPTY_WORDS = wordSet(allWords(({ recall }) => recall?.emptyWords));

/** The content of a query, as terms of keyword search, without its time phrase such as "before Kiel". */
export interface Question {
  /** Names of people or things other than the user. */
  names: ReadonlySet<string>;
  /** The other terms. */
  rest: ReadonlySet<string>;
  /** Whether it has one of the user's names. */
  namesUser: boolean;
  /** True if one of the first two words is a question word such as "who": it asks for a fact, not for yes or no. */
  asksFor: boolean;
}

/** Parses a query. `ownNames` are the user's names, folded: a query with one of them asks about all that is known. */
export function readQuestion(query: Query, ownNames: ReadonlySet<string>, now: number): Question {
  const phrase = timePhraseOf(query);
  const all = query.words.filter(({ start }) => phrase === undefined || start < phrase.start || start >= phrase.end);
  const folded = all.map((word) => word.folded);
  const dates = datesOf(query, { instant: new Date(now) });
  const { recall }: LanguagePack = PACKS[query.language];
  const capitalized = capitalizedOf(query);
  const isName = ({ folded: word, start }: (typeof all)[number], index: number) =>
    capitalized.has(word) &&
    !dates.some((date) => date.start <= start && start < date.end) &&
    !recall?.nounDeterminers?.test(folded[index - 1] ?? "");
  const named = new Set(all.filter(isName).map((word) => word.folded));
  const names = new Set<string>();
  const rest = new Set<string>();
  const asked = new Set(folded);
  for (const { term, words: termWords } of query.keywords) {
    const forms = termWords.flatMap((word) => words(word).map((form) => form.folded));
    if (!forms.some((form) => asked.has(form))) continue;
    if (forms.some((form) => ownNames.has(form) || isEmpty(form))) continue;
    (forms.some((form) => named.has(form)) ? names : rest).add(term);
  }
  const namesUser = folded.some((word) => ownNames.has(word));
  return { names, rest, namesUser, asksFor: folded.slice(0, 2).some((word) => QUESTION_WORDS.has(word)) };
}

function isEmpty(form: string): boolean {
  return EMPTY_WORDS.has(form) || QUESTION_WORDS.has(form) || NOW.has(form);
}
