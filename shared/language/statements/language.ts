import { setOf } from "../../kernel/strings.ts";
import { words } from "../../kernel/text/text.ts";
import type { Sentence } from "./passage.ts";

/** English function words that are rare in other languages. */
const ENGLISH =
  setOf(`the of and to is are were been have has had with for from that this these those it its my your our their his her i
   im ive we you they she not dont at by about which what who when where will would can could should after before into`);
/** Function words of other Latin-script languages that English lacks. */
const OTHER =
  setOf(`que el la los las una del por para con muy pero como esta este es yo soy je tu il elle nous vous le les des du et est
   un une dans pour avec sur pas ne ich du der das und ist nicht ein eine einen mit auf dem den wir sie es zu von mein
   meine che di della per sono non mi lo gli ho nao uma com meu minha eu em na os het een ik van niet en och jag det att
   som ja nie jest sie w z ve bir bu`);
const SAMPLE_WORDS = 400;
/** With fewer words, missing function words prove nothing. */
const MIN_WORDS = 8;
const MIN_ENGLISH_SHARE = 0.08;
const MIN_LATIN_SHARE = 0.7;

/** Whether the English rules apply to sentences. */
export function readsAsEnglish(sentences: Pick<Sentence, "text">[]): boolean {
  const { letters, latin, english, other } = countWords(sentences.map(({ text }) => text).join(" "));
  if (latin === 0 || latin / letters < MIN_LATIN_SHARE) return false;
  return other <= english && (latin < MIN_WORDS || english / latin >= MIN_ENGLISH_SHARE);
}

/** Returns a test whether a sentence is English: by its own function words, otherwise by those of the whole text. */
export function englishTest(sentences: Pick<Sentence, "text">[]): (sentence: Pick<Sentence, "text">) => boolean {
  const isTextEnglish = readsAsEnglish(sentences);
  const cache = new Map<string, boolean>();
  return ({ text }) => {
    const isEnglish = cache.get(text) ?? ownLanguage(text) ?? isTextEnglish;
    cache.set(text, isEnglish);
    return isEnglish;
  };
}

function ownLanguage(text: string): boolean | undefined {
  const { letters, latin, english, other } = countWords(text);
  if (latin / letters < MIN_LATIN_SHARE) return false;
  return english === other ? undefined : english > other;
}

function countWords(text: string) {
  const sample = words(text.slice(0, SAMPLE_WORDS * 10)).slice(0, SAMPLE_WORDS);
  const letters = sample.filter(({ folded }) => /\p{L}/u.test(folded));
  const latin = letters.filter(({ folded }) => /^[\p{Script=Latin}\d\p{M}]+$/u.test(folded));
  return {
    letters: letters.length,
    latin: latin.length,
    english: latin.filter(({ folded }) => ENGLISH.has(folded)).length,
    other: latin.filter(({ folded }) => OTHER.has(folded)).length,
  };
}
