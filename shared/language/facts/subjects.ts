import { setOf } from "../../kernel/strings.ts";
import { USER } from "../slots/fact.ts";
import { KIN, ROLES } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import { genderOf, personMeant } from "./pronouns.ts";
import { isProperty, propertyName, propertyOf } from "./properties.ts";
import { FIRST_PERSON, FIRST_PERSON_POSSESSIVES, POSSESSIVE, type Speaker, type Subject, type Topic } from "./topic.ts";
import { isCompoundPart, textBetween, trimEdges, type Word, withoutDeterminer } from "./words.ts";

/** Whether a word is another person's "I" or "my", because it is quoted. */
function isOthersWord({ normal, isQuoted }: Word): boolean {
  return isQuoted && (FIRST_PERSON.has(normal) || FIRST_PERSON_POSSESSIVES.has(normal));
}

const PERSON_PRONOUNS = setOf("he she him her his");
const THING_PRONOUNS = setOf("it that this its");
const NOMINATIVES = setOf("he she they it");
/** Possessives that refer to a person or thing mentioned before. */
export const THIRD_PERSON_POSSESSIVES = setOf("her his their its");
const UNCLEAR = setOf(
  "there you your someone somebody everyone everybody anyone nobody nothing something everything who what which one ones they whether how why because if unless those these all none here",
);
const MAX_SUBJECT_WORDS = 7;

/** Returns the subject of a phrase, or undefined if the words do not identify one. */
export function subjectOf(phrase: Word[], text: string, speaker: Speaker): Subject | undefined {
  const { name, topic, userNames } = speaker;
  const words = trimEdges(phrase);
  const [first] = words;
  if (first === undefined || words.length > MAX_SUBJECT_WORDS) return undefined;
  if (words.some(isOthersWord)) return undefined;
  if (words.length === 1) {
    if (FIRST_PERSON_POSSESSIVES.has(first.normal)) return undefined;
    if (FIRST_PERSON.has(first.normal)) return { name, isPerson: true };
    if (first.normal === "they") return topic.they;
    if (PERSON_PRONOUNS.has(first.normal)) return personMeant(first.normal, topic);
    if (first.normal === "it" && topic.property !== undefined) return topic.property;
    if (THING_PRONOUNS.has(first.normal))
      return topic.thing === undefined ? undefined : { name: topic.thing, isPerson: false };
  }
  if (words.at(-1)?.normal === "i" && words.at(-2)?.normal === "and") return { name, isPerson: true };
  if (UNCLEAR.has(first.normal) || hasTag(first, "Preposition", "QuestionWord")) return undefined;
  // "He and Yusuf", "a year later than Keith", lines of a list.
  if (words.some(({ normal, after }) => normal === "than" || NOMINATIVES.has(normal) || after.includes("\n")))
    return undefined;
  if (THIRD_PERSON_POSSESSIVES.has(first.normal)) return propertyOfTopic(words, topic);
  const found = propertyOf(words, text, speaker) ?? namedSubject(words, text, name);
  if (found?.name.toLowerCase() === USER && name === USER)
    return { ...found, name, isPerson: found.property === undefined };
  const isUser = found !== undefined && userNames?.has(found.name.toLowerCase()) === true;
  return isUser && (found.isPerson || found.property !== undefined) ? { ...found, name: USER } : found;
}

/** Returns a property of the person or thing mentioned last ("her name"); undefined if there is none. */
function propertyOfTopic(words: Word[], topic: Topic): Subject | undefined {
  const [{ normal } = { normal: "" }] = words;
  const person = normal === "their" ? topic.they : personMeant(normal, topic);
  const whose = normal === "its" ? topic.thing : person?.name;
  const isOnlyProperty = words.length === 2 && isProperty(words[1]);
  return whose === undefined || !isOnlyProperty
    ? undefined
    : { name: whose, property: propertyName(words), isPerson: false };
}

function namedSubject(words: Word[], text: string, speaker: string): Subject | undefined {
  const phrase = withoutDeterminer(words);
  if (!mayBeSubject(phrase)) return undefined;
  const isOwn = FIRST_PERSON_POSSESSIVES.has(words[0]?.normal ?? "");
  // "Singing is on Mondays": its capital letter starts the sentence.
  const isActivity = phrase.length === 1 && phrase[0]?.start === 0 && hasTag(phrase[0], "Gerund");
  const names = isActivity ? [] : phrase.filter((word) => hasTag(word, "Person") || isCapitalized(word));
  const ownsThing = phrase.some((word, index) => POSSESSIVE.test(word.text) && index < phrase.length - 1);
  const kin = phrase.find(
    // "My sister-in-law Maureen" is no sister.
    (word, index) => KIN.has(word.normal) && !isOwner(word, phrase[index + 1]) && !isCompoundPart(word),
  );
  if (isOwn && kin !== undefined && !ownsThing) return kinSubject(kin, phrase, names, text, speaker);
  return thingOrPerson(phrase, names, text, isOwn);
}

const isCapitalized = ({ text }: Word): boolean => /^\p{Lu}/u.test(text);

/** Whether a phrase names something, and contains neither the speaker nor a verb. */
function mayBeSubject(phrase: Word[]): boolean {
  const isVerb = (word: Word) =>
    hasTag(word, "Verb") && !hasTag(word, "Gerund", "Noun") && !isCapitalized(word) && !isCompoundPart(word);
  return (
    phrase.some((word) => hasTag(word, "Noun", "Acronym", "Value", "Gerund") || isCapitalized(word)) &&
    !phrase.some((word) => FIRST_PERSON.has(word.normal) || UNCLEAR.has(word.normal) || isVerb(word))
  );
}

/** "My sister Ann": the name, or without one "sister". */
function kinSubject(kin: Word, phrase: Word[], names: Word[], text: string, speaker: string): Subject {
  const preposition = phrase.findIndex((word, index) => index > 0 && hasTag(word, "Preposition"));
  const end = phrase[preposition]?.start ?? Number.POSITIVE_INFINITY;
  const ownNames = names.filter(({ start }) => start < end);
  const own = ownNames.length > 0 ? textBetween(text, ownNames).replace(/['’]s$/, "") : undefined;
  const called = speaker === USER ? kin.normal : `${speaker}'s ${kin.normal}`;
  return {
    ...{ name: own ?? called, isPerson: true, isKnown: true },
    ...{ gender: genderOf(phrase), kin: kin.normal, isUnnamed: own === undefined },
  };
}

function thingOrPerson(phrase: Word[], names: Word[], text: string, isOwned: boolean): Subject | undefined {
  const name = textBetween(text, phrase).replace(/['’]s$/, "");
  if (name === "") return undefined;
  const isKnown = names.some((word) => hasTag(word, "Person"));
  const isPerson =
    names.length > 0 &&
    (!isOwned || isKnown) &&
    phrase.every((word) => hasTag(word, "Person", "Honorific", "Conjunction") || isCapitalized(word));
  const isOther = phrase.some((word) => hasTag(word, "Place", "Organization"));
  const possessor = isPerson ? undefined : phrase.find((word) => hasTag(word, "Person") && POSSESSIVE.test(word.text));
  const last = phrase.at(-1);
  const isActor = !isPerson && (hasTag(last, "Actor") || ROLES.has(last?.normal ?? ""));
  return {
    ...{ name, isPerson: isPerson && !isOther, isKnown, isActor, isOwned },
    gender: genderOf(isActor ? phrase.slice(-1) : names),
    isPlural: hasTag(last, "Plural"),
    ...(possessor !== undefined && { owner: possessor.text.replace(POSSESSIVE, "") }),
  };
}

/** Whether a word owns the next one: "my sister's flat" is about the flat. */
function isOwner({ text }: Word, next: Word | undefined): boolean {
  return POSSESSIVE.test(text) && next !== undefined;
}
