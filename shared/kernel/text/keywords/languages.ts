import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as porter } from "stemmer";
import { memoized } from "../../memoized.ts";
import { setOf } from "../../strings.ts";
import { IRREGULAR_FORMS } from "../english.ts";
import { foldAccents } from "../fold.ts";
import { stem as englishStem } from "../text.ts";

interface Language {
  code: string;
  /** Words that occur in nearly every sentence, in lower case with their accents. */
  functionWords: ReadonlySet<string>;
  /** Letters beyond a to z that are typical of the language. */
  letters: ReadonlySet<string>;
  /** The stems of a lower-case word; several if it has several readings. */
  stems(word: string): string[];
}

/** Maximum number of words from which the language of a text is detected. */
const MAX_SAMPLE = 400;
/** Maximum votes of a text's letters; each distinct letter counts as much as one function word. */
const MAX_LETTER_VOTES = 2;
/** Minimum votes for a language to be certain. */
const CERTAIN_VOTES = 2;
/** Maximum number of languages in which a text with function words of several languages is analysed. */
const MAX_LANGUAGES = 3;
/** A query without votes is analysed in all languages if it has at most this many words, otherwise only in English. */
const MAX_WORDS_WITHOUT_VOTES = 12;
/** Maximum number of words per language whose stems are cached. */
const MAX_CACHED_WORDS = 20_000;

const LATIN = /^\p{Script=Latin}/u;
const CYRILLIC = /^\p{Script=Cyrillic}/u;

/** An irregular form may have two readings: lives is a form of "to live" and of "life". */
const ENGLISH: Language = {
  code: "en",
  functionWords: setOf(
    `the of and to is are were was been be have has had with for from that this these those it its my your our their
     his her i im ive we you they she he not dont at by about which what who when where will would can could should
     after before into how why did does do as on if or but than then there me him us them`,
  ),
  letters: new Set(),
  stems(word) {
    const folded = foldAccents(word);
    return IRREGULAR_FORMS.has(folded) ? [...new Set([porter(folded), englishStem(folded)])] : [englishStem(folded)];
  },
};

const GERMAN = language(
  "de",
  german,
  "äöüß",
  `der die das den dem des ein eine einen einem einer und oder ist sind war waren hat haben hatte wird werden wurde
   nicht auch auf mit für von zu zum zur im am bei nach aus über unter vor wie was wer wo wann ich du er sie es wir ihr
   mich mir dir ihn ihm uns euch mein meine meinen meinem meiner dein deine sein seine unser unsere dass noch nur schon
   sehr kein keine`,
);
const FRENCH = language(
  "fr",
  french,
  "éèêëàâçùûîïôœ",
  `le la les un une des du de et ou est sont était a ont avait je tu il elle on nous vous ils elles me te se lui leur
   mon ma mes ton ta tes son sa ses notre nos votre vos ce cette ces qui que quoi dont où quand comment pour par dans
   sur avec sans sous chez pas ne plus aussi très au aux en suis es ai as`,
);
const SPANISH = language(
  "es",
  spanish,
  "ñ¿¡",
  `el la los las un una unos unas de del al y o es son era eran está están fue ha han había que qué quién cuándo dónde
   cómo cuál por para con sin sobre en entre no se lo le les su sus mi mis tu tus yo él ella nosotros ellos me te nos
   muy pero como más este esta estos estas ese esa cuando donde hay tiene soy`,
);
const ITALIAN = language(
  "it",
  italian,
  "èìò",
  `il lo la i gli le un uno una di del della dei delle degli dello al alla alle ai da dal dalla in nel nella sul sulla
   con per tra fra e ed o è sono era erano ha hanno ho che chi cosa quando dove come non si mi ti ci vi mio mia miei
   tuo tua suo sua loro io lui lei noi voi questo questa quello quella più molto anche ma`,
);
const PORTUGUESE = language(
  "pt",
  portuguese,
  "ãõ",
  `o a os as um uma uns umas de do da dos das no na nos nas em ao à aos às e ou é são era eram foi está estão tem têm
   que quem quando onde como qual por para com sem sobre não se lhe me te seu sua seus suas meu minha meus minhas eu
   ele ela nós eles você muito mas mais este esta isso`,
);
const DUTCH = language(
  "nl",
  dutch,
  "ĳ",
  `de het een en of is zijn was waren heeft hebben had wordt worden werd niet ook op met voor van naar aan bij uit over
   onder in te dat die dit deze wie wat waar wanneer hoe ik jij je hij zij ze wij we jullie mij hem haar ons mijn jouw
   onze hun er maar nog al geen om als dan`,
);
const SWEDISH = language(
  "sv",
  swedish,
  "åäö",
  `en ett och eller är var har hade att det den de som inte på med för av till från i om vid efter under jag du han hon
   vi ni mig dig honom henne oss min mitt mina din ditt dina sin sitt sina vad vem när hur också men så nu mycket ingen`,
);
const DANISH = language(
  "da",
  danish,
  "åæø",
  `en et og eller er var har havde at det den de som ikke på med for af til fra i om ved efter under jeg du han hun vi
   mig dig ham hende os min mit mine din dit dine sin sit sine hvad hvem hvor hvornår hvordan også men så nu meget ingen`,
);
const NORWEGIAN = language(
  "no",
  norwegian,
  "åæø",
  `en ei et og eller er var har hadde at det den de som ikke på med for av til fra i om ved etter under jeg du han hun
   vi meg deg ham henne oss min mitt mine din ditt dine sin sitt sine hva hvem hvor når hvordan også men så nå mye ingen`,
);
const FINNISH = language(
  "fi",
  finnish,
  "äö",
  `ja tai on ovat oli olivat ei en että se ne tämä nämä hän he minä sinä me te minun sinun hänen mikä mitä kuka missä
   milloin miten kun jos niin myös mutta kuin olen olet vain nyt hyvin`,
);
const RUSSIAN = language("ru", russian, "", "");

const LATIN_LANGUAGES = [
  ...[ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE],
  ...[DUTCH, SWEDISH, DANISH, NORWEGIAN, FINNISH],
];

const BY_FUNCTION_WORD = new Map<string, Language[]>();
for (const entry of LATIN_LANGUAGES) {
  for (const word of entry.functionWords) BY_FUNCTION_WORD.set(word, [...(BY_FUNCTION_WORD.get(word) ?? []), entry]);
}
const BEYOND_ASCII = /[^\0-\x7f]/;

/** The detected languages of a text. */
export interface Detected {
  /** The languages in which words in Latin script are analysed. */
  latin: Language[];
  /** The language with the most votes, if it has at least CERTAIN_VOTES and no other language has as many. */
  certain?: Language;
}

/** Detects the languages of a document from its function words and letters; English if there are no votes. */
export function languagesOfDocument(words: string[]): Detected {
  const { languages, ...detected } = vote(words);
  return { ...detected, latin: languages.length === 0 ? [ENGLISH] : languages };
}

/** Detects the languages of a query: always English, and all languages if a query of few words has no votes. */
export function languagesOfQuery(words: string[]): Detected {
  const { languages, ...detected } = vote(words);
  const undetected = words.length <= MAX_WORDS_WITHOUT_VOTES ? LATIN_LANGUAGES : [];
  return { ...detected, latin: [...new Set([ENGLISH, ...(languages.length === 0 ? undetected : languages)])] };
}

/** Returns a word's stems, without accents, in the languages of its script; none for a script without a stemmer. */
export function stemsOf(word: string, { latin }: Detected): string[] {
  if (CYRILLIC.test(word)) return [...new Set(RUSSIAN.stems(word))];
  if (!LATIN.test(word)) return [];
  const [only] = latin;
  if (latin.length === 1 && only !== undefined) return only.stems(word);
  return [...new Set(latin.flatMap((language) => language.stems(word)))];
}

/** Returns the languages with more than half of the most votes, best first, by function words and letters. */
function vote(words: string[]): { languages: Language[]; certain?: Language } {
  const votes = new Map<Language, number>();
  const letters = new Set<string>();
  for (const word of words.slice(0, MAX_SAMPLE)) {
    for (const entry of BY_FUNCTION_WORD.get(word) ?? []) votes.set(entry, (votes.get(entry) ?? 0) + 1);
    if (BEYOND_ASCII.test(word)) for (const letter of word) letters.add(letter);
  }
  for (const entry of letters.size === 0 ? [] : LATIN_LANGUAGES) {
    const found = [...entry.letters].filter((letter) => letters.has(letter)).length;
    if (found > 0) votes.set(entry, (votes.get(entry) ?? 0) + Math.min(MAX_LETTER_VOTES, found));
  }
  const ordered = [...votes].sort((a, b) => b[1] - a[1]);
  const [[first, most] = [undefined, 0], [, second] = [undefined, 0]] = ordered;
  const languages = ordered.filter(([, count]) => 2 * count > most).map(([entry]) => entry);
  const isCertain = most >= CERTAIN_VOTES && most > second;
  return { languages: languages.slice(0, MAX_LANGUAGES), ...(isCertain && first && { certain: first }) };
}

/**
 * Creates a language. A word's stems are those of the word as written and of the word without accents, because people
 * omit accents; all stems are without accents.
 */
function language(code: string, stemmer: (word: string) => string, letters: string, functionWords: string): Language {
  const stemsOfForms = (word: string) => [
    ...new Set([word, foldAccents(word)].map((form) => foldAccents(stemmer(form)))),
  ];
  return {
    code,
    functionWords: setOf(functionWords),
    letters: new Set(letters),
    stems: memoized(stemsOfForms, MAX_CACHED_WORDS),
  };
}
