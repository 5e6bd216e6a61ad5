import { setOf } from "../../kernel/strings.ts";
import { KIN, OCCUPATIONS, PREDICATE_SLOTS, type PredicateSlot, slotOfKind } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import { CONFIDENCE, type Draft, type DraftInput, draftOf } from "./draft.ts";
import { readIsKin } from "./kin.ts";
import { isMedicine } from "./medicines.ts";
import { isNamed } from "./phrases.ts";
import { slotOfThing } from "./properties.ts";
import { type Quantity, quantityOf } from "./quantities.ts";
import { readRole } from "./roles.ts";
import { isPastAction } from "./tense.ts";
import type { Speaker, Subject } from "./topic.ts";
import { onwards, type Validity } from "./validity.ts";
import type { Said } from "./verb-slots.ts";
import { textBetween, trimEdges, upToAside, upToComma, type Word, withoutAdverbs, withoutDeterminer } from "./words.ts";

interface Opening extends Omit<PredicateSlot, "opens"> {
  words: string[];
}

const OPENINGS: Opening[] = PREDICATE_SLOTS.flatMap(({ opens, ...slot }) =>
  opens.split("|").map((words) => ({ ...slot, words: words.split(" ") })),
).sort((one, other) => other.words.length - one.words.length);

/** What a form of "be" says, without what it contrasts, and what all of its facts share. */
interface Stated {
  said: Said;
  subject: Subject;
  kept: Word[];
  value: string;
  common: Omit<DraftInput, "attribute" | "value"> & { validity: Validity };
}

/** Returns what a form of "be" says about its subject: the value of a property or of a slot. */
export function readCopula(said: Said, subject: Subject): Draft[] {
  const born = said.predicate.words[0]?.normal === "born" ? readParticiple(said, said.predicate.words) : undefined;
  if (born !== undefined) return [born];
  if (said.group.isHypothetical) return [];
  const words = (subject.property === undefined ? trimEdges : withoutAdverbs)(withoutEnding(said.predicate.words));
  if (words.length === 0) return [];
  const { kept, replaces } = withoutContrast(upToAside(words), said.text);
  const isCorrection = replaces !== undefined && kept.length > 0;
  const act = said.group.isNegated || said.group.isOver ? "end" : isCorrection ? "correct" : "state";
  const value = textBetween(said.text, subject.property === undefined ? trimEdges(kept) : withoutAdverbs(kept));
  const common = { subject: subject.name, act, validity: timeOf(said), ...(isCorrection && { replaces }) } as const;
  if (subject.property !== undefined) return readProperty(subject.property, kept, value, said, common);
  const stated = { said, subject, kept, value, common };
  return readIdentity(stated) ?? readMeasure(stated) ?? readRelation(stated) ?? readOpening(stated) ?? [];
}

function timeOf(said: Said): Validity {
  const { group, predicate, validity, day, isAhead } = said;
  if (isPastAction(group, predicate)) return { ...validity, to: validity.to ?? day };
  if (!validity.isOpenEnded && !isAhead) return { ...validity, from: undefined };
  return { ...validity, to: validity.isOpenEnded || isOnDay(said) ? validity.to : undefined };
}

/** Returns whose relative a name is, an age or the speaker's name. */
function readIdentity({ said, subject, kept, value, common }: Stated): Draft[] | undefined {
  const kin =
    subject.isUnnamed &&
    isNamed(kept) &&
    !hasTag(kept[0], "Preposition", "Demonym", "Adjective", "Place", "Organization", "Actor")
      ? KIN.get(subject.kin ?? "")
      : undefined;
  if (kin !== undefined)
    return [draftOf({ ...common, subject: said.speaker.name, attribute: kin, value: `${value} (${subject.kin})` })];
  const age = (AGE.exec(value) ?? (said.mayBeThing || said.isGroup ? undefined : BARE_AGE.exec(value)))?.[1];
  if (age !== undefined) return [draftOf({ ...common, attribute: "age", value: age })];
  const named = upToPreposition(upToComma(kept));
  return isOwnName(said, named)
    ? [draftOf({ ...common, attribute: "name", value: textBetween(said.text, named) })]
    : undefined;
}

/** Returns a price, a port, a schedule, a quantity or the place of a thing. */
function readMeasure({ said, subject, kept, value, common }: Stated): Draft[] | undefined {
  const ofThing = (property: string, thing: string, found: string) => [
    draftOf({ ...common, ...slotOfThing(property, thing, said.speaker), value: found }),
  ];
  const price = readPrice(kept, said.text, said.speaker, common.validity);
  if (price !== undefined) return [price];
  const port = !said.mayBeThing ? undefined : PORT.exec(value)?.[1];
  if (port !== undefined) return ofThing("port", subject.name, port);
  if (said.mayBeThing && SCHEDULE.test(value)) return ofThing("schedule", subject.name, value);
  const { quantity, thing } = readQuantity(kept, said);
  if (!said.mayBeThing && quantity?.measure === "weight")
    return [draftOf({ ...common, attribute: quantity.measure, value: quantity.value })];
  if (said.mayBeThing && quantity !== undefined && !(said.isPronoun && quantity.measure === "number")) {
    const measure = quantity.measure === "number" && isMedicine(thing) ? "dose" : quantity.measure;
    return ofThing(measure, measure === "dose" ? thing.toLowerCase() : thing, quantity.value);
  }
  const place = said.isPerson || said.group.isNegated ? undefined : PLACE.exec(value)?.[0];
  return place === undefined ? undefined : ofThing("location", subject.name, value);
}

/** Returns a role, a relative, or what something of the speaker's own is called. */
function readRelation({ said, subject, kept, value, common }: Stated): Draft[] | undefined {
  const role = readRole(said, kept) ?? readIsKin(said, kept);
  if (role !== undefined) return [role];
  if (!isNameOfOwned(subject, kept) && !(common.act === "state" && isHolderOfRole(subject, kept))) return undefined;
  const attribute = slotOfOwned(subject.name, value);
  return [draftOf({ ...common, subject: said.speaker.name, attribute, value, cardinality: "single" })];
}

/** Returns the value of the slot that the first words open. */
function readOpening({ said, subject, kept, common }: Stated): Draft[] | undefined {
  const slot = OPENINGS.find((opening) => opensWith(opening, kept) && fits(opening, kept, said));
  if (slot === undefined) return undefined;
  const behind = slot.followsOpening ? trimEdges(kept.slice(slot.words.length)) : kept;
  if (slot.slot === "works_as") {
    const value = textBetween(said.text, withoutDeterminer(upToPreposition(behind)));
    return [draftOf({ ...common, attribute: slot.slot, value }), ...employerIn(behind, said, common)];
  }
  const isOfThing = slot.slot === "location" && !said.isPerson;
  const target = isOfThing ? slotOfThing("location", subject.name, said.speaker) : { attribute: slot.slot };
  return [draftOf({ ...common, ...target, value: textBetween(said.text, behind) })];
}

/**
 * Returns the value of a property, its place ("the password is on the fridge") or its condition. "700, heating included"
 * is the amount 700.
 */
function readProperty(
  property: string,
  words: Word[],
  value: string,
  { text, predicate, speaker }: Said,
  common: Omit<DraftInput, "attribute" | "value">,
): Draft[] {
  if (value === "" || isAim(words) || words[0]?.normal === "from") return [];
  // "My job is at the port"
  if (property === "works_as" && words[0]?.normal === "at" && words.length > 1)
    return [draftOf({ ...common, attribute: "works_at", value: textBetween(text, withoutDeterminer(words.slice(1))) })];
  const kind = KIND_BY_PROPERTY.get(property);
  if (kind !== undefined && slotOfKind(value) === kind) return [draftOf({ ...common, attribute: kind, value })];
  const isTimed = words.some((word) => word.isDate || hasTag(word, "Value"));
  if (PLACE.test(value) && !isTimed)
    return [draftOf({ ...common, ...slotOfThing("location", thingOf(property), speaker), value })];
  if (isCondition(property, trimEdges(words))) return [];
  const quantity = quantityOf(upToComma(words), text);
  const isAmount = quantity?.measure !== "number" || property.startsWith("dose_of ");
  const dated = new Set(predicate.words.filter(({ isDate }) => isDate).map(({ start }) => start));
  const isDate = words.every(({ start }) => dated.has(start));
  const stated = {
    attribute: property,
    value: (isAmount ? quantity?.value : undefined) ?? value,
    confidence: CONFIDENCE.property,
  };
  return [draftOf({ ...common, ...stated, ...(isDate && { validity: { isOpenEnded: false } }) })];
}

/** Properties whose value may be of a kind with a slot of its own: a phone is a number or a model. */
const KIND_BY_PROPERTY = new Map([["phone", "phone_model"]]);

/** "The theatre is closed on 5 May": only on the day that it names, which is a day to come. */
function isOnDay({ predicate: { words, phrases } }: Said): boolean {
  return phrases.some(({ preposition, start, end }) => preposition === "on" && words.slice(start, end).some(isDay));
}

function isDay({ isDate, text }: Word): boolean {
  return isDate && /^\d/u.test(text);
}

/** "Daniel Weber" of "Daniel Weber from Helio GmbH" */
function upToPreposition(words: Word[]): Word[] {
  const end = words.findIndex((word, index) => index > 0 && PLACING.has(word.normal));
  return end === -1 ? words : words.slice(0, end);
}

const PLACING = setOf("at for from in with");

/** "I'm Judith", "I'm Joss, sound engineer", but not "I'm Swiss" or "I'm Ada's neighbour". */
function isOwnName({ subject, speaker, group, isAhead }: Said, words: Word[]): boolean {
  const isName = words.every((word) => hasTag(word, "FirstName", "LastName") && /^\p{Lu}[\p{L}-]*$/u.test(word.text));
  return subject === speaker.name && isName && !group.isNegated && group.tense === "present" && !isAhead;
}

/** "My gym is Fit4U": the thing is known by its owner and its kind, and has one name at a time. */
function isNameOfOwned({ isOwned, name }: Subject, words: Word[]): boolean {
  const [first, ...others] = withoutDeterminer(words);
  return (
    (isOwned === true || name.toLowerCase() === "home") &&
    /\p{Ll}/u.test(name.split(" ").at(-1)?.charAt(0) ?? "") &&
    (/^[\p{Lu}\d]/u.test(first?.text ?? "") || (others.length === 0 && isWordOfItsOwn(first))) &&
    !hasTag(first, "Demonym", "Pronoun", "Preposition")
  );
}

/** Whether a single word may be a name in small letters: a handle, not an adjective, a verb or a noun of the language. */
function isWordOfItsOwn(word: Word | undefined): boolean {
  return word !== undefined && /[\d_@.]|^\p{Ll}+\p{Lu}/u.test(word.text);
}

/** "The drummer is Piotr": who it is for the speaker. */
function isHolderOfRole({ name, isPerson }: Subject, words: Word[]): boolean {
  const isRole = !isPerson && /^\p{Ll}[\p{L}-]*$/u.test(name.replace(SUCCESSION, ""));
  return isRole && words.length > 0 && words.every((word) => hasTag(word, "FirstName", "LastName", "Honorific"));
}

/** Returns the slot of a thing that somebody has: "gym", "computer" for "my main laptop is a Framework 13". */
function slotOfOwned(name: string, value: string): string {
  const noun = name.toLowerCase().replace(SUCCESSION, "").replaceAll(" ", "_");
  return slotOfKind(value) ?? (noun === "plan" ? "subscription" : noun === "home" ? "lives_in" : noun);
}

/** "The new drummer" takes the role of the drummer before. */
const SUCCESSION = /^(?:new|current|next) /;

/** What a property may be without having it as its value: "the rent is due". */
const CONDITIONS = setOf(
  "back off gone over due dead down up out late ready fine ok okay good bad great wrong right missing broken",
);

/** "The house rule is back": the condition of a property, not its value. */
function isCondition(property: string, [first, ...rest]: Word[]): boolean {
  return rest.length === 0 && CONDITIONS.has(first?.normal ?? "") && !property.startsWith("status");
}

/** "password", "locker code": the thing that a property names. */
function thingOf(property: string): string {
  const [noun = "", thing] = property.split("_of ");
  return thing === undefined ? noun : `${thing} ${noun}`;
}

/** "Retention is 90 days for raw events": a quantity, and the thing that it measures. */
function readQuantity(words: Word[], { text, subject }: Said): { quantity: Quantity | undefined; thing: string } {
  const whole = upToComma(words);
  const of = whole.findIndex(({ normal }) => normal === "for");
  const behind = of === -1 ? [] : trimEdges(withoutDeterminer(whole.slice(of + 1)));
  const isOf = behind.length > 0 && !behind.some((word) => word.isDate || hasTag(word, "Value", "Pronoun"));
  const thing = isOf ? `${subject} of ${textBetween(text, behind)}` : subject;
  return { quantity: quantityOf(isOf ? whole.slice(0, of) : whole, text), thing };
}

/** "to get people involved" is an aim, not a value that a later value replaces. */
function isAim([first, second]: Word[]): boolean {
  return first?.normal === "to" && hasTag(second, "Infinitive");
}

/** Removes "no longer" and "not" at the start, because the verb group already includes them. */
function withoutEnding(words: Word[]): Word[] {
  const start = words.findIndex(({ normal }) => !ENDING.has(normal));
  return words.slice(Math.max(0, start));
}

const ENDING = setOf("no longer not");

/** "59 per greenhouse" is the price of a greenhouse, whatever "it" refers to. */
export function readPrice(words: Word[], text: string, speaker: Speaker, validity: Validity): Draft | undefined {
  const [value, thing] = PRICE.exec(textBetween(text, trimEdges(words))) ?? [];
  if (value === undefined || thing === undefined) return undefined;
  const began = { ...validity, to: validity.isOpenEnded ? validity.to : undefined };
  return draftOf({ ...slotOfThing("price", thing, speaker), value, act: "state", validity: began });
}

const PRICE =
  /^[^\d\s]{0,3}\d[\d.,]* ?(?:(?!an? |per |each )[^\d\s]{1,8} )?(?:per|each|an?) (?!(?:year|month|week|day|night|hour|minute|second|half|bit|lot|user|person|head|seat|adult|child|or|and|but|now|for|in|on|at|to|with|from)\b)(\p{L}{2,20})(?: (?:per|an?) \p{L}+)?/u;

/** "engaged to Piotr", "allergic to nuts", "born in 1990" after a form of "be". */
export function readParticiple(said: Said, words: Word[]): Draft | undefined {
  const slot = OPENINGS.find((opening) => opensWith(opening, words) && fits(opening, words, said));
  if (slot === undefined || (slot.slot === "name" && said.isGroup)) return undefined;
  if (said.group.isNegated || said.group.isOver) return endOfParticiple(slot, words, said);
  // "We're getting married": not yet.
  if (said.group.isAhead) {
    const value = textBetween(said.text, trimEdges(words));
    return draftOf({
      subject: said.subject,
      attribute: "plan",
      value: `get ${value}`,
      act: "plan",
      confidence: CONFIDENCE.plan,
    });
  }
  const trimmed = slot.slot === "born" ? withoutAdverbs : trimEdges;
  const all = trimmed(slot.followsOpening ? words.slice(slot.words.length) : words);
  const valueWords = slot.slot === "partner" ? upToComma(all) : all;
  const isPast = said.group.tense === "past" && slot.slot !== "born";
  const validity = said.group.isBecoming
    ? onwards(said.validity)
    : isPast
      ? { ...said.validity, to: said.validity.to ?? said.day }
      : { isOpenEnded: false };
  const value = textBetween(said.text, valueWords);
  return draftOf({ subject: said.subject, attribute: slot.slot, value, act: "state", validity });
}

/** "I'm not married", "she's no longer engaged to Ben" */
function endOfParticiple({ slot, words: { length }, followsOpening }: Opening, words: Word[], said: Said): Draft {
  const value = textBetween(said.text, upToComma(trimEdges(upToAside(followsOpening ? words.slice(length) : words))));
  const ended = value.replace(ANY_MORE, "");
  return draftOf({ subject: said.subject, attribute: slot, value: ended, act: "end", validity: said.validity });
}

const ANY_MORE = / any ?(?:more|longer)$/u;

const SCHEDULE = /^(?:at (?:1?\d|2[0-4])(?:[:.]\d{2}| ?[ap]m|$)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/i;
/** "In the dining room", "at example.org", but not "at a delicate stage", "on my list". */
const PLACE =
  /^(?:in|on|at|under|behind|inside) (?!(?:the|my|our|an?) (?:\p{L}+ )?(?:stage|list|way|mend|point|moment|phase|process|middle|hold|time|mood|state|bad|good)\b)(?:(?:the|my|our|a|an|room|\p{Lu})\b|[^\s.\x2f]+[.\x2f]\S+$)/u;
const PORT = /^on (?:port )?(\d{4,5})\b/;
/** "40", "40 at the end of May", "three" */
const BARE_AGE =
  /^(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?= (?:and|on|in|at the|this|next|now|today)\b|,|$)/u;
const AGE = /^(\d{1,3}|eighty|[a-z]{3,9}(?:-[a-z]{3,5})?) years? old\b/i;

/** "a teacher at Hill Primary" also says where. */
function employerIn(words: Word[], { text }: Said, common: Omit<DraftInput, "attribute" | "value">): Draft[] {
  const at = words.findIndex(({ normal }, index) => index > 0 && (normal === "at" || normal === "for"));
  const employer = trimEdges(upToComma(words.slice(at + 1)));
  if (at === -1 || !isNamed(employer)) return [];
  return [draftOf({ ...common, attribute: "works_at", value: textBetween(text, withoutDeterminer(employer)) })];
}

function opensWith({ words }: Opening, predicate: Word[]): boolean {
  return words.every((word, index) => predicate[index]?.normal === word);
}

function fits({ value, words }: Opening, predicate: Word[], { isPerson, text }: Said): boolean {
  const behind = predicate.slice(words.length);
  if (value === undefined) return true;
  if (value === "job") {
    const job = upToPreposition(upToComma(behind));
    const last = job.at(-1);
    const isJob = hasTag(last, "Actor") || OCCUPATIONS.has(last?.normal ?? "");
    return (
      isPerson &&
      job.length < MAX_JOB_WORDS &&
      isJob &&
      !KIN.has(last?.normal ?? "") &&
      !NO_OCCUPATIONS.has(last?.normal ?? "")
    );
  }
  if (value === "place")
    return behind.length > 0 && (hasTag(behind[0], "Place") || /^\p{Lu}\p{Ll}/u.test(behind[0]?.text ?? ""));
  if (value === "name") return isNamed(behind);
  const comma = behind.findIndex(({ after }) => after.includes(","));
  const date = behind.findIndex(({ isDate }) => isDate);
  const ends = [comma === -1 ? behind.length : comma + 1, date === -1 ? behind.length : date];
  return isPerson && value.test(textBetween(text, behind.slice(0, Math.min(...ends))));
}

/** Nouns for people that are not occupations. */
const NO_OCCUPATIONS = setOf("man woman person boy girl guy fan lad lady member leader winner loser beginner owner");
const MAX_JOB_WORDS = 5;

/** "Y, not X": Y is the value and replaces X. "Y instead of X": Y is the value. */
function withoutContrast(words: Word[], text: string): { kept: Word[]; replaces?: string } {
  const not = words.findIndex(
    (word, index) => word.normal === "not" && index > 0 && words[index - 1]?.after.includes(","),
  );
  if (not > 0 && not < words.length - 1)
    return { kept: words.slice(0, not), replaces: textBetween(text, trimEdges(words.slice(not + 1))) };
  const instead = words.findIndex(({ normal }, index) => index > 0 && (normal === "instead" || normal === "rather"));
  return { kept: instead === -1 ? words : words.slice(0, instead) };
}
