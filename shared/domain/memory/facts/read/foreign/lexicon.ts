import { LANGUAGES } from "../../../dates/languages.ts";
import type { DatePrefixes } from "../validity.ts";
import type { ForeignGrammar, ForeignVerb } from "./grammar.ts";
import { FOREIGN_GRAMMARS } from "./grammars.ts";
import type { ForeignToken } from "./tokens.ts";

/** A grammar with its lists as sets. */
export type Lexicon = ReturnType<typeof prepared>;
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

const MIN_KNOWN_WORDS = 2;
const ENGLISH_WORDS = setOf(LANGUAGES.en.functionWords.replaceAll("|", " "));

export interface Verb extends Omit<ForeignVerb, "forms" | "others" | "past" | "via" | "with"> {
  forms: ReadonlySet<string>;
  others: ReadonlySet<string>;
  past: ReadonlySet<string>;
  via: ReadonlySet<string>;
  with: ReadonlySet<string>;
}

function lexiconOf(grammar: ForeignGrammar): Lexicon {
  const lexicon = lexicons.get(grammar) ?? prepared(grammar);
  lexicons.set(grammar, lexicon);
  return lexicon;
}

function prepared(grammar: ForeignGrammar) {
  const verbs = new Map<string, Verb[]>();
  const stops = new Set<string>();
  for (const { forms, others, past, via, with: partner, ...rest } of grammar.verbs) {
    const verb = {
      ...rest,
      forms: setOf(forms),
      others: setOf(others),
      past: setOf(past),
      via: setOf(via),
      with: setOf(partner),
    };
    for (const form of new Set([...verb.forms, ...verb.others, ...verb.past])) {
      verbs.set(form, [...(verbs.get(form) ?? []), verb]);
      stops.add(form);
    }
    for (const preposition of verb.via) stops.add(preposition);
  }
  const [first, my, is, isCalled] = [
    setOf(grammar.first),
    setOf(grammar.my),
    setOf(grammar.is),
    setOf(grammar.isCalled),
  ];
  const [please, lasting, indefinite] = [setOf(grammar.please), setOf(grammar.lasting), setOf(grammar.indefinite)];
  const articles = new Set([...setOf(grammar.articles), ...indefinite]);
  const adverbs = setOf(grammar.adverbs);
  const not = setOf(grammar.not);
  const ends = new Set(grammar.over.flat());
  const leads: DatePrefixes = { since: setOf(grammar.since), until: setOf(grammar.until) };
  for (const words of [adverbs, not, ends, leads.since, leads.until]) for (const word of words) stops.add(word);
  return {
    verbs,
    stops,
    leads,
    adverbs,
    not,
    over: grammar.over,
    skipped: new Set([...adverbs, ...not, ...ends, ...setOf(grammar.pronouns)]),
    first,
    hasPronouns: grammar.first !== "",
    my,
    fresh: setOf(grammar.fresh),
    articles,
    indefinite,
    telling: new Set(
      [first, my, articles, is, isCalled, adverbs, please, lasting, setOf(grammar.past.have), verbs.keys()]
        .flatMap((words) => [...words])
        .filter((word) => !ENGLISH_WORDS.has(word)),
    ),
    and: setOf(grammar.and),
    is,
    isCalled,
    areMany: grammar.areMany,
    pluralEnding: grammar.pluralEnding,
    schedule: grammar.schedule,
    have: setOf(grammar.have),
    past: {
      ...grammar.past,
      have: setOf(grammar.past.have),
      forms: setOf(grammar.past.forms),
      lasting: setOf(grammar.past.lasting),
    },
    please,
    lasting,
    joins: setOf(grammar.joins),
    unreal: setOf(grammar.unreal),
    kin: new Map(Object.entries(grammar.kin)),
  };
}

function setOf(words = ""): ReadonlySet<string> {
  return new Set(words.split(" ").filter((word) => word !== ""));
}
