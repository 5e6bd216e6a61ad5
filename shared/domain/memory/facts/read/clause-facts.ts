import { setOf } from "../../../../kernel/strings.ts";
import { hasTag } from "../../extraction/tagging.ts";
import { HOMES, ROLES } from "../slots.ts";
import { readChange } from "./changes.ts";
import type { Clause } from "./clauses.ts";
import { readCopula, readParticiple, readPrice } from "./copula.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { readEnding, readEvent, readMoved } from "./events.ts";
import { kinOf, readHaving, readNaming, rememberKin, withNamedKin } from "./kin.ts";
import { readDoses, readOff } from "./medicines.ts";
import { readNote } from "./notes.ts";
import { MAX_THING_WORDS, readOpen } from "./open-facts.ts";
import { changedObject, isNamed, objectOf, predicateOf } from "./phrases.ts";
import { readRole } from "./roles.ts";
import { propertyOf, type Speaker, type Subject, slotOfThing, subjectOf } from "./subjects.ts";
import { isPastAction, leavesResult } from "./tense.ts";
import { notBefore, type Validity } from "./validity.ts";
import { type Lemmatizer, verbGroupAt } from "./verb-group.ts";
import { readVerbSlots, type Said } from "./verb-slots.ts";
import { readVersion } from "./versions.ts";
import { isDeterminer, textBetween, trimEdges, upToComma, type Word, withoutDeterminer } from "./words.ts";

export interface ClauseContext {
  text: string;
  speaker: Speaker;
  /** The words of the sentence before the clause. */
  before: Word[];
  /** Subject of the previous clause in the sentence. */
  previous: Subject | undefined;
  validity: Validity;
  isAhead: boolean;
  day: string | undefined;
  lemmaOf: Lemmatizer;
}

export interface ClauseFacts {
  drafts: Draft[];
  subject: Subject | undefined;
  /** Whether the clause states a past event instead of a lasting state. */
  isPast: boolean;
}

/** Returns the facts that a clause with a verb states. */
export function readClause(clause: Clause, context: ClauseContext): ClauseFacts {
  const { text, speaker, previous, day, lemmaOf } = context;
  const group = verbGroupAt(clause.words, clause.verb, lemmaOf);
  const behind = clause.words.slice(group.end);
  const predicate = predicateOf(behind);
  const isPast = isPastAction(group, predicate) && !leavesResult(group);
  const note =
    clause.subject.length === 0 ? readNote(clause.words, text, speaker, context.validity, context.before) : [];
  if (note.length > 0) return { drafts: note, subject: undefined, isPast };
  if (group.lemma !== "be") speaker.topic.property = propertyOf(changedObject(predicate), text, speaker);
  const subject = clause.continues ? agreeing(previous, clause, speaker) : subjectFor(clause, context);
  if (isSupposed(clause)) return { drafts: [], subject: undefined, isPast };
  const doses = group.isNegated || group.isUnreal || isPast ? [] : readDoses(behind, text, speaker);
  if (subject === undefined || group.lemma === "") {
    const found =
      group.lemma === "be"
        ? readPrice(behind, text, speaker, context.validity)
        : (readMoved(predicate, group, { text, speaker }) ??
          readOff(predicate, group, { text, speaker, validity: context.validity }));
    return { drafts: found === undefined ? doses : [found], subject: undefined, isPast };
  }
  const { isPerson } = subject;
  const isOwner = subject.property !== undefined && group.lemma !== "be";
  const name = isOwner ? textBetween(text, withoutDeterminer(trimEdges(clause.subject))) : subject.name;
  const { validity, isAhead } = context;
  const said = {
    text,
    subject: name,
    isPerson,
    isPronoun: clause.subject.length === 1 && POINTERS.has(clause.subject[0]?.normal ?? ""),
    mayBeThing: !isPerson || (subject.name !== speaker.name && subject.kin === undefined && !subject.isKnown),
    group,
    predicate,
    verb: textBetween(text, clause.words.slice(clause.verb, group.end)),
    speaker,
    day,
    lemmaOf,
    validity,
    isAhead,
  };
  const drafts = clause.continues ? [] : kinOf(subject, speaker);
  const read = readPredicate(said, subject, clause).flatMap((draft) =>
    draft.subject === name && isPerson ? ofEach(draft) : [draft],
  );
  const own = isPerson ? doses.map((draft) => ({ ...draft, subject: name })) : doses;
  const stated = read.some(({ attribute }) => attribute.startsWith("dose_of ")) || own.length === 0 ? read : own;
  drafts.push(...withNamedKin(stated, subject, clause.subject, speaker));
  rememberKin(read, speaker);
  const isActor = ROLES.has(clause.subject.at(-1)?.normal ?? "");
  return { drafts, subject: isOwner ? { name, isPerson: false, isActor } : subject, isPast };
}

/** A statement about "Ann and Ben" is about each of them. */
function ofEach(draft: Draft): Draft[] {
  return draft.subject.split(" and ").map((subject) => ({ ...draft, subject }));
}

function readPredicate(said: Said, subject: Subject, clause: Clause): Draft[] {
  const { group } = said;
  // "We've redone twelve": a participle that the tagger does not know.
  if (group.lemma === "have" && clause.words[clause.verb]?.text === "have" && isBareNoun(said.predicate.words))
    return [];
  if (group.lemma === "have") {
    const having = readHaving(said);
    return having.length > 0 ? having : readOpen(said, clause);
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
    PRICED.has(group.lemma) && !group.isUnreal && !group.isNegated && !isPastAction(group, said.predicate)
      ? readPrice(priced(said.predicate.words), said.text, said.speaker, said.validity)
      : undefined;
  if (price !== undefined) return [price];
  const changes = readChange(said, subject);
  if (changes.length > 0) return changes;
  if (group.lemma === "be" && !group.isProgressive) return readCopula(said, subject);
  const participle = group.isPassive ? readParticiple(said, clause.words.slice(group.end - 1)) : undefined;
  return participle === undefined ? readOpen(said, clause) : [participle];
}

/** "A big garden if it stays dry", "nobody knows why it's locked": neither says what holds. */
function isSupposed({ words, verb, subject }: Clause): boolean {
  const first = subject[0] === undefined ? verb : words.indexOf(subject[0]);
  return first > 0 && SUPPOSING.has(words[first - 1]?.normal ?? "");
}

const POINTERS = setOf("it that this");
const SUPPOSING = setOf("if unless whether why how");

/** A noun without an article before an object: "redone twelve of the tables". */
function isBareNoun([first, second]: Word[]): boolean {
  return hasTag(first, "Singular") && first?.after === " " && (isDeterminer(second) || hasTag(second, "Value"));
}

/** Verbs of sellers: "I charge 40 euros a lesson", "going to 45 a lesson". */
const PRICED = setOf("charge quote ask bill cost go");

/** Removes a direction and what follows a comma: "up to 45 a lesson, cash only". */
function priced(words: Word[]): Word[] {
  const start = words.findIndex(({ normal }) => !TOWARDS.has(normal));
  return upToComma(words.slice(Math.max(0, start)));
}

const TOWARDS = setOf("up down back to for");
const MOVES = setOf("move relocate emigrate");

/** "We're moving.": remembers who moves, because a later sentence may name the destination. */
function rememberMover({ group, predicate, isPerson, subject, speaker, text }: Said): void {
  const hasComplement = objectOf(predicate).length > 0 || predicate.phrases.length > 0;
  const isMove = MOVES.has(group.lemma) && !group.isNegated && !group.isUnreal && !group.isWished;
  speaker.topic.mover = isMove && isPerson && !hasComplement && text !== "" ? subject : undefined;
}

/** "A bungalow in Ross, 6 Alders Close": the destination of a person who is moving by an earlier sentence. */
export function readDestination(words: Word[], { text, speaker, validity, day }: ClauseContext): Draft[] {
  const { mover } = speaker.topic;
  speaker.topic.mover = undefined;
  if (mover === undefined) return [];
  const place = words.findIndex(
    ({ normal }, at) => (normal === "in" || normal === "to" || normal === "at") && isNamed(words.slice(at + 1, at + 2)),
  );
  if (place === -1) return readAddress(words, { text, speaker, validity, day }, mover);
  const end = words.findIndex(({ isDate }, at) => at > place && isDate);
  const told = trimEdges(
    withoutDeterminer(
      words.slice(HOMES.has(words[place - 1]?.normal ?? "") ? 0 : place + 1, end === -1 ? undefined : end),
    ),
  );
  const value = textBetween(text, upToNegation(told));
  if (value === "") return [];
  return [draftOf({ subject: mover, attribute: "lives_in", value, act: "state", validity: notBefore(validity, day) })];
}

const ADDRESS =
  /^(?:\d{1,4}\p{Ll}? \p{Lu}[\p{L}']+(?: \p{Lu}[\p{L}']+){0,3}|(?:\p{Lu}[\p{L}']+ ){1,3}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Close|Place|Terrace|Court|Drive|Way|Square|Crescent|Gardens))\b/u;

/** "12 Abbey Road, top floor": an address without a preposition. */
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

function upToNegation(words: Word[]): Word[] {
  const end = words.findIndex(({ normal }) => normal === "no" || normal === "not" || normal === "without");
  return end === -1 ? words : trimEdges(words.slice(0, end));
}

/** "Ann works and sings", not "It is late, call me": an infinitive continues no subject except the speaker. */
function agreeing(previous: Subject | undefined, { words, verb }: Clause, { name }: Speaker): Subject | undefined {
  const isOrder = hasTag(words[verb], "Infinitive") && !hasTag(words[verb], "PastTense", "Modal");
  return isOrder && previous?.name !== name ? undefined : previous;
}

/** A sentence that begins with its verb omits its subject, the speaker. */
function subjectFor(clause: Clause, { text, speaker, before }: ClauseContext): Subject | undefined {
  if (clause.subject.length > 0) return subjectOf(clause.subject, text, speaker);
  if (before.length > 0 || clause.words[clause.verb]?.isQuoted) return undefined;
  const verb = clause.words[clause.verb];
  // "Christmas was quiet": the date is the subject.
  if (hasTag(verb, "Copula") && clause.words[clause.verb - 1]?.isDate) return undefined;
  const isElided =
    hasTag(verb, "PastTense", "Gerund") ||
    (clause.verb === 0 && hasTag(verb, "PresentTense") && !hasTag(verb, "Infinitive", "Copula"));
  return isElided ? { name: speaker.name, isPerson: true } : undefined;
}

/** "No ablation": what a fragment denies. It only ends something that was planned or held before. */
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
