import { setOf } from "../../kernel/strings.ts";
import { LANGUAGES } from "../dates/languages.ts";
import { GERMAN } from "../languages/de.ts";
import { SPANISH } from "../languages/es.ts";
import { FRENCH } from "../languages/fr.ts";
import type { ForeignGrammar, ForeignVerb } from "../languages/grammar.ts";
import { slotsByNoun } from "../slots/slots.ts";
import type { ForeignToken } from "./foreign-tokens.ts";
import type { DatePrefixes } from "./validity.ts";

/** Languages that have a grammar of their own. */
export const FOREIGN_GRAMMARS: readonly (ForeignGrammar & { language: "de" | "fr" | "es" })[] = [
  { ...GERMAN, language: "de" },
  { ...FRENCH, language: "fr" },
  { ...SPANISH, language: "es" },
];

/** A grammar with its lists as sets. */
export type Lexicon = ReturnType<typeof buildLexicon>;
const lexicons = new Map<ForeignGrammar, Lexicon>();

/**
 * Returns the lexicon that knows the most words of a sentence, or undefined if none knows enough. If the sentence may
 * be English, the lexicon must know more non-English words than the sentence has English function words.
 */
export function lexiconFor(tokens: ForeignToken[], isEnglish: boolean): Lexicon | undefined {
  const known = FOREIGN_GRAMMARS.map((grammar) => {
    const lexicon = lexiconOf(grammar);
    return { lexicon, count: tokens.filter(({ normal }) => lexicon.telling.has(normal)).length };
  });
  const best = known.reduce((one, other) => (other.count > one.count ? other : one));
  const english = isEnglish ? tokens.filter(({ normal }) => ENGLISH_WORDS.has(normal)).length : 0;
  return best.count < MIN_KNOWN_WORDS || best.count <= english ? undefined : best.lexicon;
}

export function languageOf(lexicon: Lexicon): string | undefined {
  return FOREIGN_GRAMMARS.find((grammar) => lexiconOf(grammar) === lexicon)?.language;
}

/** Returns the lexicon of a language that has a grammar. */
export function lexiconIn(language: string | undefined): Lexicon | undefined {
  const grammar = FOREIGN_GRAMMARS.find((candidate) => candidate.language === language);
  return grammar === undefined ? undefined : lexiconOf(grammar);
}

const MIN_KNOWN_WORDS = 2;
const ENGLISH_WORDS = setOf(LANGUAGES.en.functionWords.replaceAll("|", " "));

export interface Verb extends Omit<ForeignVerb, "forms" | "via" | "with"> {
  forms: ReadonlySet<string>;
  others: ReadonlySet<string>;
  past: ReadonlySet<string>;
  via: ReadonlySet<string>;
  with: ReadonlySet<string>;
}

function lexiconOf(grammar: ForeignGrammar): Lexicon {
  const lexicon = lexicons.get(grammar) ?? buildLexicon(grammar);
  lexicons.set(grammar, lexicon);
  return lexicon;
}

const NONE: ReadonlySet<string> = new Set();

function buildLexicon(grammar: ForeignGrammar) {
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
  const { adverbs, not, since, until, first, my, is, isCalled, please, lasting, relatives } = words;
  const articles = new Set([...words.articles, ...words.indefinite]);
  const over = grammar.over.map((pair) => pair.split(" "));
  const skipped = [...adverbs, ...not, ...over.flat()];
  const known = [relatives, first, my, articles, is, isCalled, adverbs, please, lasting, verbs];
  const leads: DatePrefixes = { since, until };
  return {
    ...words,
    articles,
    over,
    verbs,
    leads,
    stops: new Set([...stops, ...skipped, ...since, ...until]),
    skipped: new Set([...skipped, ...words.pronouns]),
    telling: new Set(known.flatMap((each) => [...each.keys()]).filter((word) => !ENGLISH_WORDS.has(word))),
    kin: slotsByNoun(grammar.kin),
  };
}

type WithSets<Lists> = { [Name in keyof Lists]: Lists[Name] extends string ? ReadonlySet<string> : Lists[Name] };

/** Returns the same object with sets of words instead of lists. */
function withSets<Lists extends object>(lists: Lists): WithSets<Lists> {
  const entries = Object.entries(lists).map(([name, list]) => [name, typeof list === "string" ? setOf(list) : list]);
  return Object.fromEntries(entries) as WithSets<Lists>;
}
