import { setOf } from "../../../../kernel/strings.ts";
import { hasTag } from "../../extraction/tagging.ts";
import { USER } from "../fact.ts";
import { KIN, PROPERTIES, ROLES, slotsByNoun } from "../slots.ts";
import type { Clause } from "./clauses.ts";
import type { Draft } from "./draft.ts";
import { isCompoundPart, isDeterminer, textBetween, trimEdges, type Word, withoutDeterminer } from "./words.ts";

export type Gender = "male" | "female";

/** The person and the thing that a text mentioned last; pronouns refer to them. */
export interface Topic {
  person?: string | undefined;
  /** Gender of this person, as far as name, title or relation says. */
  gender?: Gender | undefined;
  /** Their gender is unknown, and the text mentions others: "she" may be any of them. */
  isOneOfMany?: boolean;
  /** The last man and the last woman whom the text mentioned. */
  male?: string;
  female?: string;
  /** The person whom the sentence before is about, who may be the subject that the next one leaves out. */
  previousPerson?: string | undefined;
  /** One person whom "they" means, because the text mentions nobody else: "The user lives here and they like it". */
  they?: Subject | undefined;
  thing?: string | undefined;
  /** The property that the sentence has changed so far: "rotated the password, it's …". */
  property?: Subject | undefined;
  /** The last thing that was said to take place at a time. */
  event?: string | undefined;
  /** The last value that was stated of a slot with one value at a time. */
  stated?: Draft | undefined;
  /** The language of the last sentence in another language than English. */
  language?: string | undefined;
  /** A person who is moving to a destination that is not stated yet. */
  mover?: string | undefined;
}

export interface Speaker {
  /** USER, "assistant" or a name. */
  name: string;
  /** Names that others use for the user, in lower case: the full name and its first part. */
  userNames?: ReadonlySet<string>;
  topic: Topic;
}

/** The subject of a clause: a person, a thing, or a property of one. */
export interface Subject {
  name: string;
  /** "port_of route-planner", "favourite_colour". */
  property?: string;
  /** The relation of a person to the speaker: "sister". */
  kin?: string;
  /** Only the relation is stated, not the name: "my sister". */
  isUnnamed?: boolean;
  isPerson: boolean;
  /** For a thing: the name of its owner. */
  owner?: string;
  /** A thing of the speaker: "my gym". */
  isOwned?: boolean;
  /** The tagger knows the name, so "he" and "she" may refer to it. */
  isKnown?: boolean;
  gender?: Gender | undefined;
  /** A person by their role: "the landlord". */
  isActor?: boolean;
  /** Several things, which "it" does not mean. */
  isPlural?: boolean;
}

/** Whether a word is another person's "I" or "my", because it is quoted. */
export function isOthersWord({ normal, isQuoted }: Word): boolean {
  return isQuoted && (FIRST_PERSON.has(normal) || FIRST_PERSON_POSSESSIVES.has(normal));
}

const FIRST_PERSON = setOf("i we me us myself ourselves");
const FIRST_PERSON_POSSESSIVES = setOf("my our mine ours");
const PERSON_PRONOUNS = setOf("he she him her his");
const THING_PRONOUNS = setOf("it that this its");
const NOMINATIVES = setOf("he she they it");
/** Possessives that refer to a person or thing mentioned before. */
export const THIRD_PERSON_POSSESSIVES = setOf("her his their its");
/** Things that people own one of at a time, with the slot. */
const OWNED = slotsByNoun({ drives: "car van bike motorbike scooter" });
const UNCLEAR = setOf(
  "there you your someone somebody everyone everybody anyone nobody nothing something everything who what which one ones they whether how why because if unless those these all none here",
);
const QUALITIES = setOf("new old current main other latest monthly next former second first own real actual");
/** Prepositions between a property and what it belongs to: "the rent on the shop". */
const OF_WHAT = setOf("of for on");
/** Prepositions between such a property and its place: "the rent at the shop". */
const WHERE = setOf("at in");
const AT_PLACES = setOf("rent price cost fee salary budget temperature rate capacity");
export const MOMENTS = setOf("moment time end start beginning minute morning evening meantime");
/** Words after a property that name its form: "phone number" means the phone. */
const FORMS = setOf("number address id name code");
/** Names of properties in slots, by their synonyms. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mobile: "phone",
    "e-mail": "email",
    mail: "email",
    colour: "color",
    flavour: "flavor",
    dosage: "dose",
    combination: "code",
    pin: "code",
    passcode: "code",
    cost: "price",
    fee: "price",
    advisor: "supervisor",
    rota: "schedule",
    shift: "schedule",
    ownership: "owner",
  }),
);
const MAX_SUBJECT_WORDS = 7;
export const POSSESSIVE = /['’]s?$/;

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

/** Returns whom "he" or "she" means: the person mentioned last, or the last one of the pronoun's gender. */
function personMeant(pronoun: string, topic: Topic): Subject | undefined {
  const gender = FEMININE.has(pronoun) ? "female" : "male";
  const isUnsure = topic.gender === undefined && topic.isOneOfMany === true;
  const name = !isUnsure && (topic.gender ?? gender) === gender ? topic.person : topic[gender];
  return name === undefined || name.includes(" and ") ? undefined : { name, isPerson: true, isKnown: true, gender };
}

/** Remembers a person to whom later pronouns refer. */
export function rememberPerson(topic: Topic, name: string | undefined, gender: Gender | undefined): void {
  const isAnother = "person" in topic && (name === undefined || name !== topic.person);
  topic.isOneOfMany = gender === undefined && (isAnother || topic.isOneOfMany === true);
  topic.gender = gender;
  topic.person = name;
  if (gender !== undefined && name !== undefined) topic[gender] = name;
}

const FEMININE = setOf("she her hers");

/** Returns the gender that a person's name, title or relation says. */
export function genderOf(words: Word[]): Gender | undefined {
  const genders = words.map((word) =>
    hasTag(word, "FemaleName") || WOMEN.has(word.normal)
      ? "female"
      : hasTag(word, "MaleName") || MEN.has(word.normal)
        ? "male"
        : undefined,
  );
  return genders.find((gender) => gender !== undefined);
}

const WOMEN = setOf(
  "woman lady girl mrs ms miss frau sra señora madame wife girlfriend fiancée daughter sister mother mum mom niece aunt grandmother",
);
const MEN = setOf(
  "man lad boy guy bloke mr herr sr señor monsieur husband boyfriend fiancé son brother father dad nephew uncle grandfather",
);

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

/** Remembers the person whom "they" means after a clause; forgets it if the clause mentions others. */
export function rememberThey(topic: Topic, { subject: phrase, words }: Clause, subject: Subject | undefined): void {
  const isPronoun = phrase.length === 1 && hasTag(phrase[0], "Pronoun");
  // A capital letter may only start the sentence: "Heart is fine. They raised the dose."
  const isOne =
    subject?.isPerson === true &&
    (subject.isKnown === true || subject.name === USER) &&
    !phrase.some(({ normal }) => normal === "and" || FIRST_PERSON.has(normal));
  if (words.some((word) => !phrase.includes(word) && mayBeThey(word))) topic.they = undefined;
  else if (!isPronoun && phrase.length > 0) topic.they = isOne ? subject : undefined;
}

/** Whether "they" may mean the word: several things or people, an organization, or another name. */
function mayBeThey(word: Word): boolean {
  if (hasTag(word, "Plural", "Organization", "Person") || GROUPS.has(word.normal)) return !word.isDate;
  return /^\p{Lu}/u.test(word.text) && hasTag(word, "ProperNoun") && !hasTag(word, "Place") && !word.isDate;
}

const GROUPS = setOf("team company family band couple staff crew board council government firm people");

function namedSubject(words: Word[], text: string, speaker: string): Subject | undefined {
  const [first] = words;
  const phrase = withoutDeterminer(words);
  if (!phrase.some((word) => hasTag(word, "Noun", "Acronym", "Value", "Gerund") || /^\p{Lu}/u.test(word.text)))
    return undefined;
  if (phrase.some((word) => FIRST_PERSON.has(word.normal) || UNCLEAR.has(word.normal))) return undefined;
  const isVerb = (word: Word) =>
    hasTag(word, "Verb") && !hasTag(word, "Gerund", "Noun") && !/^\p{Lu}/u.test(word.text) && !isCompoundPart(word);
  if (phrase.some(isVerb)) return undefined;
  const isOwn = FIRST_PERSON_POSSESSIVES.has(first?.normal ?? "");
  const kin = phrase.find(
    // "My sister-in-law Maureen" is no sister.
    (word, index) => KIN.has(word.normal) && !isOwner(word, phrase[index + 1]) && !isCompoundPart(word),
  );
  // "Singing is on Mondays": its capital letter starts the sentence.
  const isActivity = phrase.length === 1 && phrase[0]?.start === 0 && hasTag(phrase[0], "Gerund");
  const names = isActivity ? [] : phrase.filter((word) => hasTag(word, "Person") || /^\p{Lu}/u.test(word.text));
  const ownsThing = phrase.some((word, index) => POSSESSIVE.test(word.text) && index < phrase.length - 1);
  if (isOwn && kin !== undefined && !ownsThing) {
    const place = phrase.findIndex((word, index) => index > 0 && hasTag(word, "Preposition"));
    const end = phrase[place]?.start ?? Number.POSITIVE_INFINITY;
    const ownNames = names.filter(({ start }) => start < end);
    const own = ownNames.length > 0 ? textBetween(text, ownNames).replace(/['’]s$/, "") : undefined;
    const called = speaker === USER ? kin.normal : `${speaker}'s ${kin.normal}`;
    const gender = genderOf(phrase);
    return {
      name: own ?? called,
      isPerson: true,
      isKnown: true,
      gender,
      kin: kin.normal,
      isUnnamed: own === undefined,
    };
  }
  const isKnown = names.some((word) => hasTag(word, "Person"));
  const isPerson =
    names.length > 0 &&
    (!isOwn || isKnown) &&
    phrase.every((word) => hasTag(word, "Person", "Honorific", "Conjunction") || /^\p{Lu}/u.test(word.text));
  const called = textBetween(text, phrase).replace(/['’]s$/, "");
  const isOther = phrase.some((word) => hasTag(word, "Place", "Organization"));
  const possessor = isPerson ? undefined : phrase.find((word) => hasTag(word, "Person") && POSSESSIVE.test(word.text));
  const owner = possessor === undefined ? {} : { owner: possessor.text.replace(POSSESSIVE, "") };
  const isActor = !isPerson && (hasTag(phrase.at(-1), "Actor") || ROLES.has(phrase.at(-1)?.normal ?? ""));
  return called === ""
    ? undefined
    : {
        name: called,
        isPerson: isPerson && !isOther,
        isKnown,
        gender: genderOf(isActor ? phrase.slice(-1) : names),
        isActor,
        isOwned: isOwn,
        isPlural: hasTag(phrase.at(-1), "Plural"),
        ...owner,
      };
}

/** Returns the property that words name: "my favourite colour", "the port of route-planner", "locker code". */
export function propertyOf(words: Word[], text: string, speaker: Speaker): Subject | undefined {
  const of = words.findIndex(
    ({ normal }, index) =>
      isProperty(words[index - 1]) &&
      (OF_WHAT.has(normal) ||
        (WHERE.has(normal) && AT_PLACES.has(words[index - 1]?.normal ?? "") && isPlace(words, index + 1))),
  );
  if (of !== -1) return propertyOfThing(words[of - 1], words.slice(of + 1), text, speaker);
  const last = words.at(-1);
  const owner = words.findIndex(
    (word) => hasTag(word, "Possessive") && !hasTag(word, "Pronoun") && /['’]s?$/.test(word.text),
  );
  const own = FIRST_PERSON_POSSESSIVES.has(words[0]?.normal ?? "");
  const favourite = words.findIndex(({ normal }) => normal === "favourite" || normal === "favorite");
  if (last === undefined) return undefined;
  const possessor = owner !== -1 ? nameOf(words.slice(0, owner + 1), text) : own ? speaker.name : undefined;
  if (favourite !== -1 && favourite < words.length - 1 && possessor !== undefined) {
    if (words[favourite + 1]?.normal === "one") return undefined;
    const kind = words.slice(favourite + 1).map(({ normal }) => SYNONYMS.get(normal) ?? normal);
    return { name: possessor, property: `favourite_${kind.join("_")}`, isPerson: false };
  }
  const owned = own && words.length === 2 ? OWNED.get(last.normal) : undefined;
  if (owned !== undefined) return { name: speaker.name, property: owned, isPerson: false };
  if (!isProperty(last)) return undefined;
  const between = words
    .slice(owner !== -1 ? owner + 1 : 0, -1)
    .filter(
      (word) => !isDeterminer(word) && !QUALITIES.has(word.normal) && !(isProperty(word) && FORMS.has(last.normal)),
    );
  if (between.some((word) => hasTag(word, "Preposition", "Copula"))) return undefined;
  if (last.normal === "name" && between.length === 1 && between[0]?.normal === USER)
    return { name: possessor ?? speaker.name, property: "username", isPerson: false };
  if (between.length === 0 && owner > 0 && isThing(words.slice(0, owner + 1)))
    return {
      name: owning(possessor ?? "", speaker),
      property: `${propertyName(words)}_of ${possessor}`,
      isPerson: false,
    };
  if (between.length > 0) return propertyOfThing(last, between, text, speaker, possessor);
  if (possessor !== undefined) return { name: possessor, property: propertyName(words), isPerson: false };
  const thing = speaker.topic.thing;
  return thing === undefined || ROLES.has(thing.toLowerCase())
    ? { name: speaker.name, property: propertyName(words), isPerson: false }
    : { name: owning(thing, speaker), property: `${propertyName(words)}_of ${thing}`, isPerson: false };
}

/** Whether a word owns the next one: "my sister's flat" is about the flat. */
function isOwner({ text }: Word, next: Word | undefined): boolean {
  return POSSESSIVE.test(text) && next !== undefined;
}

/** Whether a place begins at an index: "the shop", but not "the moment". */
function isPlace(words: Word[], from: number): boolean {
  return isDeterminer(words[from]) && from < words.length - 1 && !MOMENTS.has(words.at(-1)?.normal ?? "");
}

/** Whether the owner of a property is a thing, not a person: "The shop's". */
function isThing(words: Word[]): boolean {
  return withoutDeterminer(words).every(
    (word) =>
      /^\p{Ll}/u.test(word.text) && !hasTag(word, "Person", "Pronoun", "Actor") && !KIN.has(withoutPossessive(word)),
  );
}

function withoutPossessive({ normal }: Word): string {
  return normal.replace(POSSESSIVE, "");
}

function propertyOfThing(
  property: Word | undefined,
  words: Word[],
  text: string,
  speaker: Speaker,
  possessor?: string,
): Subject | undefined {
  const named = textBetween(text, withoutDeterminer(words));
  const isCommon = words[0]?.start === 0 && !words.some((word) => hasTag(word, "ProperNoun", "Acronym"));
  const thing = isCommon ? named.charAt(0).toLowerCase() + named.slice(1) : named;
  if (property === undefined || thing === "") return undefined;
  const own = FIRST_PERSON_POSSESSIVES.has(words[0]?.normal ?? "") ? speaker.name : undefined;
  const attribute = `${SYNONYMS.get(property.normal) ?? property.normal}_of ${thing}`;
  return { name: possessor ?? own ?? owning(thing, speaker), property: attribute, isPerson: false };
}

/** Returns the subject of a thing's slots: USER if the user speaks of a thing without a name, otherwise the thing. */
export function owning(thing: string, { name }: Speaker): string {
  return name !== USER || /[\p{Lu}\d_-]/u.test(thing) ? thing : USER;
}

/** Returns the slot of a thing's property, with its subject. */
export function slotOfThing(property: string, thing: string, speaker: Speaker) {
  return { subject: owning(thing, speaker), attribute: `${property}_of ${thing}` };
}

export function isProperty(word: Word | undefined): boolean {
  return word !== undefined && (PROPERTIES.has(word.normal) || word.normal === "ownership") && !hasTag(word, "Copula");
}

/** Returns the name of a property in slots: "phone" for "phone number", "email" for "email address". */
export function propertyName(words: Word[]): string {
  const property = words.find(isProperty);
  const name = property?.normal ?? "";
  return SYNONYMS.get(name) ?? name;
}

function nameOf(words: Word[], text: string): string {
  return textBetween(text, withoutDeterminer(words)).replace(/['’]s?$/, "");
}
