import type { Word } from "../../../kernel/text/text.ts";

/**
 * Words whose loss would change the meaning: negation, cancellation, exception, condition, obligation, health. In the
 * form of `words`: lower case, without apostrophes. In English, German, French and Spanish.
 */
const VITAL: ReadonlySet<string> = new Set(
  `not no never nor neither none nobody nothing nowhere without cannot cant dont doesnt didnt wont wouldnt isnt arent wasnt
   werent hasnt havent hadnt shouldnt mustnt couldnt neednt aint cancel cancels canceled cancelled cancellation off out over
   stop stopped stops quit anymore longer instead except unless only until till if otherwise must may might refuse refused
   reject rejected declined denied forbidden prohibited banned allergic allergy allergies intolerant intolerance dose mg
   dead died death deadline due avoid against before after least most maximum minimum excludes excluding lost
   nicht kein keine keinen keiner nie niemals nur ohne außer ausser ausgenommen statt wenn falls bis abgesagt verboten abgelehnt
   allergisch allergie muss mehr spätestens mindestens höchstens
   pas jamais sans sauf seulement interdit annulé allergique jusqu ne no nunca sin salvo excepto solo sólo cancelado prohibido
   alérgico alérgica hasta`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Whether each mention of a word has its own meaning: one "not" cannot replace another. */
export function isVital(folded: string): boolean {
  return VITAL.has(folded);
}

/** Returns the term that a word counts as; each occurrence of a vital word is a term of its own. */
export function termOf({ folded, start }: Pick<Word, "folded" | "start">): string {
  return isVital(folded) ? `${folded}@${start}` : folded;
}
