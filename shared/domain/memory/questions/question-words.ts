import { wordSet } from "../../../kernel/text/text.ts";

/** Interrogative words by language, folded. */
export const QUESTION_WORDS_OF = {
  en: wordSet("what which who whose whom how when where why whats whos"),
  de: wordSet("welche welcher welches welchen welchem was wer wem wen wessen wie wo wann wieviel warum"),
  es: wordSet("que cual cuales quien quienes cuanto cuanta cuantos cuantas como donde cuando"),
  fr: wordSet("quel quelle quels quelles qui combien comment ou quand"),
};

/** The interrogative words of all these languages. */
export const QUESTION_WORDS: ReadonlySet<string> = new Set(
  Object.values(QUESTION_WORDS_OF).flatMap((each) => [...each]),
);
