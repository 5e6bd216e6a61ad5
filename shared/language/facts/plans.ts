import { setOf } from "../../kernel/strings.ts";
import { hasTag } from "../statements/tagging.ts";
import type { Clause } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { HOUR } from "./events.ts";
import { afterPreposition, type Predicate } from "./phrases.ts";
import { slotOfThing } from "./properties.ts";
import type { VerbGroup } from "./verb-group.ts";
import type { Said } from "./verb-slots.ts";
import {
  hasUnresolvedReference,
  textBetween,
  trimEdges,
  upToComma,
  type Word,
  withoutAdverbs,
  withoutDeterminer,
} from "./words.ts";

/** Reads what a clause plans, calls off, or says about a recurring time; anything else fits no slot. */
export function readPlan(said: Said, clause: Clause): Draft[] {
  const { text, group, predicate } = said;
  if (group.isHypothetical) return [];
  const time = recurringTime(said);
  if (time !== undefined) return [scheduleOf(said, time)];
  if (!saysSomething(predicate.words) || hasUnresolvedReference(predicate.words)) return [];
  const entered = enrols(said) && !group.isNegated ? afterPreposition(predicate, ["for"]) : [];
  if (entered.length > 0) return [enrolment(said, entered)];
  if (isPlan(said) && !group.isNegated) return plans(said, clause);
  const calledOff = textBetween(text, trimEdges(upToComma(predicate.words))).replace(AFTER_ALL, "");
  const isDenied = group.isOver || (group.isNegated && (group.isProgressive || group.tense === "future"));
  return isDenied && calledOff !== "" ? [cancellation(said.subject, calledOff)] : [];
}

/** Returns the time of day or the weekdays on which something happens regularly. */
function recurringTime({ text, group, predicate }: Said): string | undefined {
  if (group.tense !== "present" || group.isNegated || group.isOver) return undefined;
  const said = textBetween(text, upToComma(withoutAdverbs(predicate.words)));
  // "Meets on the first Monday of every month", "meets at the Corn Exchange on Tuesdays at two"
  const repeated = REPEATED.exec(said)?.groups;
  if (repeated?.time !== undefined) return repeated.time;
  const when = RECURRING.exec(said);
  // "We rehearse Fridays in the hall": the place belongs to the time.
  return when?.groups?.time ?? (when?.groups?.place === undefined ? when?.groups?.days : said.replace(/^on /iu, ""));
}

/** Returns the time of something that happens regularly: "The bus leaves at 6", "I get up at 6". */
function scheduleOf({ subject, mayBeThing, group, speaker }: Said, value: string): Draft {
  return mayBeThing
    ? draftOf({ ...slotOfThing("schedule", subject, speaker), value, act: "state" })
    : draftOf({ subject, attribute: `time_of ${group.lemma}`, value, act: "state" });
}

/** Returns the plan of an enrolment: "I signed up for a pottery class". `entered` are the words after "for". */
function enrolment({ text, subject, validity }: Said, entered: Word[]): Draft {
  const value = textBetween(text, withoutDeterminer(upToComma(entered)));
  const fromStart = { from: validity.from, isOpenEnded: false };
  return draftOf({ subject, attribute: "plan", value, act: "plan", validity: fromStart, confidence: CONFIDENCE.plan });
}

/** "I signed up for …", "I put my name down for …" */
function enrols({ group, predicate }: Said): boolean {
  if (group.lemma !== "put") return ENROLS.has(group.lemma);
  const [, name, down] = predicate.words;
  return name?.normal === "name" && down?.normal === "down";
}

function isPlan({ group, isAhead, isPerson, subject, speaker, predicate }: Said): boolean {
  // "I'll let you know" is said to the listener.
  if (predicate.words.slice(0, MAX_THING_WORDS).some(({ normal }) => normal === "you")) return false;
  if (!group.isWished && THOUGHTS.has(group.lemma)) return false;
  if (group.tense === "future") return true;
  if (isSameInPast(group)) return false;
  const isArranged = group.isProgressive || !STATES.has(group.lemma) || (isPerson && subject !== speaker.name);
  return isAhead && group.tense === "present" && !group.isPerfect && isArranged;
}

/** Returns the plan, and the status of the thing that another person plans. */
function plans({ text, subject, group, predicate, validity, speaker }: Said, clause: Clause): Draft[] {
  const words = clause.words.slice(mainVerbIndex(clause, group.end));
  const time = { ...validity, to: validity.isOpenEnded ? undefined : validity.to };
  const common = { act: "plan", validity: time } as const;
  const value = textBetween(text, words);
  const plan = draftOf({ ...common, subject, attribute: "plan", value, confidence: CONFIDENCE.plan });
  const isOfThing = subject !== speaker.name && (group.isWished || TRAVELS.has(group.lemma));
  const thing = isOfThing ? textBetween(text, plannedThing(predicate, group)) : "";
  if (thing === "") return [plan];
  const slot = slotOfThing("status", thing, speaker);
  return [
    plan,
    { ...draftOf({ ...common, ...slot, value: "planned", confidence: CONFIDENCE.unsure }), is_guess: true },
  ];
}

/** "I'm not going to Rome after all", "we no longer go to Rome" */
function cancellation(subject: string, value: string): Draft {
  return draftOf({ subject, attribute: "plan", value, act: "cancel", confidence: CONFIDENCE.unsure });
}

const AFTER_ALL = / (?:after all|any ?more)$/iu;
/** Verbs of enrolling, which state an intention. */
const ENROLS = new Set(["sign up", "register"]);

const CLOCK = String.raw`(?:\d{1,2}(?:[:.][0-5]\d(?!\d))?(?: ?[ap]m)?|(?:half (?:past )?)?${HOUR}\b)`;
const DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days";
/** A recurring time: "at 6 every morning", "at 6:30 now because of the builders", "on Mondays and Fridays at 6". */
const RECURRING = new RegExp(
  String.raw`^(?:out |off )?(?:at (?<time>${CLOCK}(?: (?:every|each|on|in the) \p{L}+)?)|(?:on )?(?<days>${DAYS}(?: and ${DAYS})?(?: at ${CLOCK})?)(?<place> (?:in|at) .+)?)(?: (?:now|these days|again|because|since|from)\b.*)?$`,
  "iu",
);

/** "I cut the hedge on Sunday" is about the last Sunday. */
function isSameInPast({ lemma, tense, isProgressive, isPerfect }: VerbGroup): boolean {
  return tense === "present" && !isProgressive && !isPerfect && SAME_IN_PAST.has(lemma);
}

const SAME_IN_PAST = setOf("put cut set hit shut split let read cost hurt beat quit spread bet");

/** A recurring time at the end of a predicate, possibly after a place. */
const REPEATED = new RegExp(
  String.raw`^(?:(?:in|at) (?!\d)[^,]{2,60}? )?(?:(?:on|at) )?(?<time>(?:the )?(?:(?:first|second|third|fourth|last) \p{L}+ of (?:every|each|the) month|(?:every|each) (?:other |second )?(?:weekday|day|week|month|morning|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|${DAYS}(?: and ${DAYS})?)(?: at ${CLOCK}(?: \p{Lu}+)?)?)$`,
  "iu",
);

/** Verbs of thinking and saying, which state no plan, even if they name a future day. */
const THOUGHTS = setOf("think say know hope believe guess suppose tell ask mean see feel");

export const MAX_THING_WORDS = 3;

/** Returns the thing that another person plans ("an ablation", "Lisbon"): later statements name the plan by it. */
function plannedThing({ words, objectEnd, phrases }: Predicate, { lemma }: VerbGroup): Word[] {
  const [first] = phrases;
  const isTravel = objectEnd === 0 && TRAVELS.has(lemma) && first?.preposition === "to";
  const all = isTravel ? words.slice(first.start, first.end) : words.slice(0, objectEnd);
  const end = all.findIndex(({ after, isDate }) => isDate || after.includes(","));
  const isCut = end !== -1 && all[end]?.isDate === false;
  const thing = trimEdges(withoutDeterminer(end === -1 ? all : all.slice(0, isCut ? end + 1 : end)));
  const isThing =
    hasTag(thing.at(-1), "Noun") && !hasTag(thing.at(-1), "Pronoun", "Person") && !hasTag(thing[0], "Value");
  return isThing && !PLACES.has(thing[0]?.normal ?? "") && thing.length <= MAX_THING_WORDS ? thing : [];
}

/** Verbs of states, which are no plans, even if a future day is named: "I have a dentist appointment on 5 May". */
const STATES = setOf("have need own like love hate live use keep belong contain");
const PLACES = setOf("here there home");
const TRAVELS = setOf("go fly travel");

/** Whether more than pronouns and function words follow a verb. */
function saysSomething(words: Word[]): boolean {
  return words.some(
    (word) => hasTag(word, "Noun", "Adjective", "Value", "Gerund", "Verb", "Acronym") && !hasTag(word, "Pronoun"),
  );
}

/** Returns the index of the group's main verb, where a plan's text begins: "flying to Tokyo on December 5th". */
function mainVerbIndex({ words, verb }: Clause, end: number): number {
  const last = words.slice(verb, end).findLastIndex((word: Word) => hasTag(word, "Verb") && !hasTag(word, "Particle"));
  return last === -1 ? verb : verb + last;
}
