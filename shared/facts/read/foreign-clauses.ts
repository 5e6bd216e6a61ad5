import { type Draft, draftOf } from "./draft.ts";
import { owning, type Speaker } from "./subjects.ts";

/** What a language calls "the", "my", "is" and times, as far as a clause with a form of "be" takes them. */
interface Grammar {
  articles: string;
  /** Of the speaker. */
  possessives: string;
  copulas: string;
  /** Copulas of several things, and what their nouns then end with. */
  plural: { copulas: string; ending: RegExp };
  /** Words between a copula and its value. */
  adverbs: string;
  /** Behind the beginning of a value. */
  schedule: string;
  /** Words that lead from a value to something else. */
  conjunctions: string;
  /** A capital letter makes a name. */
  hasCapitalNouns: boolean;
}

const CLOCK = String.raw`\d{1,2}(?:[:.h]\d{2})?(?: uhr| h\b|h\b)`;
const GRAMMARS: Grammar[] = [
  {
    articles: "der|die|das",
    possessives: "mein|meine|meiner|unser|unsere",
    copulas: "ist|sind",
    plural: { copulas: "sind", ending: /n$/ },
    adverbs: "jetzt|wieder|nun|ab jetzt|künftig|inzwischen|neuerdings|seit \\p{L}+",
    schedule: `(?:immer )?(?:montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|jeden \\p{L}+tag|um (?:${CLOCK}|halb \\p{L}+)|${CLOCK})`,
    conjunctions: "weil|und|aber|da|denn|obwohl",
    hasCapitalNouns: true,
  },
  {
    articles: "le|la|les|l'",
    possessives: "mon|ma|mes|notre|nos",
    copulas: "est|sont",
    plural: { copulas: "sont", ending: /s$/ },
    adverbs: "maintenant|désormais|à nouveau|de nouveau|toujours|dorénavant",
    schedule: `(?:(?:le|les|tous les|chaque) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?|à ${CLOCK})`,
    conjunctions: "parce que|car|et|mais|puisque",
    hasCapitalNouns: false,
  },
  {
    articles: "el|la|los|las",
    possessives: "mi|mis|nuestro|nuestra|nuestros|nuestras",
    copulas: "es|son|está|están",
    plural: { copulas: "son", ending: /s$/ },
    adverbs: "ahora|otra vez|de nuevo|desde ahora",
    schedule:
      "(?:(?:los|cada|todos los) (?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)|a las? \\d{1,2}(?:[:.]\\d{2})?)",
    conjunctions: "porque|y|pero|ya que|aunque",
    hasCapitalNouns: false,
  },
];

const NEW = "neue|neuer|neues|nouvelle|nouveau|nuevo|nueva";
const NOUN = String.raw`\p{L}[\p{L}-]{1,30}`;

const COMPILED = GRAMMARS.map((grammar) => ({
  ...grammar,
  clause: new RegExp(
    String.raw`(?:^|[.,;:!?]\s|\s)(?<lead>${grammar.articles}|${grammar.possessives})\s(?:(?:${NEW})\s)?(?<thing>${NOUN})\s(?<copula>${grammar.copulas})\s(?:(?:${grammar.adverbs})\s)*(?<value>(?:[^.;:!?]|(?<=\b(?:Dr|Prof|Sr|Sra|Mr|Mme))\.){1,80})`,
    "iu",
  ),
  time: new RegExp(`^${grammar.schedule}`, "iu"),
  own: new RegExp(`^(?:${grammar.possessives})$`, "iu"),
  many: new RegExp(`^(?:${grammar.plural.copulas})$`, "iu"),
  end: new RegExp(String.raw`,? (?:${grammar.conjunctions})\b|, (?=\p{Ll}+ \p{Ll})`, "iu"),
}));

/** "Die Proben sind jetzt donnerstags", "mi editora es Aoife Brennan": a thing, and the time or the name that is its. */
export function readForeignClauses(sentence: string, speaker: Speaker): Draft[] {
  for (const grammar of COMPILED) {
    const found = grammar.clause.exec(sentence)?.groups;
    if (found === undefined) continue;
    const { lead = "", thing = "", copula = "", value = "" } = found;
    const told = value.slice(0, grammar.end.exec(value)?.index).trim();
    if (grammar.time.test(told)) {
      const one = grammar.many.test(copula) ? thing.replace(grammar.plural.ending, "") : thing;
      const name = one.toLowerCase();
      return [draftOf({ subject: owning(name, speaker), attribute: `schedule_of ${name}`, value: told, act: "state" })];
    }
    const name = NAME.exec(told)?.[0];
    const words = name?.split(" ").length ?? 0;
    if (name === undefined || !grammar.own.test(lead) || words < (grammar.hasCapitalNouns ? 2 : 1)) continue;
    return [
      draftOf({
        subject: speaker.name,
        attribute: thing.toLowerCase(),
        value: name,
        act: "state",
        cardinality: "single",
      }),
    ];
  }
  return [];
}

/** Names, with a title in front. */
const NAME = /^(?:\p{Lu}[\p{L}'-]{0,30}\.?)(?: (?:de |del |de la |von )?\p{Lu}[\p{L}'-]{0,30}){0,3}(?=$|[ ,])/u;
