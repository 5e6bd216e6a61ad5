import { setOf } from "../../kernel/strings.ts";
import type { Grammar, GrammarVerb } from "../languages/grammar.ts";
import { LATIN_LANGUAGES, type Language, PACKS } from "../languages/packs.ts";
import { slotsByNoun } from "../slots/slots.ts";
import type { DatePrefixes } from "./validity.ts";

/** Languages other than English that have a grammar. */
export const FOREIGN_GRAMMARS = LATIN_LANGUAGES.flatMap((language) => {
  const { grammar } = PACKS[language];
  return grammar === undefined ? [] : [{ ...grammar, language }];
});

/** A grammar with its lists as sets. */
export type Lexicon = ReturnType<typeof buildLexicon>;
const lexicons = new Map<Grammar, Lexicon>();

/** Returns the lexicon of a language that has a grammar. */
export function lexiconIn(language: Language | undefined): Lexicon | undefined {
  const grammar = language && PACKS[language].grammar;
  return grammar === undefined ? undefined : lexiconOf(grammar);
}

export interface Verb extends Omit<GrammarVerb, "forms" | "via" | "with"> {
  forms: ReadonlySet<string>;
  others: ReadonlySet<string>;
  past: ReadonlySet<string>;
  via: ReadonlySet<string>;
  with: ReadonlySet<string>;
}

function lexiconOf(grammar: Grammar): Lexicon {
  const lexicon = lexicons.get(grammar) ?? buildLexicon(grammar);
  lexicons.set(grammar, lexicon);
  return lexicon;
}

const NONE: ReadonlySet<string> = new Set();

function buildLexicon(grammar: Grammar) {
  const words = withSets(grammar);
  const verbs = new Map<string, Verb[]>();
  const stops = new Set<string>();
  for (const { forms, via, with: partner, ...rest } of grammar.verbs) {
    const [firstPerson = NONE, others = NONE, past = NONE] = forms.split("/").map(setOf);
    const sets = { forms: firstPerson, others, past, via: setOf(via), with: setOf(partner) };
    for (const form of new Set([...sets.forms, ...sets.others, ...sets.past])) {
      verbs.set(form, [...(verbs.get(form) ?? []), { ...rest, ...sets }]);
      stops.add(form);
    }
    for (const preposition of sets.via) stops.add(preposition);
  }
  const { adverbs, not, since, until } = words;
  const articles = new Set([...words.articles, ...words.indefinite]);
  const noLonger = grammar.noLonger.map((pair) => pair.split(" "));
  const skipped = [...adverbs, ...not, ...noLonger.flat()];
  const datePrefixes: DatePrefixes = { since, until };
  return {
    ...words,
    articles,
    noLonger,
    verbs,
    datePrefixes,
    stops: new Set([...stops, ...skipped, ...since, ...until]),
    skipped: new Set([...skipped, ...words.pronouns]),
    kin: slotsByNoun(grammar.kin),
  };
}

type WithSets<Lists> = { [Name in keyof Lists]: Lists[Name] extends string ? ReadonlySet<string> : Lists[Name] };

/** Returns the same object with sets of words instead of lists. */
function withSets<Lists extends object>(lists: Lists): WithSets<Lists> {
  const entries = Object.entries(lists).map(([name, list]) => [name, typeof list === "string" ? setOf(list) : list]);
  return Object.fromEntries(entries) as WithSets<Lists>;
}
