import { annotateDates } from "../memory/dates/annotate.ts";
import { languageOf } from "../memory/dates/languages.ts";
import { queryKeywords } from "../retrieval/keywords/keywords.ts";
import { words } from "../retrieval/text.ts";
import { capitalizedIn } from "./names.ts";

/** Words that ask for something without saying for what. */
const QUESTION_WORDS = list(
  `what which who whose whom how when where why whats whos welche welcher welches welchen welchem was wer wem wen wessen wie wo
   wann wieviel warum que cual cuales quien quienes cuanto cuanta cuantos cuantas como donde cuando quel quelle quels quelles
   qui combien comment ou quand`,
);
/** Words that ask for what somebody or something is called, and verbs that only hold a question together. */
const EMPTY_WORDS = list(
  `name names named call called tell know kind type sort heisst heissen nennt namens hat habe hast haben llama llaman nombre tiene
   tienes tienen nom appelle`,
);
/** In German every noun has a capital; with one of these before it, it is no name. */
const GERMAN_DETERMINER =
  /^(?:der|die|das|den|dem|des|im|am|zum|zur|vom|beim|ins|ans|(?:ein|kein|mein|dein|sein|ihr|unser|euer|eur)(?:e[mnrs]?)?|(?:welch|dies|jed|jen|derselb|manch)e[mnrs]?)$/;

/** What a query asks, by the terms that keyword search knows it by. */
export interface Question {
  /** Names of somebody or something other than the user. */
  names: ReadonlySet<string>;
  /** What else it asks of. */
  rest: ReadonlySet<string>;
  /** It begins like a question for a fact rather than for yes or no. */
  asksFor: boolean;
}

/** Takes a query apart. `ownNames` are the names of the user, folded: a query that has one asks about all that is known. */
export function readQuestion(query: string, ownNames: ReadonlySet<string>, now: number): Question {
  const all = words(query);
  const folded = all.map((word) => word.folded);
  const dates = annotateDates(query, { instant: new Date(now) });
  const isGerman = languageOf(query) === "de";
  const capitalized = capitalizedIn(query);
  const isName = ({ folded: word, start }: (typeof all)[number], place: number) =>
    capitalized.has(word) &&
    !dates.some((date) => date.start <= start && start < date.end) &&
    !(isGerman && GERMAN_DETERMINER.test(folded[place - 1] ?? ""));
  const named = new Set(all.filter(isName).map((word) => word.folded));
  const names = new Set<string>();
  const rest = new Set<string>();
  for (const { term, words: own } of queryKeywords(query)) {
    const forms = own.flatMap((word) => words(word).map((each) => each.folded));
    if (forms.some((form) => ownNames.has(form) || EMPTY_WORDS.has(form) || QUESTION_WORDS.has(form))) continue;
    (forms.some((form) => named.has(form)) ? names : rest).add(term);
  }
  return { names, rest, asksFor: folded.slice(0, 2).some((word) => QUESTION_WORDS.has(word)) };
}

function list(text: string): ReadonlySet<string> {
  return new Set(words(text).map(({ folded }) => folded));
}
