import { wordSet, words } from "../../../kernel/text/text.ts";
import { annotateDates } from "../../../language/dates/annotate.ts";
import { languageOf } from "../../../language/languages/detect.ts";
import { allWords } from "../../../language/languages/lists.ts";
import type { AskedValue, ValueWords } from "../../../language/languages/pack.ts";
import { PACKS } from "../../../language/languages/packs.ts";
import { askedValueOf } from "../../../language/questions/asked-value.ts";
import { Query } from "../../../language/questions/query.ts";
import { capitalizedIn } from "../ranking/names.ts";
import { readingOpening } from "../ranking/opening.ts";

/** Characters of a text that are searched for values. */
const READ_LENGTH = 1000;
/** Relative dates are found with any anchor. */
const ANCHOR = { instant: new Date(0) };

/** Text without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LATIN = /[A-Za-z]/;

/** Returns the words of a list by whether they are of a script with spaces; the others are folded. */
function valueWords(list: (values: Partial<ValueWords>) => string | undefined) {
  const all = allWords(({ values }) => values && list(values)).split(" ");
  return {
    spaced: wordSet(all.filter((word) => !UNSPACED.test(word)).join(" ")),
    unspaced: all.filter((word) => UNSPACED.test(word)),
  };
}

const NUMBERS = valueWords(({ numbers }) => numbers);
const COLOURS = valueWords(({ colours }) => colours);
const AGES = valueWords(({ ages }) => ages);
const NAME_MARKS = valueWords(({ nameMarks }) => nameMarks);
/** "O negative", "AB+", "0 Rh+". */
const BLOOD_GROUP = /(?<![\p{L}\p{N}])(?:AB|[ABO0])[ ,]?(?:[-+−](?![\p{L}\p{N}])|(?:rh|pos|neg)\p{L}*)/iu;
const CAPITAL = /^\p{Lu}/u;
const DIGIT = /\p{Nd}/u;
const YEAR = /^(?:19|20)\d\d$/;
/** What separates the two names of a person. */
const NAME_GAP = /^[ .]{1,2}$/;

/** What a text holds that may be the value that a question asks for; words are folded. */
interface Values {
  /** Words with digits; codes are no years and no parts of dates. */
  numbers: string[];
  codes: string[];
  hasDate: boolean;
  hasNumberWord: boolean;
  hasAge: boolean;
  hasColour: boolean;
  names: string[];
  /** Capitalized words with the next one, if that is capitalized too. */
  pairs: [string, string][];
  /** False for texts in scripts or by writers without capital letters: which words are names is unknown. */
  hasCapitals: boolean;
  /** Whether it may name somebody in a script without capitals. */
  hasUnspacedName: boolean;
}

const readValues = readingOpening(READ_LENGTH, (text): Values => {
  const all = words(text);
  const dates = annotateDates(text, ANCHOR);
  const ofDates = new Set(
    all
      .filter(({ start }) => dates.some((date) => date.start <= start && start < date.end))
      .map(({ folded }) => folded),
  );
  const folded = all.map((word) => word.folded);
  const numbers = folded.filter((word) => DIGIT.test(word));
  const isCapital = all.map(({ start, end }) => CAPITAL.test(text.slice(start, end)));
  const pairs = all.flatMap(({ end, folded: one }, index): [string, string][] => {
    const next = all[index + 1];
    const isPair = next && isCapital[index] && isCapital[index + 1] && NAME_GAP.test(text.slice(end, next.start));
    return isPair ? [[one, next.folded]] : [];
  });
  const afterNaming = () => folded.filter((_, index) => NAME_MARKS.spaced.has(folded[index - 1] ?? ""));
  // Other nouns have a capital too: only words like "Frau" show a name.
  const hasCapitalNouns = PACKS[languageOf(text)].capitalNouns === true;
  const names = hasCapitalNouns ? [...pairs.flat(), ...afterNaming()] : [...capitalizedIn(text)];
  const isUnspaced = UNSPACED.test(text);
  const has = ({ spaced, unspaced }: typeof NUMBERS) =>
    folded.some((word) => spaced.has(word)) || (isUnspaced && unspaced.some((word) => text.includes(word)));
  return {
    numbers,
    codes: numbers.filter((word) => !ofDates.has(word) && !YEAR.test(word)),
    hasDate: dates.length > 0,
    hasNumberWord: has(NUMBERS),
    hasAge: has(AGES),
    hasColour: has(COLOURS),
    names: names.filter((name) => !ofDates.has(name)),
    pairs,
    hasCapitals: isCapital.some(Boolean),
    hasUnspacedName: isUnspaced && (LATIN.test(text) || NAME_MARKS.unspaced.some((word) => text.includes(word))),
  };
});

/** Whether a text holds a value of a kind. Words of the question, folded, are no value. */
export function holdsValue(content: string, kind: AskedValue, asked: ReadonlySet<string>): boolean {
  const values = readValues(content);
  const isNew = (word: string) => !asked.has(word);
  return {
    age: () => values.hasAge && (values.numbers.length > 0 || values.hasNumberWord || values.hasDate),
    amount: () => values.numbers.some(isNew) || values.hasNumberWord,
    code: () => values.codes.some(isNew),
    bloodGroup: () => BLOOD_GROUP.test(content) || askedValueOf(new Query(content)) === "bloodGroup",
    colour: () => values.hasColour,
    name: () => (values.hasCapitals ? values.names.some(isNew) : values.hasUnspacedName || !UNSPACED.test(content)),
    otherName: () => values.hasUnspacedName || values.pairs.some((pair) => pair.some(isNew) && !pair.every(isNew)),
  }[kind]();
}
