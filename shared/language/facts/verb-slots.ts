import { setOf } from "../../kernel/strings.ts";
import { type Act, USER } from "../slots/fact.ts";
import { HOMES, KIND_SLOTS, ROLES, VEHICLES, VERB_SLOTS, type VerbSlot } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import { isBetweenPlaces } from "./changes.ts";
import { finiteVerb } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { isMedicine } from "./medicines.ts";
import { afterPreposition, changedObject, isNamed, objectOf, type Predicate } from "./phrases.ts";
import { MOMENTS, slotOfThing } from "./properties.ts";
import type { Speaker } from "./topic.ts";
import { onwards, type Validity } from "./validity.ts";
import type { Lemmatizer, VerbGroup } from "./verb-group.ts";
import { isDeterminer, textBetween, trimEdges, upToAside, upToComma, type Word, withoutDeterminer } from "./words.ts";

/** A clause: its subject, verb group, predicate and dates. */
export interface Said {
  text: string;
  /** Subject of the clause. */
  subject: string;
  isPerson: boolean;
  /** The subject is "it" or "that". */
  isPronoun: boolean;
  /** The subject is "we". */
  isGroup: boolean;
  /** The subject may be a thing: a capital letter at the start of a sentence does not prove a name. */
  mayBeThing: boolean;
  group: VerbGroup;
  predicate: Predicate;
  validity: Validity;
  /** A date of the clause is later than the statement. */
  isAhead: boolean;
  speaker: Speaker;
  /** The verb group as written. */
  verb: string;
  /** The day on which it was said. */
  day: string | undefined;
  lemmaOf: Lemmatizer;
}

const SLOTS_BY_LEMMA = new Map<string, VerbSlot[]>();
for (const slot of [...KIND_SLOTS, ...VERB_SLOTS]) {
  for (const verb of slot.verbs.split(" ")) {
    const lemma = verb.replace("_", " ");
    SLOTS_BY_LEMMA.set(lemma, [...(SLOTS_BY_LEMMA.get(lemma) ?? []), slot]);
  }
}

/** Returns what a clause says about the slots of its verb, each slot at most once. */
export function readVerbSlots(said: Said): Draft[] {
  const drafts: Draft[] = [];
  const slots = new Set<string>();
  const isOpposite = said.group.isNegated && !said.group.isOver;
  for (const verbSlot of SLOTS_BY_LEMMA.get(said.group.lemma) ?? []) {
    const slot = slotFor(verbSlot, said, isOpposite);
    // "The wedding moved to June": the time of the wedding changes, not a home.
    if (slot.slot === "lives_in" && isThing(said) && said.predicate.words.some(({ isDate }) => isDate)) continue;
    // "I moved from Notion to Obsidian", "went back to Basic": neither is a place.
    if (slot.slot === "lives_in" && slot.effect === "start" && isElsewhere(said)) continue;
    // "I got a job at the airport", not "I got a coffee at the airport".
    if (slot.slot === "works_at" && GETS.has(said.group.lemma) && !hasJob(said.predicate)) continue;
    // "I've joined KPMG", not "I joined Vertigo": only a known organization, unless a role follows.
    if (slot.slot === "works_at" && said.group.lemma === "join" && !joinsEmployer(said.predicate)) continue;
    // "We moved the archive to Rome": the object moves, not a home.
    if (slot.slot === "lives_in" && slot.effect === "start" && movesSomething(said.predicate)) continue;
    // "I started physio with Grace" is no job.
    if (slot.slot === "works_at" && said.group.lemma === "start" && startsSomething(said.predicate)) continue;
    // "I've named it Gustav" names the object; "we're called Wrong Drawer" names a group. Neither names the speaker.
    if (slot.slot === "name" && (!said.group.isPassive || said.isGroup)) continue;
    const value = slotValue(slot, said);
    const words = slot.isInverse === true ? upToComma(value) : value;
    // "I buy off a young woman": no object.
    if (slot.via === "object" && hasTag(words[0], "Preposition", "Particle")) continue;
    if (slot.isOfObject && (!hasThing(said.predicate) || isPutUp(said.predicate))) continue;
    // "I put the leaves in cold oil": done to them, not where they are kept.
    if (slot.isOfObject && said.group.lemma === "put" && !isDeterminer(words[0]) && !isNamed(words)) continue;
    // "I led the workshop", "she ran the marathon": an event.
    if (slot.isInverse && slot.value === "definite" && isPastEvent(said)) continue;
    if (
      slot.personAfter !== undefined &&
      !hasTag(afterPreposition(said.predicate, [slot.personAfter])[0], "Person", "FirstName")
    )
      continue;
    if (slot.isInverse && !isOneThing(words)) continue;
    if (slots.has(slot.slot) || words.length === 0 || !fits(slot, words)) continue;
    const act = actOf(slot, said);
    if (act === undefined) continue;
    slots.add(slot.slot);
    drafts.push(
      ...endOfPrevious(slot, said, act.validity),
      draftFor(slot, words, said, act),
      ...endOfRole(slot, words, said),
    );
    if (slot.isInverse || (slot.via === "object" && !isUnsure(slot, words))) break;
  }
  return drafts;
}

/** Returns the slot for a negated verb, and for "starts school at Hill Primary"; otherwise the verb's own. */
function slotFor(verbSlot: VerbSlot, { predicate }: Said, isOpposite: boolean): VerbSlot {
  if (isOpposite && verbSlot.negated !== undefined) return { ...verbSlot, slot: verbSlot.negated };
  const isSchool = predicate.words.slice(0, predicate.objectEnd).some(({ normal }) => SCHOOLS.has(normal));
  return verbSlot.slot === "works_at" && isSchool ? { ...verbSlot, slot: "studies_at" } : verbSlot;
}

/** Whether a clause is about a past event and not about a period, as "ran the team until May" is. */
function isPastEvent({ group, validity }: Said): boolean {
  return group.tense === "past" && !group.isOver && (validity.from !== undefined || validity.to === undefined);
}

const GETS = setOf("get land");
const EMPLOYER =
  /\b(?:GmbH|Inc|Ltd|LLC|AG|SE|plc|bank|hospital|university|ministry|agency|council|firm|company|studio|labs?|team)\b/i;

function joinsEmployer(predicate: Predicate): boolean {
  const object = objectOf(predicate);
  const isKnown = object.some((word) => hasTag(word, "Organization", "Acronym") || EMPLOYER.test(word.text));
  return isKnown || afterPreposition(predicate, ["as"]).length > 0;
}

/** Whether a move goes from something that is no known place to something else that is none. */
function isElsewhere({ predicate, group }: Said): boolean {
  if (isBetweenPlaces(predicate)) return false;
  return group.lemma.endsWith(" back") || afterPreposition(predicate, ["from"]).length > 0;
}

/** Whether the subject is not a person. USER is a person: "the user" is a description of one. */
function isThing({ isPerson, subject }: Said): boolean {
  return !isPerson && subject !== USER;
}

/** Whether the object is more than a pronoun. */
function hasThing({ words, objectEnd }: Predicate): boolean {
  return words
    .slice(0, objectEnd)
    .some((word) => (hasTag(word, "Noun") || /^\p{Lu}/u.test(word.text)) && !hasTag(word, "Pronoun") && !word.isDate);
}

/** "I've put my hours up at the library": they are more. */
function isPutUp({ words, objectEnd }: Predicate): boolean {
  return hasTag(words[objectEnd - 1], "Particle", "Preposition", "Adverb");
}

/** Whether words name something that can be owned: neither "everything" nor a clause such as "when it was full". */
function isOneThing(words: Word[]): boolean {
  return (
    !hasTag(words[0], "QuestionWord", "Preposition", "Conjunction") &&
    !AMOUNTS.has(words[0]?.normal ?? "") &&
    finiteVerb(words) === -1 &&
    !words.some(({ normal }) => ANYTHING.has(normal))
  );
}

/** Whether a verb moves an object: "moved the archive to Rome", but not "moved house to Rome". */
function movesSomething(predicate: Predicate): boolean {
  const object = changedObject(predicate);
  return (
    hasThing({ ...predicate, words: object, objectEnd: object.length }) &&
    !object.some(({ normal }) => HOMES.has(normal))
  );
}

/** Whether the object is no job: "started physio with Grace", but not "started a new role at Acme". */
function startsSomething(predicate: Predicate): boolean {
  return hasThing(predicate) && !hasJob(predicate);
}

function hasJob({ words, objectEnd }: Predicate): boolean {
  return words.slice(0, objectEnd).some(({ normal }) => JOBS.has(normal));
}

const JOBS = setOf(
  "job work role position post internship apprenticeship training contract placement traineeship career",
);

function slotValue({ via, value, slot, isOfThing = false }: VerbSlot, { predicate, mayBeThing, group }: Said): Word[] {
  if (isOfThing && !mayBeThing) return [];
  const object = ENDS_AT_PHRASE.has(slot) ? predicate.words.slice(0, predicate.objectEnd) : objectOf(predicate);
  const words = via === "object" ? trimEdges(upToAside(object)) : afterPreposition(upToAim(predicate), via);
  if (value === "number" || slot === "port" || slot === "name") return trimEdges(upToComma(words));
  if (value === "person") return nameAtStart(words);
  if (value === "name") return trimEdges(upToDate(upToComma(words)));
  const others = OTHER_PREPOSITIONS.get(group.lemma);
  const other = words.findIndex(
    ({ normal }, index) => index > 0 && others?.has(normal) && !(via as readonly string[]).includes(normal),
  );
  return trimEdges(other === -1 || slot === "lives_in" ? words : words.slice(0, other));
}

/** Slots whose value is a noun: "German" of "I learn German at the evening school". */
const ENDS_AT_PHRASE = setOf("learns studies plays drives uses speaks owns phone_model computer eats drinks");

/** Drops the phrases after an infinitive, to which they belong: "worked together to help those in need". */
function upToAim(predicate: Predicate): Predicate {
  const { words, phrases } = predicate;
  const aim = words.findIndex(
    ({ normal }, index) => normal === "to" && hasTag(words[index + 1], "Infinitive") && index > 0,
  );
  return aim === -1 ? predicate : { ...predicate, phrases: phrases.filter(({ start }) => start <= aim) };
}

/** "Vellacore on Monday" is Vellacore. */
function upToDate(words: Word[]): Word[] {
  const date = words.findIndex(({ isDate }, index) => isDate && index > 0);
  return date === -1 ? words : words.slice(0, date);
}

/** Returns the name that the words begin with: "Ruben" for "Ruben together with the router". */
function nameAtStart(words: Word[]): Word[] {
  const end = words.findIndex((word) => !/^\p{Lu}/u.test(word.text));
  return end === -1 ? words : words.slice(0, end);
}

const LEFT_SLOTS = new Set(["lives_in", "works_at", "works_as", "assigned_to"]);

/** Returns the end of the value that a new one replaces: of Paris for "moved from Paris to Rome". */
function endOfPrevious({ slot, effect, isInverse }: VerbSlot, said: Said, validity: Validity): Draft[] {
  const words = effect === "start" && LEFT_SLOTS.has(slot) ? afterPreposition(said.predicate, ["from"]) : [];
  if (isInverse || !isNamed(words)) return [];
  return [
    draftOf({ subject: said.subject, attribute: slot, value: textBetween(said.text, words), act: "end", validity }),
  ];
}

/** "Nigel resigned as treasurer" also ends the role, whose value is the person. */
function endOfRole({ slot, effect }: VerbSlot, words: Word[], { subject, speaker, validity }: Said): Draft[] {
  const role = withoutDeterminer(words)[0]?.normal ?? "";
  if (slot !== "works_as" || effect !== "end" || !ROLES.has(role)) return [];
  return [draftOf({ subject: speaker.name, attribute: role, value: subject, act: "end", validity })];
}

/** The prepositions of all slots of a verb: the value of one slot ends where another preposition begins. */
const OTHER_PREPOSITIONS = new Map(
  [...SLOTS_BY_LEMMA].map(([lemma, slots]) => [
    lemma,
    new Set(slots.flatMap(({ via }) => (via === "object" ? [] : via))),
  ]),
);

function draftFor(
  slot: VerbSlot,
  words: Word[],
  said: Said,
  { act, validity }: { act: Act; validity: Validity },
): Draft {
  const { text, subject, speaker } = said;
  const value = textBetween(text, withoutDeterminer(words));
  const confidence = isUnsure(slot, words) ? CONFIDENCE.unsure : CONFIDENCE.slot;
  const common = { value, act, validity, confidence };
  if (slot.slot === "lives_in" && isThing(said))
    return draftOf({ ...common, ...slotOfThing("location", subject, speaker) });
  if (slot.isProperty && said.mayBeThing) return draftOf({ ...common, ...slotOfThing(slot.slot, subject, speaker) });
  if (slot.isOfObject) {
    const object = textBetween(
      text,
      withoutDeterminer(trimEdges(said.predicate.words.slice(0, said.predicate.objectEnd))),
    );
    return draftOf({ ...common, ...slotOfThing(slot.slot, object, speaker) });
  }
  const dose = slot.slot === "takes" ? DOSE.exec(value) : null;
  const medicine = dose?.[2] ?? dose?.[3];
  if (dose !== null && medicine !== undefined) {
    const amount = dose[1] ?? dose[4] ?? "";
    return draftOf({ ...common, subject, attribute: `dose_of ${medicine}`, value: amount });
  }
  if (!slot.isInverse) return draftOf({ ...common, subject, attribute: slot.slot });
  const thing = textBetween(text, withoutDeterminer(words));
  return draftOf({ ...common, ...slotOfThing(slot.slot, thing, speaker), value: subject });
}

/** Whether the slot is unsure: "left Tenby" may be about a company or a place. */
function isUnsure({ effect, value }: VerbSlot, words: Word[]): boolean {
  return (
    effect === "end" &&
    (value === "organization" || value === "place") &&
    !words.some((word) => hasTag(word, "Place", "Organization"))
  );
}

/** Returns what the verb does to its slot, by its tense, and when; undefined if it has no effect on the slot. */
function actOf(
  { effect, slot, negated, isHabit = false }: VerbSlot,
  said: Said,
): { act: Act; validity: Validity } | undefined {
  const { group, isAhead, validity } = said;
  if (group.isHypothetical || (isHabit && (group.tense !== "present" || group.isProgressive))) return undefined;
  const isOnDates = isAhead && !(effect === "state" && isOnWeekdays(said));
  const isFuture = group.tense === "future" || (isOnDates && group.tense === "present" && !group.isPerfect);
  if (effect === "end") {
    const isOpen = (group.tense === "future" || group.isProgressive) && validity.from === undefined;
    return group.isNegated || group.isWished || isOpen ? undefined : { act: "end", validity };
  }
  if (effect === "start") {
    if (group.isNegated) return undefined;
    const began = onwards(validity);
    if (isFuture || group.isProgressive) {
      const isSettled = !group.isWished && validity.from !== undefined;
      return { act: isSettled ? "state" : "plan", validity: began };
    }
    return { act: "state", validity: began };
  }
  // "I've never liked a soup like this" says nothing about dislikes.
  if (group.isNegated && group.isPerfect && negated !== undefined && !group.isOver) return undefined;
  if (group.isNegated && !group.isOver && negated !== undefined) return { act: "state", validity: onwards(validity) };
  if (group.isOver || group.isNegated) return { act: "end", validity: endOf(said) };
  if (group.isWished) return { act: "plan", validity: onwards(validity) };
  if (isFuture)
    return {
      act: validity.from === undefined ? "plan" : "state",
      validity: { ...validity, to: validity.isOpenEnded ? validity.to : undefined },
    };
  if (group.tense === "past" && !group.isPerfect && slot !== "name")
    return { act: "state", validity: pastValidity(said) };
  if (isAhead && !isOnDates) return { act: "state", validity: { isOpenEnded: false } };
  return { act: "state", validity: validity.isOpenEnded ? validity : { ...validity, from: undefined } };
}

/** Whether the only dates are weekdays, on which a state recurs: "I learn German on Tuesday and Thursday". */
function isOnWeekdays({ predicate: { words }, group }: Said): boolean {
  const dated = words.filter(({ isDate }) => isDate);
  return (
    !group.isProgressive &&
    dated.some((word) => hasTag(word, "WeekDay")) &&
    !dated.some((word) => hasTag(word, "Month") || /\d/u.test(word.text) || NEXT.has(word.normal))
  );
}

const NEXT = setOf("next this tomorrow");

/** Returns the interval of something that is over at the latest when it is said: "I used to live". */
function endOf({ validity, day }: Said): Validity {
  return { ...validity, to: validity.isOpenEnded ? day : (validity.to ?? day), from: undefined };
}

function pastValidity({ validity, day }: Said): Validity {
  return { ...validity, to: validity.to ?? day };
}

/** Whether the words can be a value of the slot. */
function fits({ value, slot }: VerbSlot, words: Word[]): boolean {
  if (words.length === 0) return true;
  const text = words.map(({ text: word }) => word).join(" ");
  const phrase = withoutDeterminer(words);
  if (words[0]?.normal === "your" || MOMENTS.has(phrase[0]?.normal ?? "") || MANNERS.has(phrase.at(-1)?.normal ?? ""))
    return false;
  const isAlone = phrase.length === 1 || phrase[0]?.after.includes(",") === true;
  if (isAlone && PRONOUNS.has(phrase[0]?.normal ?? "")) return false;
  if (value === undefined) return slot !== "takes";
  if (value instanceof RegExp) return value.test(text) || (slot === "takes" && isMedicine(phrase[0]?.normal ?? ""));
  switch (value) {
    case "name":
      // "I joined Tommo's Monday lot" names what is Tommo's.
      if (hasTag(words.at(-1), "Possessive")) return false;
      return isNamed(words) && !words.every((word) => hasTag(word, "Value", "Date"));
    case "place":
      return hasTag(words[0], "Place") || isPlaceName(words.at(-1));
    case "person":
      return hasTag(words[0], "Person", "FirstName");
    case "definite":
      return !/^\d/u.test(text) && (isNamed(words) || DEFINITE.has(words[0]?.normal ?? ""));
    case "organization":
      return isNamed(words) && !words.some((word) => hasTag(word, "City", "Country", "Region", "FirstName"));
    case "number":
      return words.some((word) => hasTag(word, "Value") || /\d/.test(word.text));
    case "vehicle":
      return VEHICLES.test(text);
    case "job":
      return words.some((word) => hasTag(word, "Actor"));
  }
}

function isPlaceName(word: Word | undefined): boolean {
  return hasTag(word, "Place") || /^\p{Lu}/u.test(word?.text ?? "") || HOMES.has(word?.normal ?? "");
}

/** "5 mg of ramipril in the morning", "ramipril 5 mg". */
const DOSE =
  /^(\d[\d.,]* ?(?:mg|mcg|µg|ml|iu)) (?:of )?(\p{L}{4,})\b.*$|^(\p{L}{4,}),? (\d[\d.,]* ?(?:mg|mcg|µg|ml|iu)\b.*)$/iu;
const PRONOUNS = setOf("it that this them him her one ones some me you us there i he she they so own");
/** Words that say how, not what: "learned a lot", "studied hard". */
const MANNERS = setOf("lot lots much more little hard way well enough");
const SCHOOLS = setOf("school college university uni kindergarten nursery preschool");
const AMOUNTS = setOf("most some many any half part none");
const ANYTHING = setOf("everything something anything nothing all");
const DEFINITE = setOf("the our my");
