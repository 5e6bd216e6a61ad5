import { setOf } from "../../kernel/strings.ts";
import { KIN, ROLES } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import type { Word } from "./words.ts";

const S_ENDING = /['’]s$/u;
const COPULA: ReadonlySet<string> = new Set(["Verb", "Copula", "PresentTense"]);
const AUXILIARY: ReadonlySet<string> = new Set(["Verb", "PresentTense"]);
const PARTICIPLE: ReadonlySet<string> = new Set(["Verb", "PastTense"]);
/** Words that may follow the quantity in "the rent's 900 euros". With another noun, it is a possessive: "12 vans". */
const UNITS =
  setOf(`mg mcg ml iu g kg kilos tablets pills drops percent euros dollars pounds pence francs a an each per years months weeks
   days hours minutes miles km metres am pm k m`);
const AFTER_DAY = setOf("and at from now again to till until half in");
/** What follows the verb in "Jana's in Rome". */
const PLACES = setOf("in at on away back here there off");
const AFTER_PARTICIPLE = setOf("to by from in on at for again now since up down off out until");
const JOINS = setOf("and but so because since while as that");
const MAX_OWNED_WORDS = 3;

/**
 * Corrects how the tagger reads "'s": it is a verb in "the rent's 900" and "yoga's Mondays", and a possessive in "my
 * sister's flat is big".
 */
export function withContractions(tagged: Word[]): Word[] {
  const words = withParticiples(tagged);
  if (!words.some((word) => S_ENDING.test(word.contraction ?? word.text))) return words;
  const found: Word[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Word;
    const verb = verbIn(words, index);
    if (verb !== undefined) found.push(...split(word, verb));
    else if (isOwner(words, index)) {
      found.push({ ...word, text: word.contraction ?? word.text, tags: new Set([...word.tags, "Possessive"]) });
      // The next word is the verb that the tagger read into the possessive.
      index++;
    } else if (isMistakenHas(words, index)) found.push({ ...word, text: "is", normal: "is", tags: COPULA });
    else {
      const isParticiple = PAST_FORM.test(word.text) && found.at(-1)?.tags === AUXILIARY;
      found.push(isParticiple ? { ...word, tags: PARTICIPLE } : word);
    }
  }
  return found;
}

const PAST_FORM = /^\p{Ll}{2,}ed$/u;

/** Corrects the participle in "I've always used it", which the tagger takes for an adjective after the adverb. */
function withParticiples(words: Word[]): Word[] {
  return words.map((word, index) => {
    if (!PAST_FORM.test(word.text) || !hasTag(word, "Adjective")) return word;
    if (word.after === " " && hasTag(words[index + 1], "Noun")) return word;
    const before = words.slice(Math.max(0, index - MAX_ADVERBS - 1), index);
    const helper = before.findLast((word) => !hasTag(word, "Adverb", "Negative"));
    const isPerfect = HAVE.has(helper?.normal ?? "") && helper !== words[index - 1];
    return isPerfect ? { ...word, tags: PARTICIPLE } : word;
  });
}

const MAX_ADVERBS = 3;
const HAVE = setOf("have has had");

/** Whether the tagger mistakes "is" for "has": "Greta's our vet" has no participle, "the baby's called Ann" a name. */
function isMistakenHas(words: Word[], index: number): boolean {
  const word = words[index];
  const next = words[index + 1];
  const isContracted =
    word?.contraction === "" && word.normal === "has" && S_ENDING.test(words[index - 1]?.contraction ?? "");
  const isNaming = next?.normal === "called" && /^\p{Lu}/u.test(words[index + 2]?.text ?? "");
  const isOfThing = !hasTag(words[index - 1], "Person") && !KIN.has(words[index - 1]?.normal ?? "");
  return isContracted && (hasTag(next, "Possessive") || next?.normal === "the" || (isNaming && isOfThing));
}

/** Returns the verb that "'s" stands for, judged by the words after it; undefined if it is a possessive. */
function verbIn(words: Word[], index: number): "is" | "has" | undefined {
  const word = words[index];
  const next = words[index + 1];
  const afterNext = words[index + 2];
  if (word === undefined || next === undefined || word.isDate || word.after !== " ") return undefined;
  if (!S_ENDING.test(word.text) || !hasTag(word, "Possessive") || hasTag(word, "Pronoun")) return undefined;
  const isNextLast = afterNext === undefined || next.after !== " ";
  if (hasTag(word, "Person") && PLACES.has(next.normal) && next.after === " ") return "is";
  if (hasTag(next, "WeekDay")) return isNextLast || AFTER_DAY.has(afterNext.normal) ? "is" : undefined;
  if (ROLES.has(next.normal) && isStart(words[index - 1]))
    return isNextLast || afterNext.normal === "now" ? "is" : undefined;
  if (hasTag(next, "Value") && !hasTag(next, "Ordinal")) {
    const isOwned =
      !isNextLast &&
      hasTag(afterNext, "Noun", "Adjective", "Value") &&
      !UNITS.has(afterNext.normal) &&
      !afterNext.isDate;
    return isOwned ? undefined : "is";
  }
  if (PAST_FORM.test(next.text) && !hasTag(next, "Adjective"))
    return isNextLast || AFTER_PARTICIPLE.has(afterNext.normal) ? "has" : undefined;
  return undefined;
}

/** Whether a clause begins after the word `previous`, so that "Nora" is the subject of "Nora's secretary now". */
function isStart(previous: Word | undefined): boolean {
  return previous === undefined || previous.after !== " " || JOINS.has(previous.normal);
}

/** Returns the noun and the verb of a word such as "rent's". */
function split(word: Word, verb: "is" | "has"): Word[] {
  const { after, end, isQuoted } = word;
  const tags = new Set([...word.tags].filter((tag) => tag !== "Possessive"));
  const noun = { ...word, text: word.text.replace(S_ENDING, ""), contraction: word.text, after: " ", tags };
  const common = { before: "", after, contraction: "", start: end, end, isDate: false, isQuoted };
  return [noun, { ...common, text: verb, normal: verb, tags: verb === "is" ? COPULA : AUXILIARY }];
}

/** Whether "'s" is a possessive that the tagger read as a verb: in "my sister's flat is big", a verb follows. */
function isOwner(words: Word[], ownerIndex: number): boolean {
  const word = words[ownerIndex];
  const verb = words[ownerIndex + 1];
  if (!S_ENDING.test(word?.contraction ?? "") || verb === undefined || verb.start !== verb.end) return false;
  if (!hasTag(word, "Noun") || hasTag(word, "Pronoun", "QuestionWord")) return false;
  if (/^\p{Lu}/u.test(word?.text ?? "") && verb.after.startsWith(",")) return true;
  for (let index = ownerIndex + 2; index < words.length && index <= ownerIndex + 2 + MAX_OWNED_WORDS; index++) {
    const follower = words[index];
    const isVerb =
      hasTag(follower, "Copula", "PastTense") ||
      (hasTag(follower, "PresentTense") && !hasTag(follower, "Infinitive", "Gerund"));
    if (isVerb && !hasTag(follower, "Adjective") && follower?.start !== follower?.end) return index > ownerIndex + 2;
    if (!hasTag(follower, "Noun", "Adjective") || hasTag(follower, "Pronoun", "Possessive") || follower?.after !== " ")
      return false;
  }
  return false;
}
