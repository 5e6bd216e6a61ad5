import { setOf } from "../../../../kernel/strings.ts";
import { hasTag } from "../../extraction/tagging.ts";
import type { Clause } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { HOUR } from "./events.ts";
import { afterPreposition, type Predicate } from "./phrases.ts";
import { slotOfThing } from "./properties.ts";
import { isPastAction } from "./tense.ts";
import { daysAfter, type Validity } from "./validity.ts";
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

/** Reads what fits no slot: the verb and the words after it. An intention becomes a plan. */
export function readOpen(said: Said, clause: Clause): Draft[] {
  const { text, group, predicate } = said;
  if (group.isUnreal) return [];
  const time = recurringTime(said);
  if (time !== undefined) return [scheduleOf(said, time)];
  if (!saysSomething(predicate.words) || hasUnresolvedReference(predicate.words)) return [];
  // "We sound like wet furniture", "I cried more than for Eivind"
  if (COMPARISONS.has(predicate.words[0]?.normal ?? "")) return [];
  const entered = enrols(said) && !group.isNegated ? afterPreposition(predicate, ["for"]) : [];
  if (entered.length > 0) return [enrolment(said, entered)];
  if (isPlan(said) && !group.isNegated) return plans(said, clause);
  const value = textBetween(text, trimEdges(upToNow(predicate.words)));
  if (value === "" || !isClear(said, clause)) return [];
  if (group.isOver) return ending(said, value);
  return group.isNegated ? denial(said, value) : [statement(said, value)];
}

/** Returns the words before "now": "The van broke down in May, now a bike is enough" contains two statements. */
function upToNow(words: Word[]): Word[] {
  const now = words.findIndex(({ normal }, index) => normal === "now" && words[index - 1]?.after.includes(","));
  return now === -1 || now === words.length - 1 ? words : words.slice(0, now);
}

/** Returns the time of day or the weekdays on which something happens regularly. */
function recurringTime({ text, group, predicate }: Said): string | undefined {
  if (group.tense !== "present" || group.isNegated || group.isOver) return undefined;
  const said = textBetween(text, upToComma(withoutAdverbs(predicate.words)));
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
  return draftOf({ subject, attribute: "plan", value, act: "plan", validity: fromStart, confidence: CONFIDENCE.open });
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
  const plan = draftOf({ ...common, subject, attribute: "plan", value, confidence: CONFIDENCE.open });
  const thing = subject === speaker.name ? "" : textBetween(text, plannedThing(predicate, group));
  if (thing === "") return [plan];
  const slot = slotOfThing("status", thing, speaker);
  return [plan, draftOf({ ...common, ...slot, value: "planned", confidence: CONFIDENCE.unsure })];
}

/** Returns the end of a statement ("I stopped running"), and the cancellation of a plan with the same words. */
function ending({ subject, group, validity, day }: Said, value: string): Draft[] {
  const until = { ...validity, to: validity.to ?? day };
  return [
    draftOf({ ...openFact(subject, value), attribute: group.lemma, act: "end", validity: until }),
    draftOf({ subject, attribute: "plan", value, act: "cancel", confidence: CONFIDENCE.unsure }),
  ];
}

/** Returns a negated statement ("I don't eat meat"); "I'm not going to Rome after all" also cancels the plan. */
function denial(said: Said, value: string): Draft[] {
  const { text, subject, group, predicate, validity } = said;
  const time = group.tense === "past" && !group.isPerfect ? happened(said) : { ...validity, to: undefined };
  const denied = draftOf({
    ...openFact(subject, value),
    attribute: `not ${group.lemma}`,
    act: "state",
    validity: time,
  });
  if (!group.isProgressive && group.tense !== "future") return [denied];
  const calledOff = textBetween(text, trimEdges(upToComma(predicate.words))).replace(AFTER_ALL, "");
  const cancelled = { subject, attribute: "plan", value: calledOff, act: "cancel" } as const;
  return [denied, draftOf({ ...cancelled, confidence: CONFIDENCE.unsure })];
}

function statement(said: Said, value: string): Draft {
  const { subject, group, predicate, verb, validity } = said;
  const attribute = group.isPassive ? `be ${verb.split(" ").at(-1)}` : group.lemma;
  const until = validity.from === undefined ? validity.to : undefined;
  const temporary =
    group.isProgressive && group.tense === "present" && !group.isPerfect ? temporaryEnd(said) : undefined;
  const present = validity.isOpenEnded ? validity : { to: until ?? temporary, isOpenEnded: false };
  const isOnce = isPastAction(group, predicate) || (said.isAhead && isSameInPast(group));
  const time = isOnce ? happened(said) : present;
  return draftOf({ ...openFact(subject, value), attribute, act: "state", validity: time });
}

/** Days after which an action in progress ("he is painting the shed") is over, unless it is stated again. */
const PROGRESS_DAYS = 60;

function temporaryEnd({ day }: Said): string | undefined {
  return day === undefined ? undefined : daysAfter(day, PROGRESS_DAYS);
}

/** Returns when a past action took place: on its date, otherwise on the day of the statement. */
function happened({ validity, day, isAhead }: Said): Validity {
  if (isAhead) return { from: day, to: day, isOpenEnded: false };
  // "Photos from 1974" says where they are from, not when it happened.
  const from = validity.isOpenEnded ? day : (validity.from ?? day);
  return { from, to: validity.to ?? day, isOpenEnded: false };
}

function openFact(subject: string, value: string) {
  return { subject, value, cardinality: "open", confidence: CONFIDENCE.open } as const;
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

/** Verbs that say too little without the rest of their sentence. */
const VAGUE = setOf(
  "swear bet say tell think know believe guess suppose hope mean feel see look seem appear find get come ask want miss let make",
);
const LOOSE_SUBJECT =
  /\b(?:that|which|who)\b|^[\d\W]|^(?:one|two|three|four|five|six|seven|eight|nine|ten)$|^(?:same|until|that|who|which|no|not|what|anything|everything)\b|['’]s$|\b(?:until|she|he|they|who|which|that|to|of|from)$/iu;
/** Words at the start of a value that refer to something else, or begin a clause. */
const LOOSE_VALUE = setOf(
  "me you him her them us one ones it is are was were that which what who how why if whether as so and or but",
);

/** Whether subject, relation and value are clear without the sentence. If not, the statement is kept as a whole. */
function isClear({ text, group, subject, predicate }: Said, clause: Clause): boolean {
  const { words, verb } = clause;
  if (textBetween(text, predicate.words).includes("\n")) return false;
  // "What I built for sleep is in the bin": the verb belongs to the subject of another.
  const copula = predicate.words.findIndex((word) => hasTag(word, "Copula"));
  if (copula !== -1 && !predicate.words.slice(0, copula).some(opensClause)) return false;
  if (VAGUE.has(group.lemma) && !group.isOver) return false;
  const [first, second] = trimEdges(predicate.words);
  const mayBeNoun = verb === 0 && !hasTag(words[verb], "PastTense", "Gerund", "Copula", "Auxiliary");
  const isAim = first?.normal === "to" && hasTag(second, "Infinitive");
  // "Anything I cook goes in the freezer": the first verb belongs to the subject of the second.
  const isRelative = hasTag(first, "PresentTense", "Copula", "Modal") && !hasTag(first, "Infinitive", "Gerund", "Noun");
  return (
    !isRelative &&
    !mayBeNoun &&
    agrees(clause) &&
    !isAim &&
    !LOOSE_SUBJECT.test(subject) &&
    !LOOSE_VALUE.has(first?.normal ?? "")
  );
}

/** Whether another clause begins with a word: "I told them it is late", "she said that the shop was shut". */
function opensClause(word: Word): boolean {
  return hasTag(word, "Conjunction", "QuestionWord", "Pronoun") || word.normal === "that";
}

/** Whether a verb may follow its subject: "parental leave" is no subject and verb, as they do not agree. */
function agrees({ subject, words, verb }: Clause): boolean {
  const main = words[verb];
  const isInfinitive =
    hasTag(main, "Infinitive") && !hasTag(main, "PastTense") && !SAME_IN_PAST.has(main?.normal ?? "");
  return (
    !isInfinitive ||
    subject.length === 0 ||
    subject.some((word) => hasTag(word, "Plural", "Pronoun") || MANY.has(word.normal))
  );
}

/** "I cut the hedge on Sunday" is about the last Sunday. */
function isSameInPast({ lemma, tense, isProgressive, isPerfect }: VerbGroup): boolean {
  return tense === "present" && !isProgressive && !isPerfect && SAME_IN_PAST.has(lemma);
}

const SAME_IN_PAST = setOf("put cut set hit shut split let read cost hurt beat quit spread bet");
const MANY = setOf("and team family staff police crew band couple people company committee council");

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
const COMPARISONS = setOf("like than");

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
