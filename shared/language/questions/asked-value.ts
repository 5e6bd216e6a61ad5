import { spaced, wordSet } from "../../kernel/text/text.ts";
import { allPhrases, allWords } from "../languages/lists.ts";
import type { AskedValue } from "../languages/pack.ts";
import type { Query } from "./query.ts";

/** Words that begin a question for a time, whatever else it names: "When does my passport run out?" */
const TIME = wordSet(allWords(({ questions }) => questions?.time));
/** Number of first words among which they are. */
const OPENING_WORDS = 2;

const CHINESE_OR_JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The kinds with the words and phrases that ask for them; the first kind with a match applies. */
const ASKING = (["bloodGroup", "otherName", "code", "age", "colour", "amount", "name"] as const).map((kind) => {
  const forms = allPhrases(({ questions }) => questions?.asked?.[kind]);
  const isPhrase = (form: string) => form.includes(" ") || CHINESE_OR_JAPANESE.test(form);
  return {
    kind,
    words: wordSet(forms.filter((form) => !isPhrase(form)).join(" ")),
    phrases: forms.filter(isPhrase).map((form) => (CHINESE_OR_JAPANESE.test(form) ? form : spaced(form))),
  };
});

/** Returns the kind of value that a question asks for; undefined if its words do not say it. */
export function askedValueOf(question: Query): AskedValue | undefined {
  return question.once(readAskedValue);
}

function readAskedValue({ text: question, words: all, spaced: inWords }: Query): AskedValue | undefined {
  const asked = all.flatMap(({ folded }) => [folded, ...folded.split(/['’-]/u)]);
  if (asked.slice(0, OPENING_WORDS).some((word) => TIME.has(word))) return undefined;
  const text = CHINESE_OR_JAPANESE.test(question) ? question : inWords;
  const found = ASKING.find(
    ({ words: single, phrases }) =>
      asked.some((word) => single.has(word)) || phrases.some((phrase) => text.includes(phrase)),
  );
  return found?.kind;
}
