import { hasTag } from "../../extraction/tagging.ts";
import type { Clause } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { behindPreposition, type Predicate } from "./phrases.ts";
import { owning } from "./subjects.ts";
import type { VerbGroup } from "./verb-group.ts";
import type { Said } from "./verb-slots.ts";
import { textBetween, trimEdges, upToComma, type Word, withoutAdverbs, withoutDeterminer } from "./words.ts";

/** Reads what fits no slot: the verb and the words after it. An intention becomes a plan. */
export function readOpen(said: Said, clause: Clause): Draft[] {
  const { text, subject, isPerson, group, predicate, validity, isAhead, day, speaker, verb } = said;
  const value = textBetween(text, trimEdges(predicate.words));
  if (group.isUnreal) return [];
  const time = CLOCK.exec(textBetween(text, upToComma(withoutAdverbs(predicate.words))))?.[1];
  if (time !== undefined && group.tense === "present" && !group.isNegated && !group.isOver) {
    const thing = said.mayBeThing ? subject : group.lemma;
    const attribute = said.mayBeThing ? `schedule_of ${thing}` : `time_of ${thing}`;
    return [
      draftOf({ subject: said.mayBeThing ? owning(thing, speaker) : subject, attribute, value: time, act: "state" }),
    ];
  }
  if (!saysSomething(predicate.words)) return [];
  const isAheadOf =
    isAhead &&
    group.tense === "present" &&
    !group.isPerfect &&
    (group.isProgressive || (isPerson && subject !== speaker.name));
  const isPlan = (group.isWished || !THOUGHTS.has(group.lemma)) && (group.tense === "future" || isAheadOf);
  const entered = ENROLS.has(group.lemma) && !group.isNegated ? behindPreposition(predicate, ["for"]) : [];
  if (entered.length > 0) {
    const thing = textBetween(text, withoutDeterminer(upToComma(entered)));
    const ahead = { from: validity.from, isOpenEnded: false };
    return [
      draftOf({ subject, attribute: "plan", value: thing, act: "plan", validity: ahead, confidence: CONFIDENCE.open }),
    ];
  }
  if (isPlan && !group.isNegated) {
    const words = clause.words.slice(verbFrom(clause, group.end));
    const time = { ...validity, to: validity.isOpenEnded ? undefined : validity.to };
    const common = { act: "plan", validity: time } as const;
    const plan = draftOf({
      ...common,
      subject,
      attribute: "plan",
      value: textBetween(text, words),
      confidence: CONFIDENCE.open,
    });
    const thing = subject === speaker.name ? "" : textBetween(text, plannedThing(predicate, group));
    if (thing === "") return [plan];
    const slot = { subject: owning(thing, speaker), attribute: `status_of ${thing}` };
    return [plan, draftOf({ ...common, ...slot, value: "planned", confidence: CONFIDENCE.unsure })];
  }
  if (value === "" || !isClear(said, clause)) return [];
  const common = { subject, value, cardinality: "open", confidence: CONFIDENCE.open } as const;
  if (group.isOver)
    return [
      draftOf({ ...common, attribute: group.lemma, act: "end", validity: { ...validity, to: validity.to ?? day } }),
      draftOf({ subject, attribute: "plan", value, act: "cancel", confidence: CONFIDENCE.unsure }),
    ];
  if (group.isNegated) {
    const calledOff = textBetween(text, trimEdges(upToComma(predicate.words))).replace(AFTER_ALL, "");
    const isUnplanned = group.isProgressive || group.tense === "future";
    return [
      draftOf({ ...common, attribute: `not ${group.lemma}`, act: "state", validity: { ...validity, to: undefined } }),
      ...(isUnplanned
        ? [draftOf({ subject, attribute: "plan", value: calledOff, act: "cancel", confidence: CONFIDENCE.unsure })]
        : []),
    ];
  }
  const relation = group.isPassive ? `be ${verb.split(" ").at(-1)}` : group.lemma;
  const isPast = group.tense === "past" && !group.isPerfect;
  const happened = {
    ...validity,
    from: validity.from ?? day,
    to: validity.isOpenEnded ? undefined : (validity.to ?? day),
  };
  return [
    draftOf({
      ...common,
      attribute: relation,
      act: "state",
      validity: isPast ? happened : validity.isOpenEnded ? validity : { isOpenEnded: false },
    }),
  ];
}

const AFTER_ALL = / (?:after all|any ?more)$/iu;
/** Verbs of enrolling, which state an intention. */
const ENROLS = new Set(["sign up", "register"]);

/** A recurring time of day: "at 6 every morning", "at 6:30 now because of the builders". */
const CLOCK =
  /^(?:out |off )?at (\d{1,2}(?:[:.]\d{2})?(?: ?[ap]m)?(?: (?:every|each|on|in the) \p{L}+)?)(?: (?:now|again|because|since|from)\b.*)?$/iu;

/** Verbs that say too little without the rest of their sentence. */
const VAGUE = new Set(
  "say tell think know believe guess suppose hope mean feel see look seem appear find get come ask want miss let make".split(
    " ",
  ),
);
const LOOSE_SUBJECT =
  /^[\d\W]|^(?:same|until|that|who|which)\b|['’]s$|\b(?:until|she|he|they|who|which|that|to|of|from)$/iu;
/** Words at the start of a value that refer to something else, or begin a clause. */
const LOOSE_VALUE = new Set(
  "me you him her them us it is are was were that which what who how why if whether as so".split(" "),
);

/** Whether subject, relation and value are clear without the sentence. If not, the statement is kept as a whole. */
function isClear({ group, subject, predicate }: Said, { words, verb }: Clause): boolean {
  if (VAGUE.has(group.lemma) && !group.isOver) return false;
  const [first, second] = trimEdges(predicate.words);
  const mayBeNoun = verb === 0 && !hasTag(words[verb], "PastTense", "Gerund", "Copula", "Auxiliary");
  const isAim = first?.normal === "to" && hasTag(second, "Infinitive");
  return !mayBeNoun && !isAim && !LOOSE_SUBJECT.test(subject) && !LOOSE_VALUE.has(first?.normal ?? "");
}

/** Verbs of thinking and saying, which state no plan, even if they name a future day. */
const THOUGHTS = new Set("think say know hope believe guess suppose tell ask mean see feel".split(" "));

export const MAX_THING_WORDS = 3;

/** Returns the thing that another person plans ("an ablation", "Lisbon"), by which later statements refer to the plan. */
function plannedThing({ words, objectEnd, phrases }: Predicate, { lemma }: VerbGroup): Word[] {
  const [first] = phrases;
  const isTravel = objectEnd === 0 && TRAVELS.has(lemma) && first?.preposition === "to";
  const all = isTravel ? words.slice(first.start, first.end) : words.slice(0, objectEnd);
  const end = all.findIndex(({ after, isDate }) => isDate || after.includes(","));
  const isCut = end !== -1 && all[end]?.isDate === false;
  const thing = trimEdges(withoutDeterminer(end === -1 ? all : all.slice(0, isCut ? end + 1 : end)));
  const isThing = hasTag(thing.at(-1), "Noun") && !hasTag(thing.at(-1), "Pronoun", "Person");
  return isThing && thing.length <= MAX_THING_WORDS ? thing : [];
}

const TRAVELS = new Set("go fly travel".split(" "));

/** Whether more than pronouns and function words follow a verb. */
function saysSomething(words: Word[]): boolean {
  return words.some(
    (word) => hasTag(word, "Noun", "Adjective", "Value", "Gerund", "Verb", "Acronym") && !hasTag(word, "Pronoun"),
  );
}

/** Returns the index of the group's main verb, where a plan's text begins: "flying to Tokyo on December 5th". */
function verbFrom({ words, verb }: Clause, end: number): number {
  const last = words.slice(verb, end).findLastIndex((word: Word) => hasTag(word, "Verb") && !hasTag(word, "Particle"));
  return last === -1 ? verb : verb + last;
}
