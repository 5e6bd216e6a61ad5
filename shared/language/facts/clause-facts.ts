import { setOf } from "../../kernel/strings.ts";
import { HOMES, ROLES } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import { readChange } from "./changes.ts";
import type { Clause } from "./clauses.ts";
import { readCopula, readParticiple, readPrice } from "./copula.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { readEnding, readEvent, readMoved } from "./events.ts";
import { kinOf, readHaving, readNaming, rememberKin, withNamedKin } from "./kin.ts";
import { doseOf, readDoses, readOff } from "./medicines.ts";
import { readNote, readNow } from "./notes.ts";
import { changedObject, isNamed, objectOf, type Predicate, predicateOf } from "./phrases.ts";
import { MAX_THING_WORDS, readPlan } from "./plans.ts";
import { propertyOf, slotOfThing } from "./properties.ts";
import { readRole } from "./roles.ts";
import { subjectOf } from "./subjects.ts";
import { isPastAction, leavesResult } from "./tense.ts";
import { POSSESSIVE, type Speaker, type Subject } from "./topic.ts";
import { notBefore, type Validity } from "./validity.ts";
import { type Lemmatizer, type VerbGroup, verbGroupAt } from "./verb-group.ts";
import { readVerbSlots, type Said } from "./verb-slots.ts";
import { readVersion } from "./versions.ts";
import { afterComma, isDeterminer, textBetween, trimEdges, upToComma, type Word, withoutDeterminer } from "./words.ts";

export interface ClauseContext {
  /** The sentence. */
  text: string;
  speaker: Speaker;
  /** The words of the sentence before the clause. */
  before: Word[];
  /** Subject of the previous clause in the sentence. */
  previous: Subject | undefined;
  validity: Validity;
  /** The clause has a date later than the statement. */
  isAhead: boolean;
  /** ISO date of the statement. */
  day: string | undefined;
  lemmaOf: Lemmatizer;
}

export interface ClauseFacts {
  drafts: Draft[];
  /** The subject that the next clause may continue. */
  subject: Subject | undefined;
}

/** The parts of a clause that its readings share. */
interface ClauseParts {
  clause: Clause;
  group: VerbGroup;
  /** The words after the verb. */
  afterVerb: Word[];
  predicate: Predicate;
}

/** Returns the facts that a clause with a verb states. */
export function readClause(clause: Clause, context: ClauseContext): ClauseFacts {
  const { text, speaker, previous, validity, before } = context;
  const group = verbGroupAt(clause.words, clause.verb, context.lemmaOf);
  // "It's cancelled, the hall is taken": the words after the comma are no object.
  const afterVerb = clause.words[group.end - 1]?.after.includes(",") ? [] : clause.words.slice(group.end);
  const parts = { clause, group, afterVerb, predicate: predicateOf(afterVerb) };
  const note = clause.subject.length === 0 ? readNote(clause.words, text, speaker, validity, before) : [];
  if (note.length > 0) return { drafts: note, subject: undefined };
  speaker.topic.property = propertyAfter(parts, context);
  const subject = clause.continues ? continuedSubject(previous, clause, context) : subjectFor(clause, context);
  if (isSubordinate(clause, group, before.at(-1)?.normal)) return { drafts: [], subject: undefined };
  const doses = dosesIn(parts, context);
  if (subject === undefined || group.lemma === "") {
    const found = readWithoutSubject(parts, context);
    return { drafts: found === undefined ? doses : [found], subject: undefined };
  }
  return readAbout(subject, parts, context, doses);
}

/** Returns the property that later clauses may state: the dose or the thing that this clause is about. */
function propertyAfter({ clause, group, predicate }: ClauseParts, { text, speaker }: ClauseContext) {
  if (group.lemma === "be") return doseOf(clause.subject, speaker) ?? speaker.topic.property;
  const object = changedObject(predicate);
  return doseOf(object, speaker) ?? propertyOf(object, text, speaker) ?? changedRole(object, group, speaker);
}

/** Returns the doses that the clause states as taken now. */
function dosesIn({ clause, group, afterVerb, predicate }: ClauseParts, { text, speaker }: ClauseContext): Draft[] {
  // "I couldn't sleep": what did not happen.
  const isMissed = group.isHypothetical && group.isNegated && PAST_MODALS.has(clause.words[clause.verb]?.normal ?? "");
  const isPast = isMissed || (isPastAction(group, predicate) && !leavesResult(group));
  if (group.isNegated || group.isHypothetical || isPast) return [];
  return [...readDoses(afterVerb, text, speaker), ...readNow(afterComma(afterVerb), text, speaker)];
}

/** "Moved to Ross", "was 40 euros": a fact whose subject an earlier sentence names. */
function readWithoutSubject({ group, afterVerb, predicate }: ClauseParts, context: ClauseContext): Draft | undefined {
  const { text, speaker, validity } = context;
  if (group.lemma === "be") return readPrice(afterVerb, text, speaker, validity);
  return readMoved(predicate, group, { text, speaker }) ?? readOff(predicate, group, { text, speaker, validity });
}

function readAbout(subject: Subject, parts: ClauseParts, context: ClauseContext, doses: Draft[]): ClauseFacts {
  const { clause, group } = parts;
  const { text, speaker } = context;
  const { isPerson } = subject;
  const isOwner = subject.property !== undefined && group.lemma !== "be";
  const name = isOwner
    ? textBetween(text, withoutDeterminer(trimEdges(clause.subject))).replace(POSSESSIVE, "")
    : subject.name;
  const said = saidOf(subject, name, parts, context);
  const stated = readPredicate(said, subject, clause).flatMap((draft) =>
    draft.subject === name && isPerson ? draftsByPerson(draft) : [draft],
  );
  const kin = clause.continues ? [] : kinOf(subject, speaker);
  const drafts = stated.some(isDeath) ? kin.filter(({ attribute }) => attribute !== "partner") : kin;
  const statesDose = doses.length === 0 || stated.some(({ attribute }) => attribute.startsWith("dose_of "));
  const dosesOfSubject = isPerson ? doses.map((draft) => ({ ...draft, subject: name })) : doses;
  drafts.push(...withNamedKin(statesDose ? stated : dosesOfSubject, subject, clause.subject, speaker));
  rememberKin(stated, speaker);
  const isActor = ROLES.has(clause.subject.at(-1)?.normal ?? "");
  return { drafts, subject: isOwner ? { name, isPerson: false, isActor } : subject };
}

function saidOf(
  subject: Subject,
  name: string,
  { clause, group, predicate }: ClauseParts,
  context: ClauseContext,
): Said {
  const { text, speaker, day, lemmaOf, validity, isAhead } = context;
  const { isPerson } = subject;
  return {
    ...{ text, subject: name, isPerson, group, predicate, speaker, day, lemmaOf, validity, isAhead },
    isPronoun: clause.subject.length === 1 && THING_PRONOUNS.has(clause.subject[0]?.normal ?? ""),
    isGroup: clause.subject.at(-1)?.normal === "we",
    mayBeThing: !isPerson || (subject.name !== speaker.name && subject.kin === undefined && !subject.isKnown),
    verb: textBetween(text, clause.words.slice(clause.verb, group.end)),
  };
}

/** "I've changed GPs": a later clause names the new one. */
function changedRole(object: Word[], { lemma, isNegated }: VerbGroup, { name }: Speaker): Subject | undefined {
  const [noun, ...others] = withoutDeterminer(object);
  const role = noun?.normal.replace(/s$/, "") ?? "";
  const isRole = others.length === 0 && (ROLES.has(role) || PLACES_OF_ONE.has(role));
  return isRole && CHANGES_ROLE.has(lemma) && !isNegated ? { name, property: role, isPerson: false } : undefined;
}

const CHANGES_ROLE = setOf("change switch move");
const PLACES_OF_ONE = setOf("gym bank school pharmacy vet hairdresser insurer provider");

/** "My wife died": she is no longer the partner, but a mother stays the mother. */
function isDeath({ attribute, value }: Draft): boolean {
  return attribute === "status" && value === "dead";
}

/** Returns one draft for each person: a statement about "Ann and Ben" is about both. */
function draftsByPerson(draft: Draft): Draft[] {
  return draft.subject.split(" and ").map((subject) => ({ ...draft, subject }));
}

/** "Married to Helen, one daughter": the words left out are "I am". */
function readBareParticiple(said: Said, { subject, words, verb }: Clause): Draft | undefined {
  if (subject.length > 0 || verb !== 0 || !hasTag(words[0], "PastTense", "Participle")) return undefined;
  return readParticiple({ ...said, group: { ...said.group, tense: "present" } }, words);
}

function readPredicate(said: Said, subject: Subject, clause: Clause): Draft[] {
  const { group } = said;
  // "We've redone twelve": the tagger takes an unknown participle for a noun.
  if (group.lemma === "have" && clause.words[clause.verb]?.text === "have" && isBareNoun(said.predicate.words))
    return [];
  if (group.lemma === "have") {
    const found = [readHaving(said), readVerbSlots(said)].find((drafts) => drafts.length > 0);
    return found ?? readPlan(said, clause);
  }
  rememberMover(said);
  const isMoving = group.lemma !== "be" && changedObject(said.predicate).length > 0;
  const event = subject.property === undefined || isMoving ? readEvent(said) : undefined;
  const found = event ?? readEnding(said);
  if (found !== undefined) return [found];
  const version = subject.property === undefined ? readVersion(said) : undefined;
  if (version !== undefined) return [version];
  const naming = readNaming(said);
  if (naming !== undefined) return [naming];
  const role = group.lemma === "become" ? readRole(said, said.predicate.words) : undefined;
  if (role !== undefined) return [role];
  const slots = subject.property === undefined ? readVerbSlots(said) : [];
  if (slots.length > 0) return slots;
  const price =
    PRICE_VERBS.has(group.lemma) && !group.isHypothetical && !group.isNegated && !isPastAction(group, said.predicate)
      ? readPrice(priceWords(said.predicate.words), said.text, said.speaker, said.validity)
      : undefined;
  if (price !== undefined) return [price];
  const changes = readChange(said, subject);
  if (changes.length > 0) return changes;
  if (group.lemma === "be" && !group.isProgressive) return readCopula(said, subject);
  const participle = group.isPassive
    ? readParticiple(said, clause.words.slice(group.end - 1))
    : readBareParticiple(said, clause);
  return participle === undefined ? readPlan(said, clause) : [participle];
}

/** Whether the clause states no fact: "nobody knows why it is locked", "everything I own", "may the bells be spared". */
function isSubordinate(
  { words, verb, subject }: Clause,
  { tense, lemma }: VerbGroup,
  conjunction: string | undefined,
): boolean {
  const first = subject[0] === undefined ? verb : words.indexOf(subject[0]);
  const before = words[first - 1];
  // "I eat late when I'm tired", "he grew while I was out": no lasting state.
  if ((tense === "present" && before?.normal === "when") || (lemma === "be" && conjunction === "while")) return true;
  return first > 0 && (SUBORDINATORS.has(before?.normal ?? "") || (subject.length > 0 && hasTag(before, "Modal")));
}

const PAST_MODALS = setOf("could would");
const THING_PRONOUNS = setOf("it that this");
const SUBORDINATORS = setOf("if unless whether why how everything anything something nothing all what");

/** Whether the words begin with a noun without an article, and an object follows: "redone twelve of the tables". */
function isBareNoun([first, second]: Word[]): boolean {
  return (
    hasTag(first, "Singular") &&
    first?.after === " " &&
    (isDeterminer(second) || (hasTag(second, "Value") && !/\d/u.test(second?.text ?? "")))
  );
}

/** Verbs of sellers: "I charge 40 euros a lesson", "going to 45 a lesson". */
const PRICE_VERBS = setOf("charge quote ask bill cost go");

/** Removes words of direction and the words after a comma: "up to 45 a lesson, cash only". */
function priceWords(words: Word[]): Word[] {
  const start = words.findIndex(({ normal }) => !DIRECTIONS.has(normal));
  return upToComma(words.slice(Math.max(0, start)));
}

const DIRECTIONS = setOf("up down back to for");
const MOVE_VERBS = setOf("move relocate emigrate");

/** Stores who moves, because a later sentence may state the destination: "We're moving." */
function rememberMover({ group, predicate, isPerson, subject, speaker, text }: Said): void {
  const hasComplement = objectOf(predicate).length > 0 || predicate.phrases.length > 0;
  const isMove = MOVE_VERBS.has(group.lemma) && !group.isNegated && !group.isHypothetical && !group.isWished;
  speaker.topic.mover = isMove && isPerson && !hasComplement && text !== "" ? subject : undefined;
}

/** Returns the new home of a person who moves, by an earlier sentence: "A bungalow in Ross, 6 Alders Close". */
export function readDestination(words: Word[], { text, speaker, validity, day }: ClauseContext): Draft[] {
  const { mover } = speaker.topic;
  speaker.topic.mover = undefined;
  if (mover === undefined) return [];
  const preposition = words.findIndex(
    ({ normal }, index) =>
      (normal === "in" || normal === "to" || normal === "at") && isNamed(words.slice(index + 1, index + 2)),
  );
  if (preposition === -1) return readAddress(words, { text, speaker, validity, day }, mover);
  const end = words.findIndex(({ isDate }, index) => index > preposition && isDate);
  const home = trimEdges(
    withoutDeterminer(
      words.slice(HOMES.has(words[preposition - 1]?.normal ?? "") ? 0 : preposition + 1, end === -1 ? undefined : end),
    ),
  );
  const value = textBetween(text, upToNegation(home));
  if (value === "") return [];
  return [draftOf({ subject: mover, attribute: "lives_in", value, act: "state", validity: notBefore(validity, day) })];
}

const ADDRESS =
  /^(?:\d{1,4}\p{Ll}? \p{Lu}[\p{L}']+(?: \p{Lu}[\p{L}']+){0,3}|(?:\p{Lu}[\p{L}']+ ){1,3}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Close|Place|Terrace|Court|Drive|Way|Square|Crescent|Gardens))\b/u;

/** Returns the new home from an address without a preposition: "12 Abbey Road, top floor". */
function readAddress(
  words: Word[],
  { text, speaker, validity, day }: Pick<ClauseContext, "text" | "speaker" | "validity" | "day">,
  subject: string,
): Draft[] {
  const value = ADDRESS.exec(textBetween(text, words))?.[0];
  speaker.topic.mover = undefined;
  if (value === undefined) return [];
  return [draftOf({ subject, attribute: "lives_in", value, act: "state", validity: notBefore(validity, day) })];
}

/** Returns the words before the first negation. */
function upToNegation(words: Word[]): Word[] {
  const end = words.findIndex(({ normal }) => normal === "no" || normal === "not" || normal === "without");
  return end === -1 ? words : trimEdges(words.slice(0, end));
}

/**
 * Returns the previous subject if the clause continues it, as in "Ann works and sings". An infinitive is an order, as
 * in "it is late, call me", unless the speaker is the subject. In "a dog who is old and runs slowly" it is the dog.
 */
function continuedSubject(
  previous: Subject | undefined,
  { words, verb }: Clause,
  { before, speaker: { name } }: ClauseContext,
): Subject | undefined {
  if (before.some(({ normal }) => normal === "who")) return undefined;
  const isOrder = hasTag(words[verb], "Infinitive") && !hasTag(words[verb], "PastTense", "Modal");
  return isOrder && previous?.name !== name ? undefined : previous;
}

/** Returns the subject of a clause. It is the speaker if the sentence begins with its verb. */
function subjectFor(clause: Clause, { text, speaker, before }: ClauseContext): Subject | undefined {
  if (clause.subject.length > 0) return subjectOf(clause.subject, text, speaker);
  if (before.length > 0 || clause.words[clause.verb]?.isQuoted) return undefined;
  const verb = clause.words[clause.verb];
  // "Christmas was quiet": the date is the subject.
  if (hasTag(verb, "Copula") && clause.words[clause.verb - 1]?.isDate) return undefined;
  const isElided =
    hasTag(verb, "PastTense", "Gerund") ||
    (clause.verb === 0 && hasTag(verb, "PresentTense") && !hasTag(verb, "Infinitive", "Copula"));
  // "Ciara got the job. Rang at four in the morning": not the speaker.
  const isOthers = speaker.topic.previousPerson !== undefined && speaker.topic.previousPerson !== speaker.name;
  return isElided && !isOthers ? { name: speaker.name, isPerson: true } : undefined;
}

/** Returns what a fragment such as "no ablation" denies: it cancels a plan and ends a status. */
export function readDenial(words: Word[], { text, speaker }: ClauseContext): Draft[] {
  const no = words.findIndex(({ normal }) => normal === "no");
  const denied = words.slice(no + 1);
  const isBare = denied.every((word) => hasTag(word, "Noun") && !hasTag(word, "Pronoun"));
  if (no === -1 || no > 1 || denied.length === 0 || denied.length > MAX_THING_WORDS || !isBare) return [];
  const thing = textBetween(text, denied);
  const common = { confidence: CONFIDENCE.unsure } as const;
  return [
    draftOf({ ...common, subject: speaker.name, attribute: "plan", value: thing, act: "cancel" }),
    draftOf({ ...common, ...slotOfThing("status", thing, speaker), value: "", act: "end" }),
  ];
}
