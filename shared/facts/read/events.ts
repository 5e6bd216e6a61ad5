import { type Draft, draftOf } from "./draft.ts";
import { behindPreposition, objectOf, type Predicate } from "./phrases.ts";
import { owning, type Speaker } from "./subjects.ts";
import type { VerbGroup } from "./verb-group.ts";
import type { Said } from "./verb-slots.ts";
import { textBetween, type Word, withoutAdverbs, withoutDeterminer } from "./words.ts";

const MOVES = new Set("move push postpone shift bring reschedule delay go switch change put be".split(" "));
/** Verbs whose object moves, unless they are passive. */
const TRANSITIVE = new Set("push postpone bring put reschedule delay".split(" "));
const WEEKDAY = `(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?`;
const CLOCK = String.raw`(?:\d{1,2}(?:[:.]\d{2}(?: ?[ap]m)?| ?[ap]m| o'clock)|noon|midnight)`;
/** What comes again and again: "Tuesdays", "on Tue and Thu 18:30", "every other Friday at 4". */
const RECURRING = new RegExp(
  String.raw`^(?:(?:on|at|every|each|back to|to) )*(?:(?:other|second|2nd|first|last) )?(?:${WEEKDAY}s\b|${WEEKDAY}(?:,? (?:and|&|\/) |\/|, )${WEEKDAY}|(?<=every |each |other |second |2nd )${WEEKDAY}|${WEEKDAY} (?:at )?${CLOCK}|${CLOCK})`,
  "iu",
);
const GENERAL = new Set("it that this day time one thing date".split(" "));

/** Whether a value tells when something happens again and again. */
function isSchedule(value: string): boolean {
  return RECURRING.test(value);
}

/**
 * When a thing takes place: "the launch is on Friday", "they pushed the dentist appointment to 14 May", "the club is back to
 * Tuesdays". A thing has one date, and one schedule, at a time.
 */
export function readEvent({ group, isPerson, predicate, speaker, text, subject }: Said): Draft | undefined {
  const isOfSubject = !isPerson && (group.isPassive || !TRANSITIVE.has(group.lemma));
  if (!isOfSubject) return group.lemma === "be" ? undefined : readMoved(predicate, group, { text, speaker });
  if (!changesTime(group) || GENERAL.has(subject.toLowerCase())) return undefined;
  const when = group.lemma === "be" ? predicate.words : movedTo(predicate);
  return whenOf(subject, text, when, speaker);
}

/** "They pushed it to Friday", whoever they are: "it" is what the text spoke of last. */
export function readMoved(
  predicate: Predicate,
  group: VerbGroup,
  { text, speaker }: Pick<Said, "text" | "speaker">,
): Draft | undefined {
  if (!changesTime(group)) return undefined;
  const object = withoutDeterminer(objectOf(predicate)).filter(({ isDate }) => !isDate);
  const isPronoun = object.length === 1 && GENERAL.has(object[0]?.normal ?? "");
  const thing = isPronoun ? (speaker.topic.thing ?? speaker.topic.event) : textBetween(text, object);
  return thing === undefined || thing === "" ? undefined : whenOf(thing, text, movedTo(predicate), speaker);
}

function changesTime({ lemma, isNegated, isUnreal, isWished }: VerbGroup): boolean {
  return MOVES.has(lemma) && !isNegated && !isUnreal && !isWished;
}

/** The date or the schedule of a thing, where a value is one. */
export function whenOf(thing: string, text: string, words: Word[], speaker: Speaker): Draft | undefined {
  const kept = new Set(withoutAdverbs(words).map(({ start }) => start));
  const when = words.filter(({ start }) => kept.has(start));
  const value = textBetween(text, when);
  const isDated = when.some(({ isDate }) => isDate) && when.every(isOfTime);
  const attribute = isSchedule(value) ? "schedule" : isDated ? "date" : undefined;
  if (attribute === undefined) return undefined;
  return draftOf({
    subject: owning(thing, speaker),
    attribute: `${attribute}_of ${thing}`,
    value: value.replace(/^(?:back )?(?:on|to|for) /, ""),
    act: "state",
  });
}

/** The words behind the verb's preposition, with their dates. */
function movedTo(predicate: Predicate): Word[] {
  const found = behindPreposition(predicate, ["to", "until", "till", "for", "on"], { dates: true });
  const places = new Set(found.map(({ start }) => start));
  return predicate.words.filter(({ start }) => places.has(start));
}

const SMALL = new Set("on at to for the of in back by from until till and".split(" "));

function isOfTime({ isDate, normal, text }: Word): boolean {
  return isDate || SMALL.has(normal) || /^\d{1,2}(?:[:.]\d{2})?(?:[ap]m)?$/.test(text);
}
