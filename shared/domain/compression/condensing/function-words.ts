import { type Word, words } from "../../../kernel/text/text.ts";

/**
 * English words that a reader can restore or do without, by the salience lost with each (a content word has 1 to 8.6).
 * Words that change what a sentence claims (not, never, can, might, before, because, all, only) are in no list.
 */
const GRADES: { salience: number; words: string }[] = [
  {
    salience: 0.05,
    words: `a an the am is are was were be been being have has had having do does did doing will shall it its that there here
      so very really just quite too also then well oh hey hi hello wow ok okay hmm um uh haha lol gosh ah aww huh
      actually basically literally honestly definitely totally im ive id youre youve theyre weve hes shes thats theres`,
  },
  {
    salience: 0.3,
    words:
      "of at by for with about into to in on from as and or this these those such like up out off over around through",
  },
  {
    salience: 0.4,
    words: `please thanks thank sorry sure understood noted updated anything else would could let get got getting make made going go`,
  },
  {
    salience: 0.5,
    words: `i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
      they them their theirs themselves who whom whose what which when where how why`,
  },
];

/** The same for German, French and Spanish: articles, pronouns, auxiliaries, and prepositions implied by context. */
const GERMAN = [
  {
    salience: 0.05,
    words: `der die das den dem des eine einen einem eines einer ist sind war waren wird werden wurde wurden hat haben hatte
      hatten es da so sehr ja doch eben halt eigentlich also auch dann denn mal schon noch nun`,
  },
  { salience: 0.3, words: "in im am bei beim von vom zum zur für über als wie und dass daß oder" },
  {
    salience: 0.5,
    words: "ich mich mir du dich dir er ihn ihm sie wir uns ihr euch mein meine dein deine sein seine unser unsere",
  },
];
const FRENCH = [
  {
    salience: 0.05,
    words: `le la les l un une des du de d est sont était étaient a ont avait avaient être c ce cela ça y très bien aussi alors donc`,
  },
  { salience: 0.3, words: "à au aux en dans sur par pour avec et ou que qu comme" },
  {
    salience: 0.5,
    words: "je j me m tu te t il elle on nous vous ils elles se s mon ma mes ton ta tes son sa ses notre votre leur",
  },
];
const SPANISH = [
  {
    salience: 0.05,
    words: `el la los las un una unos unas de del es son era eran está están ha han había haber lo muy también pues entonces ya`,
  },
  { salience: 0.3, words: "a al en por para con y o que como" },
  { salience: 0.5, words: "yo me mi mis tú te tu tus él ella nosotros nos se su sus le les" },
];

/** Salience of each word that may be dropped on its own. Keys have the form of `words` (lower case, no apostrophe). */
export type FunctionWords = ReadonlyMap<string, number>;

function mapOf(grades: { salience: number; words: string }[]): FunctionWords {
  return new Map(
    grades.flatMap(({ salience, words: list }) =>
      words(list).map(({ folded }): [string, number] => [folded, salience]),
    ),
  );
}

export const ENGLISH_WORDS: FunctionWords = mapOf(GRADES);
const LANGUAGES = [ENGLISH_WORDS, mapOf(GERMAN), mapOf(FRENCH), mapOf(SPANISH)];
const NONE: FunctionWords = new Map();
/** Minimum share of a language's function words in its prose; code and other languages stay below. */
const PROSE_SHARE = 0.2;

/** Returns the function words of the text's language, or an empty map if the language is unknown. */
export function functionWordsOf(text: Word[]): FunctionWords {
  let best = NONE;
  let bestCount = PROSE_SHARE * text.length;
  for (const language of LANGUAGES) {
    const known = text.filter(({ folded }) => language.has(folded)).length;
    if (known < bestCount || (known === bestCount && best !== NONE)) continue;
    best = language;
    bestCount = known;
  }
  return best;
}
