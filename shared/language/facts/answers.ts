/** Questions that a noun or a name answers, with the sentence that the answer `$` states; `$1` is a group of the question. */
const OPEN_QUESTIONS: readonly (readonly [question: RegExp, sentence: string])[] = [
  [/^where (?:do|are) you (?:currently )?(?:live|living|based)$/, "I live in $"],
  [/^where are you from$/, "I am from $"],
  [/^(?:where|who) do you work(?: for| at)?$/, "I work at $"],
  [/^what do you do(?: for (?:a living|work))?$/, "My job is $"],
  [/^(?:do|have) you (?:have|got) (?:any )?(?:pets|children|kids|siblings)$/, "I have $"],
  [/^how old are you$/, "I am $ years old"],
  [/^(?:do you have |have you (?:got )?)?any (?:food )?allergies$|^what are you allergic to$/, "I am allergic to $"],
  [/^(?:what|who|which)(?:['’]s| is| are) your (.{2,40})$/, "My $1 is $"],
  [/^(?:what|which) (?:\p{L}+ ){0,3}(?:do|did) you (use|drive|play|speak|study|eat|drink|like|prefer)$/u, "I $1 $"],
];

/** Questions for yes or no, with the sentences that "yes" and "no" state. */
const POLAR_QUESTIONS: readonly (readonly [question: RegExp, yes: string, no: string])[] = [
  [/^are you (.{2,80})$/, "I am $1", "I am not $1"],
  [/^do you (?:still )?have (.{2,80})$/, "I have $1", "I do not have $1"],
  [/^do you (?:still )?(.{2,80})$/, "I $1", "I do not $1"],
  [/^(?:is|are) your (.{2,80})$/, "My $1", ""],
];

const ANSWER = /^(?<yes>yes|yeah|yep|yup|sure|correct)|^(?<no>no|nope|nah|not really)/iu;
/** A longer answer is a sentence of its own. */
const MAX_ANSWER = 60;

/**
 * Returns the sentence that a short answer states together with its question: "I live in Antwerp" for "Where do you
 * live?" – "Antwerp.". Undefined for other questions, and for answers that are sentences themselves.
 */
export function sentenceOf(question: string, answer: string): string | undefined {
  const asked = (question.split(/[.!\n]\s*/u).at(-1) ?? "")
    .replace(/\?\s*$/u, "")
    .trim()
    .toLowerCase();
  const said = answer.trim().replace(/[.!]+$/u, "");
  if (said === "" || said.length > MAX_ANSWER || /[.!?:\n]/u.test(said)) return undefined;
  const polar = ANSWER.exec(said);
  if (polar === null) return filled(OPEN_QUESTIONS, asked, said);
  // "Yes, I am": what follows only repeats the question.
  const index = polar.groups?.yes === undefined ? 2 : 1;
  return filled(
    POLAR_QUESTIONS.map((row) => [row[0], row[index]] as const),
    asked,
    "",
  );
}

function filled(rows: readonly (readonly [RegExp, string])[], asked: string, said: string): string | undefined {
  for (const [pattern, sentence] of rows) {
    const found = pattern.exec(asked);
    if (found !== null) return sentence.replace("$1", () => found[1] ?? "").replace("$", () => said) || undefined;
  }
  return undefined;
}
