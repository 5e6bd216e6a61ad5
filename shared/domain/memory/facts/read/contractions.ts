import { setOf } from "../../../../kernel/strings.ts";
import { hasTag } from "../../extraction/tagging.ts";
import { ROLES } from "../slots.ts";
import type { Word } from "./words.ts";

const ENDING = /['’]s$/u;
const COPULA: ReadonlySet<string> = new Set(["Verb", "Copula", "PresentTense"]);
const AUXILIARY: ReadonlySet<string> = new Set(["Verb", "PresentTense"]);
const PARTICIPLE: ReadonlySet<string> = new Set(["Verb", "PastTense", "Participle"]);
/** Words that may follow a quantity; other nouns make it the owner's: "the firm's 12 vans". */
const UNITS =
  setOf(`mg mcg ml iu g kg kilos tablets pills drops percent euros dollars pounds pence francs a an each per years months weeks
   days hours minutes miles km metres am pm k m`);
const AFTER_DAY = setOf("and at from now again to till until half in");
const AFTER_PARTICIPLE = setOf("to by from in on at for again now since up down off out until");
const JOINS = setOf("and but so because since while as that");
const MAX_OWNED_WORDS = 3;

/**
 * Corrects what the tagger takes "'s" for: "the rent's 900" and "yoga's Mondays" have a verb, "my sister's flat
 * is big" has an owner.
 */
export function withContractions(words: Word[]): Word[] {
  if (!words.some((word) => ENDING.test(word.contraction ?? word.text))) return words;
  const found: Word[] = [];
  for (let place = 0; place < words.length; place++) {
    const word = words[place] as Word;
    const verb = verbIn(words, place);
    if (verb !== undefined) found.push(...split(word, verb));
    else if (isOwner(words, place)) {
      found.push({ ...word, text: word.contraction ?? word.text, tags: new Set([...word.tags, "Possessive"]) });
      place++;
    } else if (isMistakenHas(words, place)) found.push({ ...word, text: "is", normal: "is", tags: COPULA });
    else {
      const isCut = PAST.test(word.text) && found.at(-1)?.tags === AUXILIARY;
      found.push(isCut ? { ...word, tags: PARTICIPLE } : word);
    }
  }
  return found;
}

const PAST = /^\p{Ll}{2,}ed$/u;

/** "Greta's our vet": without a participle after it, the verb is "is". */
function isMistakenHas(words: Word[], place: number): boolean {
  const word = words[place];
  const next = words[place + 1];
  const isShort = word?.contraction === "" && word.normal === "has" && ENDING.test(words[place - 1]?.contraction ?? "");
  return isShort && (hasTag(next, "Possessive") || next?.normal === "the");
}

/** Returns the verb that a possessive ending stands for, by the words after it. */
function verbIn(words: Word[], place: number): "is" | "has" | undefined {
  const word = words[place];
  const next = words[place + 1];
  const behind = words[place + 2];
  if (word === undefined || next === undefined || word.isDate || word.after !== " ") return undefined;
  if (!ENDING.test(word.text) || !hasTag(word, "Possessive") || hasTag(word, "Pronoun")) return undefined;
  const isLast = behind === undefined || next.after !== " ";
  if (hasTag(next, "WeekDay")) return isLast || AFTER_DAY.has(behind.normal) ? "is" : undefined;
  if (ROLES.has(next.normal) && isStart(words[place - 1])) return isLast || behind.normal === "now" ? "is" : undefined;
  if (hasTag(next, "Value") && !hasTag(next, "Ordinal")) {
    const isOwned =
      !isLast && hasTag(behind, "Noun", "Adjective", "Value") && !UNITS.has(behind.normal) && !behind.isDate;
    return isOwned ? undefined : "is";
  }
  if (PAST.test(next.text) && !hasTag(next, "Adjective"))
    return isLast || AFTER_PARTICIPLE.has(behind.normal) ? "has" : undefined;
  return undefined;
}

/** Whether a clause begins after the word, so that "Nora's secretary now" has a subject. */
function isStart(previous: Word | undefined): boolean {
  return previous === undefined || previous.after !== " " || JOINS.has(previous.normal);
}

function split(word: Word, verb: "is" | "has"): Word[] {
  const { after, end, isQuoted } = word;
  const tags = new Set([...word.tags].filter((tag) => tag !== "Possessive"));
  const noun = { ...word, text: word.text.replace(ENDING, ""), contraction: word.text, after: " ", tags };
  const common = { before: "", after, contraction: "", start: end, end, isDate: false, isQuoted };
  return [noun, { ...common, text: verb, normal: verb, tags: verb === "is" ? COPULA : AUXILIARY }];
}

/** "My sister's flat is big": nouns and another form of "be" follow. */
function isOwner(words: Word[], place: number): boolean {
  const word = words[place];
  const verb = words[place + 1];
  if (!ENDING.test(word?.contraction ?? "") || verb === undefined || verb.start !== verb.end) return false;
  if (!hasTag(word, "Noun") || hasTag(word, "Pronoun", "QuestionWord")) return false;
  for (let next = place + 2; next < words.length && next <= place + 2 + MAX_OWNED_WORDS; next++) {
    const each = words[next];
    const isVerb =
      hasTag(each, "Copula", "PastTense") || (hasTag(each, "PresentTense") && !hasTag(each, "Infinitive", "Gerund"));
    if (isVerb && !hasTag(each, "Adjective") && each?.start !== each?.end) return next > place + 2;
    if (!hasTag(each, "Noun", "Adjective") || hasTag(each, "Pronoun", "Possessive") || each?.after !== " ")
      return false;
  }
  return false;
}
