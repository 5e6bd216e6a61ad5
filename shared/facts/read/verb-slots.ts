import { hasTag } from "../../memory/extraction/tagging.ts";
import { type Act, USER } from "../fact.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { behindPreposition, isNamed, objectOf, type Predicate } from "./phrases.ts";
import { VEHICLES, VERB_SLOTS, type VerbSlot } from "./slots.ts";
import { owning, type Speaker } from "./subjects.ts";
import type { Validity } from "./validity.ts";
import type { Lemmatizer, VerbGroup } from "./verb-group.ts";
import { textBetween, trimEdges, type Word, withoutDeterminer } from "./words.ts";

export interface Said {
  text: string;
  /** Of the clause. */
  subject: string;
  isPerson: boolean;
  group: VerbGroup;
  predicate: Predicate;
  validity: Validity;
  /** A date of the clause lies ahead of when it was said. */
  isAhead: boolean;
  speaker: Speaker;
  /** The verb group as it is written. */
  verb: string;
  /** The day on which it was said. */
  day: string | undefined;
  lemmaOf: Lemmatizer;
}

const SLOTS_BY_LEMMA = new Map<string, VerbSlot[]>();
for (const slot of VERB_SLOTS) {
  for (const verb of slot.verbs.split(" ")) {
    const lemma = verb.replace("_", " ");
    SLOTS_BY_LEMMA.set(lemma, [...(SLOTS_BY_LEMMA.get(lemma) ?? []), slot]);
  }
}

/** What a clause says of the slots that its verb has; a slot is told once. */
export function readVerbSlots(said: Said): Draft[] {
  const drafts: Draft[] = [];
  const told = new Set<string>();
  const isOpposite = said.group.isNegated && !said.group.isOver;
  for (const known of SLOTS_BY_LEMMA.get(said.group.lemma) ?? []) {
    const slot = isOpposite && known.negated !== undefined ? { ...known, slot: known.negated } : known;
    // "The wedding moved to June": its time moves, and nobody's home.
    if (slot.slot === "lives_in" && isThing(said) && said.predicate.words.some(({ isDate }) => isDate)) continue;
    const words = slotValue(slot, said);
    if (slot.isOfObject && !hasThing(said.predicate)) continue;
    if (slot.besides !== undefined && !namesSomebody(behindPreposition(said.predicate, [slot.besides]))) continue;
    if (slot.isInverse && !isOneThing(words)) continue;
    if (told.has(slot.slot) || (words.length === 0 && !slot.allowsEmpty) || !fits(slot, words)) continue;
    const act = actOf(slot, said);
    if (act === undefined) continue;
    told.add(slot.slot);
    drafts.push(...leftBehind(slot, said, act.validity), placed(slot, words, said, act));
    if (slot.isInverse || (slot.via === "object" && !isUnsure(slot, words))) break;
  }
  return drafts;
}

/** Nobody: "the user" is a description of somebody. */
function isThing({ isPerson, subject }: Said): boolean {
  return !isPerson && subject !== USER;
}

/** An object that is more than a pronoun. */
function hasThing({ words, objectEnd }: Predicate): boolean {
  return words.slice(0, objectEnd).some((word) => hasTag(word, "Noun") && !hasTag(word, "Pronoun") && !word.isDate);
}

/** What somebody can own: neither "everything" nor a clause, "when it was full". */
function isOneThing(words: Word[]): boolean {
  return (
    !hasTag(words[0], "QuestionWord", "Preposition", "Conjunction") && !words.some(({ normal }) => ANYTHING.has(normal))
  );
}

function namesSomebody([first]: Word[]): boolean {
  return hasTag(first, "Person", "FirstName");
}

function slotValue({ via, value, slot, isProperty = false }: VerbSlot, { predicate, isPerson, group }: Said): Word[] {
  if (isPerson && (slot === "port" || slot === "owner") && isProperty) return [];
  const words = via === "object" ? objectOf(predicate) : behindPreposition(predicate, via);
  if (value === "number" || slot === "port" || slot === "name")
    return words.slice(0, words.findIndex(({ after }) => after.includes(",")) + 1 || undefined);
  if (value === "person") return nameAtStart(words);
  const others = OTHER_PREPOSITIONS.get(group.lemma);
  const other = words.findIndex(
    ({ normal }, place) => place > 0 && others?.has(normal) && !(via as readonly string[]).includes(normal),
  );
  return trimEdges(other === -1 || slot === "lives_in" ? words : words.slice(0, other));
}

/** "Ruben together with the router": the words of the name alone. */
function nameAtStart(words: Word[]): Word[] {
  const end = words.findIndex((word) => !/^\p{Lu}/u.test(word.text));
  return end === -1 ? words : words.slice(0, end);
}

const LEFT = new Set(["lives_in", "works_at", "works_as", "assigned_to"]);

/** "moved from Paris to Rome": the value that ends with the new one. */
function leftBehind({ slot, effect, isInverse }: VerbSlot, said: Said, validity: Validity): Draft[] {
  const words = effect === "start" && LEFT.has(slot) ? behindPreposition(said.predicate, ["from"]) : [];
  if (isInverse || !isNamed(words)) return [];
  return [
    draftOf({ subject: said.subject, attribute: slot, value: textBetween(said.text, words), act: "end", validity }),
  ];
}

/** The prepositions of all slots of a verb: where one begins, the value of another ends. */
const OTHER_PREPOSITIONS = new Map(
  [...SLOTS_BY_LEMMA].map(([lemma, slots]) => [
    lemma,
    new Set(slots.flatMap(({ via }) => (via === "object" ? [] : via))),
  ]),
);

function placed(slot: VerbSlot, words: Word[], said: Said, { act, validity }: { act: Act; validity: Validity }): Draft {
  const { text, subject, speaker } = said;
  const value = textBetween(text, withoutDeterminer(words));
  const confidence = isUnsure(slot, words) ? CONFIDENCE.unsure : CONFIDENCE.slot;
  if (slot.slot === "lives_in" && isThing(said)) {
    const name = owning(subject, speaker);
    return draftOf({ subject: name, attribute: `location_of ${subject}`, value, act, validity, confidence });
  }
  if (slot.isProperty && !said.isPerson) {
    const name = owning(subject, speaker);
    return draftOf({ subject: name, attribute: `${slot.slot}_of ${subject}`, value, act, validity, confidence });
  }
  if (slot.isOfObject) {
    const kept = textBetween(
      text,
      withoutDeterminer(trimEdges(said.predicate.words.slice(0, said.predicate.objectEnd))),
    );
    const owner = owning(kept, speaker);
    return draftOf({ subject: owner, attribute: `${slot.slot}_of ${kept}`, value, act, validity, confidence });
  }
  if (!slot.isInverse) return draftOf({ subject, attribute: slot.slot, value, act, validity, confidence });
  const thing = textBetween(text, withoutDeterminer(words));
  const name = owning(thing, speaker);
  return draftOf({ subject: name, attribute: `${slot.slot}_of ${thing}`, value: subject, act, validity, confidence });
}

/** "left Tenby" may be a firm's or a place's end. */
function isUnsure({ effect, value }: VerbSlot, words: Word[]): boolean {
  return (
    effect === "end" &&
    (value === "organization" || value === "place") &&
    !words.some((word) => hasTag(word, "Place", "Organization"))
  );
}

/** What the verb does to its slot by its tense, and when; undefined where it does nothing to it. */
function actOf({ effect, slot, negated }: VerbSlot, said: Said): { act: Act; validity: Validity } | undefined {
  const { group, isAhead } = said;
  const { validity } = said;
  if (group.isUnreal) return undefined;
  const isToCome = group.tense === "future" || (isAhead && group.tense === "present" && !group.isPerfect);
  if (effect === "end") {
    const isOpen = (group.tense === "future" || group.isProgressive) && validity.from === undefined;
    return group.isNegated || group.isWished || isOpen ? undefined : { act: "end", validity };
  }
  if (effect === "start") {
    if (group.isNegated) return undefined;
    const began = { ...validity, to: undefined };
    if (isToCome || group.isProgressive) {
      const isSettled = !group.isWished && validity.from !== undefined;
      return { act: isSettled ? "state" : "plan", validity: began };
    }
    return { act: "state", validity: began };
  }
  if (group.isNegated && !group.isOver && negated !== undefined)
    return { act: "state", validity: { ...validity, to: undefined } };
  if (group.isOver || group.isNegated) return { act: "end", validity: endOf(said) };
  if (group.isWished) return { act: "plan", validity: { ...validity, to: undefined } };
  if (isToCome)
    return {
      act: validity.from === undefined ? "plan" : "state",
      validity: { ...validity, to: validity.isOpenEnded ? validity.to : undefined },
    };
  if (group.tense === "past" && !group.isPerfect && slot !== "name") return { act: "state", validity: past(said) };
  return { act: "state", validity: validity.isOpenEnded ? validity : { ...validity, from: undefined } };
}

/** "I used to live": over when it is said, at the latest. */
function endOf({ validity, day }: Said): Validity {
  return { ...validity, to: validity.isOpenEnded ? day : (validity.to ?? day), from: undefined };
}

function past({ validity, day }: Said): Validity {
  return { ...validity, to: validity.to ?? day };
}

function fits({ value, slot }: VerbSlot, words: Word[]): boolean {
  if (words.length === 0) return true;
  const text = words.map(({ text: word }) => word).join(" ");
  const bare = withoutDeterminer(words);
  if (bare.length === 1 && PRONOUNS.has(bare[0]?.normal ?? "")) return false;
  if (value === undefined) return slot !== "takes";
  if (value instanceof RegExp) return value.test(text);
  switch (value) {
    case "name":
      return isNamed(words);
    case "place":
      return hasTag(words[0], "Place") || isPlaceName(words.at(-1));
    case "person":
      return hasTag(words[0], "Person", "FirstName");
    case "definite":
      return isNamed(words) || DEFINITE.has(words[0]?.normal ?? "");
    case "organization":
      return isNamed(words) && !words.some((word) => hasTag(word, "City", "Country", "Region", "FirstName"));
    case "number":
    case "money":
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

const PRONOUNS = new Set("it that this them him her one ones some me you us there i he she they so".split(" "));
const ANYTHING = new Set("everything something anything nothing all".split(" "));
const DEFINITE = new Set("the our my".split(" "));
/** Kinds of homes. */
export const HOMES = new Set("flat house apartment bungalow studio cottage place room dorm home".split(" "));
