import { detectLanguage, SAMPLE_CHARACTERS } from "../languages/detect.ts";
import type { Sentence } from "./passage.ts";

/** A text of at most this many words may be English if its words tell no language for certain. */
const MAX_WORDS_WITHOUT_LANGUAGE = 7;

/** Whether the English rules apply to sentences. */
export function readsAsEnglish(sentences: Pick<Sentence, "text">[]): boolean {
  const text = sentences.map((sentence) => sentence.text).join(" ");
  const { language, isCertain } = detectLanguage(text);
  return language === "en" || (!isCertain && mayBeEnglish(text));
}

/** Returns a test whether a sentence is English: by its own words, otherwise by those of the whole text. */
export function englishTest(sentences: Pick<Sentence, "text">[]): (sentence: Pick<Sentence, "text">) => boolean {
  const isTextEnglish = readsAsEnglish(sentences);
  return ({ text }) => {
    const { language, isCertain } = detectLanguage(text);
    return language === "en" || (!isCertain && isTextEnglish);
  };
}

function mayBeEnglish(text: string): boolean {
  const letters = text.slice(0, SAMPLE_CHARACTERS).match(/\p{L}+/gu) ?? [];
  return letters.length <= MAX_WORDS_WITHOUT_LANGUAGE && letters.some((word) => /\p{Script=Latin}/u.test(word));
}
