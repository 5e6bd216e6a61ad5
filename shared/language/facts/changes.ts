import { setOf } from "../../kernel/strings.ts";
import { HOMES, slotOfKind } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import { CONFIDENCE, type Draft, type DraftInput, draftOf } from "./draft.ts";
import { isPet } from "./kin.ts";
import { isMedicine, readOff, readStopped } from "./medicines.ts";
import { afterPreposition, changedObject, isNamed, objectOf, type Predicate } from "./phrases.ts";
import { propertyOf, slotOfThing } from "./properties.ts";
import { quantityOf } from "./quantities.ts";
import { subjectOf, THIRD_PERSON_POSSESSIVES } from "./subjects.ts";
import type { Subject } from "./topic.ts";
import { onwards } from "./validity.ts";
import type { Said } from "./verb-slots.ts";
import {
  hasUnresolvedReference,
  isDeterminer,
  textBetween,
  trimEdges,
  upToComma,
  type Word,
  withoutDeterminer,
} from "./words.ts";

const CHANGES =
  setOf(`go move switch change bump raise increase reduce lower cut drop pass transfer rename migrate shift set push bring update
   replace swap convert put rise halve fall climb grow double slip upgrade downgrade adjust extend turn up`);
/** Verbs that make one thing of another: "turned my room into a studio" states no value of "room". */
const CONVERSIONS = setOf("turn convert");
/** Verbs that change where a thing is, or what it runs on. */
const TRANSFERS = setOf("move migrate transfer shift port");
const CANCELS = new Set(["cancel", "call off", "scrap", "abandon", "axe", "shelve", "drop"]);
const STOPS = new Set(["stop", "quit", "give up", "cease"]);
const DEATHS = new Set(["die", "pass away", "euthanize", "euthanise"]);
const SPLITS = new Set(["break up", "split up", "separate", "divorce"]);
const HAPPENS = new Set(["happen", "go ahead", "take place"]);
const IS_OFF =
  /^(?:off|cancelled|canceled|dead|called off|not happening|not going ahead|scrapped|gone|over)(?=$| (?:because|since|for|due|until|again|now|after|as|then)\b)/;

/** Returns what a clause says has changed, ended or been cancelled, or an empty array. */
export function readChange(said: Said, subject: Subject): Draft[] {
  const { lemma, isHypothetical } = said.group;
  if (isHypothetical) return [];
  const [change = ""] = lemma.split(" ");
  if (CANCELS.has(lemma)) return cancelled(said);
  const medicine = STOPS.has(lemma) ? readStopped(said) : readOff(said.predicate, said.group, said);
  const offMedicine = medicine === undefined ? [] : [medicine];
  if (STOPS.has(lemma)) return [...offMedicine, ...stopped(said)];
  if (offMedicine.length > 0) return offMedicine;
  if (STARTS.has(lemma)) return started(said);
  if (DEATHS.has(lemma)) return died(said);
  if (SPLITS.has(lemma)) return split(said);
  const death = euthanized(said);
  if (death.length > 0) return death;
  if (lemma === "be") return isOff(said, subject);
  if (HAPPENS.has(lemma) && said.group.isNegated) return off(said, said.subject, "not happening");
  return CHANGES.has(change) ? changed({ ...said, group: { ...said.group, lemma: change } }, subject) : [];
}

/** "Ownership of X went from A to B", "we raised the budget to 55k", "the doctor put the ramipril up to 10 mg". */
function changed(said: Said, subject: Subject): Draft[] {
  const { text, predicate, validity, speaker, group } = said;
  if (group.isNegated || group.isWished) return [];
  const object = changedObject(predicate);
  const from = textBetween(text, afterPreposition(predicate, ["from"], { dates: true }));
  const targets = [["to", "into"], ["for"]];
  const target =
    targets.find((prepositions) => afterPreposition(predicate, prepositions, { dates: true }).length > 0) ?? [];
  const words = afterPreposition(predicate, target, { dates: true });
  const undated = afterPreposition(predicate, target);
  const isDate = undated.length === 0;
  const to = textBetween(text, isDate ? words : undated);
  if (to === "") return [];
  const time = isDate ? { isOpenEnded: false } : onwards(validity);
  const of = object.length > 0 ? propertyOf(object, text, speaker) : subject;
  // "I put my name down for the race" is no name.
  if (of?.property === "name" && target.includes("for")) return [];
  if (of?.property !== undefined && !(CONVERSIONS.has(group.lemma) && target.includes("into"))) {
    // "Ida has put her price to 75p": not the speaker's.
    const isOthers = THIRD_PERSON_POSSESSIVES.has(object[0]?.normal ?? "");
    const slot = { subject: isOthers ? subject.name : of.name, attribute: of.property };
    return [
      ...ended(slot, from, isDate ? time : validity),
      draftOf({ ...slot, value: to, act: "state", validity: time }),
    ];
  }
  const thing = object.length > 0 ? thingOf(object, text) : said.mayBeThing ? said.subject : undefined;
  if (thing !== undefined && !isDate) {
    const quantity = quantityOf(words, text);
    const isMoved = TRANSFERS.has(group.lemma) && object.length > 0 && (isNamed(words) || isDeterminer(words[0]));
    const measure = quantity?.measure === "number" && isMedicine(thing) ? "dose" : quantity?.measure;
    // "I turned the tank down to 24" is no number of tanks.
    const isPlural = object.length > 0 ? hasTag(object.at(-1), "Plural") : subject.isPlural === true;
    const isCounted = measure !== "number" || isPlural;
    const attribute = isCounted ? (measure ?? (isMoved ? "location" : undefined)) : undefined;
    if (attribute !== undefined) {
      const slot = slotOfThing(attribute, attribute === "dose" ? thing.toLowerCase() : thing, speaker);
      return [
        ...ended(slot, from, validity),
        draftOf({ ...slot, value: quantity?.value ?? to, act: "state", validity: time }),
      ];
    }
  }
  if (from === "" || isUnclearChange(from, to, said)) return [];
  const isMove = group.lemma === "move" && said.isPerson && isBetweenPlaces(predicate);
  const slot = { subject: subject.name, attribute: isMove ? "lives_in" : (slotOfKind(to) ?? "uses") };
  return [...ended(slot, from, validity), draftOf({ ...slot, value: to, act: "state", validity: time })];
}

/** Returns the object of a change if it is a thing, otherwise undefined. */
function thingOf(object: Word[], text: string): string | undefined {
  const words = withoutDeterminer(object);
  const last = words.at(-1);
  const isThing =
    !hasTag(last, "Pronoun", "Person", "Preposition") &&
    !PERIODS.has(last?.normal ?? "") &&
    (hasTag(last, "Noun") || /^[\p{Lu}\d]/u.test(last?.text ?? ""));
  return isThing && words.length <= MAX_THING_WORDS ? textBetween(text, words) : undefined;
}

const MAX_THING_WORDS = 4;
const PERIODS = setOf("day week month year morning evening night term season");

/** Whether somebody moves to or from a known place: "from Ghent to Antwerp", not "from Notion to Obsidian". */
export function isBetweenPlaces(predicate: Predicate): boolean {
  return [["from"], ["to", "into"]].some((prepositions) =>
    afterPreposition(predicate, prepositions).some((word) => hasTag(word, "Place") || HOMES.has(word.normal)),
  );
}

function isUnclearChange(from: string, to: string, { isPerson, group }: Said): boolean {
  return !(
    isPerson &&
    (group.lemma === "switch" || group.lemma === "migrate" || (/^\p{Lu}/u.test(from) && /^\p{Lu}/u.test(to)))
  );
}

function ended(
  slot: Pick<DraftInput, "subject" | "attribute">,
  value: string,
  validity: DraftInput["validity"],
): Draft[] {
  return value === "" ? [] : [draftOf({ ...slot, value, act: "end", ...(validity !== undefined && { validity }) })];
}

/** "We decided to cancel the trip" */
const DECIDED = /^(?:ha(?:ve|s|d) |['’](?:ve|s|d) )?(?:\w+ )?(?:decided|chose|chosen) to /u;

/** "The Tokyo trip is cancelled", "I cancelled the gym". */
function cancelled(said: Said): Draft[] {
  const { text, group, predicate, subject } = said;
  if (group.isNegated || (group.tense === "future" && !DECIDED.test(said.verb))) return [];
  const words = objectOf(predicate);
  // "We dropped her on the 19th", "they cancelled everything": nothing that can be named.
  if (hasUnresolvedReference(words)) return [];
  const object = textBetween(text, withoutDeterminer(words));
  // "Kampala's cancelled": it was.
  const what = group.isPassive || (object === "" && said.mayBeThing) ? subject : object;
  return what === "" || said.speaker.name === what ? [] : off(said, what, "cancelled");
}

function isOff(said: Said, subject: Subject): Draft[] {
  const comma = said.predicate.words.findIndex(({ after }) => after.includes(","));
  const words = comma === -1 ? said.predicate.words : said.predicate.words.slice(0, comma + 1);
  const value = trimEdges(words)
    .map(({ normal }) => normal)
    .join(" ");
  const state = (said.group.isNegated ? `not ${value}` : value).match(IS_OFF)?.[0];
  if (state === undefined || subject.name === said.speaker.name || said.group.tense === "past") return [];
  if (subject.isPerson && state === "dead") return died(said);
  if (!said.mayBeThing) return [];
  return off(said, subject.name, state);
}

function off({ speaker, validity, isAhead }: Said, what: string, state: string): Draft[] {
  if (REFERENCE.test(what)) return [];
  // "Bandon at Christmas is off": it is off from now on.
  const since = isAhead && !validity.isOpenEnded ? { isOpenEnded: false } : onwards(validity);
  const confidence = state.startsWith("cancel") ? CONFIDENCE.slot : CONFIDENCE.unsure;
  return [
    draftOf({ subject: speaker.name, attribute: "plan", value: what, act: "cancel", confidence }),
    draftOf({ ...slotOfThing("status", what, speaker), value: state, act: "state", validity: since }),
  ];
}

/** What only refers to something else: "they cancelled the one on 14 May". */
const REFERENCE = /^(?:the )?(?:ones?|it|that|this|them|those|all|both)\b/iu;

/** "I stopped running", "I've given up coffee": ends what somebody takes, uses or learns. */
function stopped(said: Said): Draft[] {
  const { text, subject, group, predicate, validity } = said;
  if (group.isNegated || group.isWished) return [];
  const object = upToComma(objectOf(predicate));
  const [first] = object;
  if (first === undefined || first.normal === "back" || hasUnresolvedReference(object)) return [];
  const isDoing = hasTag(first, "Gerund") && first.normal.endsWith("ing") && object.length > 1;
  const value = textBetween(text, isDoing ? object.slice(1) : object);
  return [draftOf({ subject, attribute: "does", value, act: "end", validity, confidence: CONFIDENCE.unsure })];
}

const STARTS = new Set(["start", "begin", "take up"]);
const HABITS = new Map(Object.entries({ eat: "eats", drink: "drinks", play: "plays", learn: "learns", use: "uses" }));

/** "I started eating meat again" */
function started({ text, subject, group, predicate, validity, lemmaOf }: Said): Draft[] {
  if (group.isNegated || group.isWished || group.tense === "future") return [];
  const [doing, ...object] = upToComma(objectOf(predicate));
  const attribute = hasTag(doing, "Gerund") ? HABITS.get(lemmaOf(doing?.normal ?? "", "Gerund")) : undefined;
  if (attribute === undefined || object.length === 0 || hasUnresolvedReference(object)) return [];
  return [draftOf({ subject, attribute, value: textBetween(text, object), act: "state", validity: onwards(validity) })];
}

/** "We had to put Rex down", "Rex was put to sleep", "Rex had to go to sleep": the death of the animal. */
function euthanized(said: Said): Draft[] {
  const { group, predicate, text, speaker } = said;
  const words = predicate.words.map(({ normal }) => normal);
  const last = words.findIndex((word, index) => word === "down" || (word === "to" && words[index + 1] === "sleep"));
  if (group.lemma === "put down" && group.isPassive) return died(said);
  if (last === -1 || !(group.tense === "past" || group.isPerfect)) return [];
  if (group.isPassive || (group.lemma === "go" && group.isForced)) return last === 0 ? died(said) : [];
  if (group.lemma !== "put") return [];
  const whom = subjectOf(predicate.words.slice(0, last), text, speaker);
  return whom?.isPerson === true ? died({ ...said, subject: whom.name, isPerson: true }) : [];
}

function died({ subject, validity, group, isPerson, speaker }: Said): Draft[] {
  if (group.isNegated || group.isOver || subject === speaker.name) return [];
  const began = onwards(validity);
  const status = draftOf({
    subject,
    attribute: isPerson ? "status" : `status_of ${subject}`,
    value: "dead",
    act: "state",
    validity: began,
  });
  const left = draftOf({ subject: speaker.name, attribute: "pet", value: subject, act: "end", validity });
  if (!isPerson) {
    const gone = {
      subject: speaker.name,
      value: subject,
      act: "end",
      validity,
      confidence: CONFIDENCE.unsure,
    } as const;
    return [status, isPet(subject) ? left : draftOf({ ...gone, attribute: slotOfKind(subject) ?? "owns" })];
  }
  const ended = ["lives_in", "location", "works_at"].map((attribute) =>
    draftOf({ subject, attribute, value: "", act: "end", validity }),
  );
  return [status, ...ended, left];
}

/** "Nadia and Piotr broke up", "I broke up with Sam". */
function split(said: Said): Draft[] {
  const { text, subject, predicate, validity, group, verb } = said;
  if (group.isNegated || group.tense === "future") return [];
  const other = group.lemma === "divorce" ? objectOf(predicate) : afterPreposition(predicate, ["with", "from"]);
  const pair = subject.split(/ and | & /);
  const [one = subject, partner = textBetween(text, other)] = pair;
  const began = onwards(validity);
  const both =
    pair.length > 1
      ? [
          [one, partner],
          [partner, one],
        ]
      : [[one, partner]];
  return both.flatMap(([name = "", mate = ""]) => [
    draftOf({ subject: name, attribute: "partner", value: mate, act: "end", validity }),
    draftOf({
      subject: name,
      attribute: "relationship_status",
      value: mate === "" ? verb : `${verb} with ${mate}`,
      act: "state",
      validity: began,
    }),
  ]);
}
