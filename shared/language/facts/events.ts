import { setOf } from "../../kernel/strings.ts";
import { ROLES } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import { type Draft, draftOf } from "./draft.ts";
import { afterPreposition, changedObject, type Predicate } from "./phrases.ts";
import { slotOfThing } from "./properties.ts";
import type { Speaker } from "./topic.ts";
import type { VerbGroup } from "./verb-group.ts";
import type { Said } from "./verb-slots.ts";
import { textBetween, type Word, withoutAdverbs, withoutDeterminer } from "./words.ts";

const MOVES = setOf("move push postpone shift bring reschedule delay go switch change put be slip");
/** Verbs that give an event its time if they are passive: "is planned for 15 March". */
const SETTLED = setOf("plan schedule set book fix slate confirm");
/** Verbs that move their object, unless they are passive. */
const TRANSITIVE = setOf("push postpone bring put reschedule delay");
const WEEKDAY = `(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?`;
export const HOUR = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
/** "half nine", "quarter past two", "at eleven" */
const SPOKEN_CLOCK = `(?:half (?:past )?|quarter (?:to|past) |(?<=at ))${HOUR}\\b`;
const CLOCK = String.raw`(?:\d{1,2}(?:[:.][0-5]\d(?!\d| (?:an?|per|each|euros?|pounds?|quid|dollars?)\b)(?: ?[ap]m)?| ?[ap]m| o'clock)|noon|midnight|${SPOKEN_CLOCK})`;
/** Recurring times: "Tuesdays", "on Tue and Thu 18:30", "every other Friday at 4". */
const RECURRING = new RegExp(
  String.raw`^(?:(?:on|at|every|each|back to|to) )*(?:(?:other|second|2nd|first|last) )?(?:${WEEKDAY}s\b|${WEEKDAY}(?:,? (?:and|&|\/) |\/|, )${WEEKDAY}|(?<=every |each |other |second |2nd )${WEEKDAY}|${WEEKDAY} (?:at )?${CLOCK}|${CLOCK})`,
  "iu",
);
const GENERAL = setOf("it that this day time one thing date");

/**
 * Returns when a thing takes place: "the launch is on Friday", "they pushed the dentist appointment to 14 May", "the
 * club is back to Tuesdays". A thing has one date and one schedule at a time.
 */
export function readEvent({ group, mayBeThing, predicate, speaker, text, subject }: Said): Draft | undefined {
  // "The committee moved rehearsals to 7:15": the object takes place then.
  const movesObject = TRANSITIVE.has(group.lemma) || (group.lemma === "move" && changedObject(predicate).length > 0);
  const isOfSubject = mayBeThing && (group.isPassive || !movesObject);
  if (!isOfSubject) return group.lemma === "be" ? undefined : readMoved(predicate, group, { text, speaker, subject });
  if (!changesTime(group) || GENERAL.has(subject.toLowerCase())) return undefined;
  if (group.lemma === "go" && !leadsToTime(predicate)) return undefined;
  const when = upToInstead(
    group.lemma === "be" ? upToPlace(withoutDue(predicate.words)) : movedTo(predicate, group.lemma),
  );
  return whenOf(subject, text, when, speaker);
}

/** "went back to Tuesdays", but not "went live on Sunday" */
function leadsToTime({ words, objectEnd, phrases }: Predicate): boolean {
  // "Went in on Sunday" happened then.
  if (phrases[0]?.preposition === "in" && phrases[0].start === phrases[0].end) return false;
  return words
    .slice(0, objectEnd)
    .every((word) => word.isDate || hasTag(word, "Adverb", "Particle") || word.normal === "back");
}

const ENDS = new Set(["expire", "lapse", "end", "close", "run out"]);

/** Returns when a thing ends: "The licence expires in March". */
export function readEnding({ group, mayBeThing, predicate, speaker, text, subject }: Said): Draft | undefined {
  if (
    !ENDS.has(group.lemma) ||
    !mayBeThing ||
    group.isPassive ||
    group.isNegated ||
    group.isHypothetical ||
    group.tense === "past"
  )
    return undefined;
  const { words } = predicate;
  if (!words.some(({ isDate }) => isDate) || !words.every(isOfTime)) return undefined;
  const value = textBetween(text, withoutAdverbs(words)).replace(/^(?:on|in|at) /, "");
  return draftOf({ ...slotOfThing("end", subject, speaker), value, act: "state" });
}

/** In "They pushed it to Friday", "it" is the last thing or event that the text mentions. "They" may be anybody. */
export function readMoved(
  predicate: Predicate,
  group: VerbGroup,
  { text, speaker, subject = "" }: Pick<Said, "text" | "speaker"> & Partial<Pick<Said, "subject">>,
): Draft | undefined {
  if (!changesTime(group)) return undefined;
  const object = withoutDeterminer(changedObject(predicate)).filter(({ isDate }) => !isDate);
  const isPronoun = object.length === 1 && GENERAL.has(object[0]?.normal ?? "");
  const named = isPronoun ? (speaker.topic.thing ?? speaker.topic.event) : textBetween(text, object);
  const host = object.length === 1 && !isPronoun && ROLES.has(subject.toLowerCase()) ? `${subject.toLowerCase()} ` : "";
  const thing = named === undefined ? undefined : host + named;
  return thing === undefined || thing === ""
    ? undefined
    : whenOf(thing, text, movedTo(predicate, group.lemma), speaker);
}

/** The direction of a change of time, at the end of the lemma: "push back". */
const BACK = / (?:back|forward|off|out)$/u;

function changesTime({ lemma, isPassive, isNegated, isHypothetical, isWished }: VerbGroup): boolean {
  return (
    (MOVES.has(lemma.replace(BACK, "")) || (isPassive && SETTLED.has(lemma))) &&
    !isNegated &&
    !isHypothetical &&
    !isWished
  );
}

/** Returns the date or the schedule of a thing, or undefined if the words state neither. */
export function whenOf(thing: string, text: string, words: Word[], speaker: Speaker): Draft | undefined {
  const comma = words.findIndex(({ after }) => after.includes(","));
  const own = comma === -1 || words.every(isOfTime) ? words : words.slice(0, comma + 1);
  const kept = new Set(withoutAdverbs(own).map(({ start }) => start));
  const when = own.filter(({ start }) => kept.has(start));
  const value = textBetween(text, when);
  const isDated = when.some(({ isDate }) => isDate) && when.every(isOfTime);
  const attribute = RECURRING.test(value) ? "schedule" : isDated ? "date" : undefined;
  if (attribute === undefined) return undefined;
  const time = value.replace(/^(?:back )?(?:on|to|for) /, "");
  return draftOf({ ...slotOfThing(attribute, thing, speaker), value: time, act: "state" });
}

/** Returns the words after the verb's preposition, with their dates. */
function movedTo(predicate: Predicate, lemma: string): Word[] {
  // "It goes for 4.20" states a price.
  const prepositions = ["to", "until", "till", "on", ...(lemma === "go" ? [] : ["for"])];
  const found = afterPreposition(predicate, prepositions, { dates: true });
  const starts = new Set(found.map(({ start }) => start));
  return predicate.words.filter(({ start }) => starts.has(start));
}

/** "9:45 instead of 9:15" means 9:45. */
function upToInstead(words: Word[]): Word[] {
  const instead = words.findIndex(({ normal }) => normal === "instead" || normal === "rather");
  return instead === -1 ? words : words.slice(0, instead);
}

/** Returns the words of the date in "on 5 May at the town hall", without the place. */
function upToPlace(words: Word[]): Word[] {
  const index = words.findIndex((word) => !isOfTime(word));
  const from =
    index === -1 ? -1 : words.slice(0, index).findLastIndex(({ normal }) => normal === "at" || normal === "in");
  return from > 0 && words[0]?.isDate === false && words.slice(0, from).some(({ isDate }) => isDate)
    ? words.slice(0, from)
    : words;
}

/** "due on 5 May" means on 5 May. */
function withoutDue(words: Word[]): Word[] {
  return words.slice(words.findIndex(({ normal }) => !DUE.has(normal)));
}

const DUE = setOf("due down set now still");

/** Words of times that are no dates, with the spoken hours. */
const SMALL = setOf(
  "half quarter past one two three four five six seven eight nine ten eleven twelve on at to for of the in back by from until till and",
);

function isOfTime({ isDate, normal, text }: Word): boolean {
  return isDate || SMALL.has(normal) || /^\d{1,2}(?:[:.]\d{2})?(?:[ap]m)?$/.test(text);
}
