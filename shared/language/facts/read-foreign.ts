import { trimmedEnd } from "../../kernel/strings.ts";
import { detectLanguage } from "../languages/detect.ts";
import { alternatives } from "../languages/lists.ts";
import { type Act, USER } from "../slots/fact.ts";
import type { Sentence } from "../statements/passage.ts";
import { CONFIDENCE, type Draft, type DraftInput, draftOf } from "./draft.ts";
import { type Lexicon, lexiconIn, type Verb } from "./foreign-lexicon.ts";
import { type ForeignClause, type ForeignToken, foreignClauses, foreignTokens } from "./foreign-tokens.ts";
import { rememberPerson } from "./pronouns.ts";
import { slotOfThing } from "./properties.ts";
import type { Speaker } from "./topic.ts";
import { type Validity, validityOf } from "./validity.ts";

interface Reading {
  text: string;
  lexicon: Lexicon;
  speaker: Speaker;
  dates: Sentence["dates"];
  /** The day on which it was said. */
  day: string | undefined;
}

/** The subject of a clause, by the person of its verb. */
interface ForeignSubject {
  name: string;
  isFirst: boolean;
}

/**
 * Returns what a sentence in German, French or Spanish says about the speaker and people related to them, by the verbs
 * and nouns of `grammar.ts`.
 */
export function readForeign(
  { text, dates, isEnglish }: Pick<Sentence, "text" | "dates" | "isEnglish">,
  speaker: Speaker,
  day: string | undefined,
): Draft[] {
  const tokens = foreignTokens(text);
  // A short sentence is in the language of the sentence before it.
  const language = detectLanguage(text).language ?? (isEnglish ? undefined : speaker.topic.language);
  const lexicon = lexiconIn(language);
  if (lexicon === undefined) return [];
  speaker.topic.language = language;
  const instruction = speaker.name === USER ? readInstruction(text, tokens, lexicon) : undefined;
  if (instruction !== undefined) return [instruction];
  const clauses = foreignClauses(
    { text, dates },
    tokens,
    ({ normal }) => lexicon.and.has(normal),
    ({ normal }) => lexicon.verbs.has(normal) || lexicon.is.has(normal) || lexicon.have.has(normal),
  );
  const reading = { text, lexicon, speaker, dates, day };
  const drafts: Draft[] = [];
  const { mover } = speaker.topic;
  const earlier: Move | undefined = mover === undefined ? undefined : { who: mover, isPast: true };
  let move = earlier;
  let subject: ForeignSubject | undefined;
  for (const [index, clause] of clauses.entries()) {
    if (clause.isQuoted || clause.tokens.some(({ normal }) => lexicon.hypothetical.has(normal))) continue;
    subject =
      subjectOf(clause, reading) ??
      pronounIn(clause, reading) ??
      (beginsWithVerb(clause, lexicon) ? subject : undefined);
    if (subject !== undefined && !subject.isFirst) rememberPerson(speaker.topic, subject.name, undefined);
    const numbered = readNumbered(clause, reading);
    const found = numbered.length > 0 ? numbered : readClause(clause, clauses[index + 1], subject, reading);
    const moved = found.some(({ attribute }) => attribute === "lives_in")
      ? undefined
      : readMove(clause, subject, move, reading);
    if (moved !== undefined) move = moved.move;
    drafts.push(...found, ...(moved?.draft === undefined ? [] : [moved.draft]));
  }
  speaker.topic.mover = move === earlier ? undefined : move?.who;
  return drafts;
}

/** "Sie", "er", "elle": the person whom the text mentioned last. */
function pronounIn({ tokens }: ForeignClause, { lexicon, speaker }: Reading): ForeignSubject | undefined {
  const { person } = speaker.topic;
  const isPronoun = tokens.slice(0, 2).some(({ normal }) => lexicon.third.has(normal));
  return person === undefined || !isPronoun ? undefined : { name: person, isFirst: false };
}

/** "Zimmer 12", "Linie 9": the number of the room or line of the person whom the text is about. */
function readNumbered({ tokens }: ForeignClause, { lexicon, speaker }: Reading): Draft[] {
  const [noun, number, ...rest] = tokens;
  if (noun === undefined || number === undefined || rest.length > 0) return [];
  if (!lexicon.numbered.has(noun.normal) || !/^\d/u.test(number.text)) return [];
  const subject = speaker.topic.person ?? speaker.name;
  const common = { act: "state", cardinality: "single", confidence: CONFIDENCE.property } as const;
  return [draftOf({ ...common, subject, attribute: noun.normal, value: number.text })];
}

/** A move whose destination is not stated yet. */
interface Move {
  who: string;
  isPast: boolean;
  from?: string | undefined;
}

/** "Wir ziehen um, nach Kassel", "Umgezogen! Lindenstraße 4": who moves, and the destination, which may follow later. */
function readMove(
  { tokens }: ForeignClause,
  subject: ForeignSubject | undefined,
  before: Move | undefined,
  { text, lexicon, speaker, dates, day }: Reading,
): { move?: Move | undefined; draft?: Draft } | undefined {
  const said = written(text, tokens);
  if (lexicon.moves.test(said) && !tokens.some(({ normal }) => lexicon.not.has(normal))) {
    const { from } = validityOf(tokens, dates, lexicon.datePrefixes);
    const isPast = PAST_MOVES.test(said) && (day === undefined || from === undefined || from <= day);
    return { move: { who: subject?.name ?? speaker.name, isPast, from } };
  }
  const groups = before === undefined ? undefined : lexicon.address.exec(said)?.groups;
  const value = groups?.place ?? groups?.street;
  if (before === undefined || value === undefined) return undefined;
  const act = before.isPast || before.from !== undefined ? "state" : "plan";
  const validity = { from: before.from, isOpenEnded: false };
  return { draft: draftOf({ subject: before.who, attribute: "lives_in", value, act, validity }) };
}

const PAST_MOVES = new RegExp(`(?:${alternatives(({ grammar }) => grammar?.pastMoves)})(?!\\p{L})`, "iu");

function readClause(
  clause: ForeignClause,
  next: ForeignClause | undefined,
  subject: ForeignSubject | undefined,
  reading: Reading,
): Draft[] {
  const schedule = readSchedule(clause, reading);
  if (schedule !== undefined) return [schedule];
  const own = readOwn(clause, reading);
  const having = subject?.isFirst ? readHaving(clause, next, reading) : [];
  return [...own, ...having, ...(subject === undefined ? [] : readVerbs(clause, subject, reading))];
}

/** "The rehearsals are on Thursdays now": the schedule of something that belongs to the speaker. */
function readSchedule({ tokens }: ForeignClause, { text, lexicon, speaker }: Reading): Draft | undefined {
  const link = tokens.findIndex(({ normal }) => lexicon.is.has(normal));
  const [lead] = tokens;
  const thing = tokens[link - 1];
  if (lead === undefined || thing === undefined || link < 2 || link > MAX_WORDS_OF_A_PROPERTY) return undefined;
  if (!lexicon.articles.has(lead.normal) && !lexicon.my.has(lead.normal)) return undefined;
  const when = dropWhile(tokens.slice(link + 1), ({ normal }) => lexicon.skipped.has(normal));
  const value = written(text, when);
  if (!lexicon.schedule.test(value)) return undefined;
  const isMany = lexicon.pluralIs.has(tokens[link]?.normal ?? "");
  const name = isMany ? thing.normal.replace(lexicon.pluralEnding, "") : thing.normal;
  return draftOf({ ...slotOfThing("schedule", name, speaker), value, act: "state" });
}

/** "My son is called Emil", "my favourite book is Momo": a person or a property of the speaker. */
function readOwn({ tokens }: ForeignClause, { text, lexicon, speaker }: Reading): Draft[] {
  const my = tokens.findIndex(({ normal }) => lexicon.my.has(normal));
  if (my === -1) return [];
  const behind = dropWhile(tokens.slice(my + 1), ({ normal }) => lexicon.newAdjectives.has(normal));
  const link = behind.findIndex(({ normal }) => lexicon.is.has(normal) || lexicon.isCalled.has(normal));
  const noun = behind[0];
  if (noun === undefined) return [];
  const slot = lexicon.kin.get(noun.normal);
  const isNamedNow = behind[1]?.isName === true && slot !== undefined;
  const value = isNamedNow ? nameAt(behind.slice(1), lexicon) : withoutLead(behind.slice(link + 1), lexicon);
  const common = { subject: speaker.name, act: "state" } as const;
  if (slot !== undefined) {
    const isName = value[0]?.isName === true && (isNamedNow || link === 1 || link === 2);
    return isName ? [draftOf({ ...common, attribute: slot, value: `${written(text, value)} (${noun.text})` })] : [];
  }
  if (link < 1 || link > MAX_WORDS_OF_A_PROPERTY || value.length === 0) return [];
  if (tokens.some(({ normal }) => lexicon.not.has(normal))) return [];
  const attribute = written(text, behind.slice(0, link)).toLowerCase();
  return [
    draftOf({
      ...common,
      attribute,
      value: written(text, value),
      cardinality: "single",
      confidence: CONFIDENCE.property,
    }),
  ];
}

const MAX_WORDS_OF_A_PROPERTY = 3;

/** "I have a dog", "we have two daughters, Lucía and Marta". */
function readHaving(
  { tokens }: ForeignClause,
  next: ForeignClause | undefined,
  { text, lexicon, speaker }: Reading,
): Draft[] {
  const have = tokens.findIndex(({ normal }) => lexicon.have.has(normal));
  const kin = tokens.findIndex(({ normal }, index) => index > have && lexicon.kin.has(normal));
  const slot = lexicon.kin.get(tokens[kin]?.normal ?? "");
  if (have === -1 || slot === undefined || kin - have > MAX_WORDS_OF_A_PROPERTY) return [];
  if (tokens.some(({ normal }) => lexicon.not.has(normal) || lexicon.my.has(normal))) return [];
  const behind = tokens.slice(have + 1).filter(({ normal }) => !lexicon.adverbs.has(normal));
  const names = next !== undefined && isNames(next, lexicon) ? `, ${written(text, next.tokens)}` : "";
  const value = `${written(text, withoutArticle(behind, lexicon))}${names}`;
  return [draftOf({ subject: speaker.name, attribute: slot, value, act: "state" })];
}

/** Returns a draft for each slot that a verb of the clause fills. */
function readVerbs(clause: ForeignClause, subject: ForeignSubject, reading: Reading): Draft[] {
  const { text, lexicon } = reading;
  const { tokens } = clause;
  const drafts: Draft[] = [];
  for (const [index, token] of tokens.entries()) {
    for (const verb of lexicon.verbs.get(token.normal) ?? []) {
      const isPast = verb.past.has(token.normal);
      const agrees = isPast || (subject.isFirst ? verb.forms : verb.others).has(token.normal);
      const value = agrees ? valueIn(verb, tokens, index, reading) : [];
      const effect = value.length === 0 ? undefined : actOf(verb, { tokens, isPast }, reading);
      if (effect === undefined) continue;
      drafts.push(
        draftOf({ subject: subject.name, ...effect, value: written(text, value), confidence: CONFIDENCE_OF_VERBS }),
      );
    }
  }
  return drafts;
}

const CONFIDENCE_OF_VERBS = 0.7;

/** Returns what the verb does to its slot, and when; undefined if it has no effect on the slot. */
function actOf(
  verb: Verb,
  { tokens, isPast }: { tokens: ForeignToken[]; isPast: boolean },
  { lexicon, dates, day }: Reading,
): Pick<DraftInput, "attribute" | "act" | "validity"> | undefined {
  const validity = validityOf(tokens, dates, lexicon.datePrefixes);
  const attribute = verb.slot;
  if (isOver(tokens, lexicon)) {
    return { attribute, act: "end", validity: { to: validity.from ?? day, isOpenEnded: false } };
  }
  if (tokens.some(({ normal }) => lexicon.not.has(normal))) {
    return verb.negated === undefined ? undefined : { attribute: verb.negated, act: "state" };
  }
  const began: Validity = { from: validity.from, isOpenEnded: validity.isOpenEnded };
  if (verb.effect === "start") {
    const act: Act = isPast || began.from !== undefined ? "state" : "plan";
    return { attribute, act, validity: began };
  }
  if (isPast) return { attribute, act: "state", validity: { ...validity, to: validity.to ?? day } };
  return { attribute, act: "state", validity: validity.isOpenEnded ? began : { isOpenEnded: false } };
}

function isOver(tokens: ForeignToken[], { noLonger }: Lexicon): boolean {
  return noLonger.some(([first, second]) => {
    const start = tokens.findIndex(({ normal }) => normal === first);
    return start !== -1 && tokens.some(({ normal }, index) => index > start && normal === second);
  });
}

function valueIn(verb: Verb, tokens: ForeignToken[], verbIndex: number, { lexicon, dates }: Reading): ForeignToken[] {
  const partner = verb.with.size === 0 ? verbIndex : tokens.findIndex(({ normal }) => verb.with.has(normal));
  if (partner === -1) return [];
  const from = Math.max(verbIndex, partner);
  const isDated = ({ start, end }: ForeignToken) =>
    dates.some((date) => date.kind !== "duration" && start < date.end && end > date.start);
  if (typeof verb.value === "object") {
    const { unit } = verb.value;
    const unitIndex = tokens.findIndex(({ normal }, index) => index > from + 1 && normal === unit);
    return unitIndex === -1 ? [] : tokens.slice(unitIndex - 1, unitIndex);
  }
  const isVia = (token: ForeignToken, index: number) =>
    verb.via.has(token.normal) && tokens[index + 1] !== undefined && !isDated(tokens[index + 1] as ForeignToken);
  const behind = tokens.findIndex((token, index) => index > from && isVia(token, index));
  const before = tokens.findIndex((token, index) => index < verbIndex && isVia(token, index));
  const via = behind === -1 ? before : behind;
  if (verb.via.size > 0 && via === -1) return [];
  const start = verb.via.size > 0 ? via + 1 : from + 1;
  const rest = tokens.slice(start, verb.via.size > 0 && via < verbIndex ? verbIndex : undefined);
  const said = withoutLead(rest, lexicon);
  const isIndefinite = rest.slice(0, rest.length - said.length).some(({ normal }) => lexicon.indefinite.has(normal));
  if (verb.value === "name") return isIndefinite ? [] : nameAt(upTo(said, isDated), lexicon);
  const value = upTo(said, (token, index) => isDated(token) || (index > 0 && lexicon.stops.has(token.normal)));
  const isThing =
    value[0] !== undefined && !lexicon.stops.has(value[0].normal) && !lexicon.firstPerson.has(value[0].normal);
  // "My" or a word for a relation does not identify a person.
  const isUnidentified = value.some(({ normal }) => lexicon.my.has(normal) || lexicon.kin.has(normal));
  return isThing && !isUnidentified ? value.slice(0, MAX_WORDS_OF_A_VALUE) : [];
}

const MAX_WORDS_OF_A_VALUE = 4;

/** Returns the tokens up to the last word of the name, or an empty array if there is none. */
function nameAt(tokens: ForeignToken[], { joins, and }: Lexicon): ForeignToken[] {
  const first = tokens.findIndex(({ isName }) => isName);
  if (first === -1 || first > 1) return [];
  let end = first + 1;
  for (let index = end; index < tokens.length; index++) {
    const token = tokens[index] as ForeignToken;
    if (and.has(token.normal)) break;
    if (token.isName) end = index + 1;
    else if (!joins.has(token.normal)) break;
  }
  return tokens.slice(0, end);
}

function upTo(tokens: ForeignToken[], isEnd: (token: ForeignToken, index: number) => boolean): ForeignToken[] {
  const end = tokens.findIndex(isEnd);
  return end === -1 ? tokens : tokens.slice(0, end);
}

/** Returns the tokens without leading adverbs, pronouns, negations and articles. */
function withoutLead(tokens: ForeignToken[], lexicon: Lexicon): ForeignToken[] {
  return withoutArticle(
    dropWhile(tokens, ({ normal }) => lexicon.skipped.has(normal)),
    lexicon,
  );
}

function withoutArticle(tokens: ForeignToken[], { articles }: Lexicon): ForeignToken[] {
  return dropWhile(tokens, ({ normal }) => articles.has(normal));
}

function dropWhile(tokens: ForeignToken[], isDropped: (token: ForeignToken) => boolean): ForeignToken[] {
  const start = tokens.findIndex((token) => !isDropped(token));
  return start === -1 ? [] : tokens.slice(start);
}

/** Whether a clause consists only of names and "and". */
function isNames({ tokens }: ForeignClause, { and }: Lexicon): boolean {
  return tokens.every(({ isName, normal }) => isName || and.has(normal));
}

/** "… and works in Rome": the clause has the subject of the previous clause. */
function beginsWithVerb({ tokens }: ForeignClause, { skipped, verbs, is }: Lexicon): boolean {
  const first = tokens.find(({ normal }) => !skipped.has(normal));
  return first !== undefined && (verbs.has(first.normal) || is.has(first.normal));
}

/** Returns the speaker (by a pronoun or the verb form), a person related to them, or a name before the verb. */
function subjectOf({ tokens }: ForeignClause, { text, lexicon, speaker }: Reading): ForeignSubject | undefined {
  if (tokens.some(({ normal }) => lexicon.firstPerson.has(normal))) return { name: speaker.name, isFirst: true };
  const my = tokens.findIndex(({ normal }) => lexicon.my.has(normal));
  const kin = tokens[my + 1];
  if (my === 0 && kin !== undefined) {
    if (!lexicon.kin.has(kin.normal)) return undefined;
    const name = tokens[my + 2]?.isName ? tokens[my + 2] : calledName(tokens, lexicon);
    return { name: name?.text ?? kin.text, isFirst: false };
  }
  // "Oma ist im Heim": a relative who is called so like a name.
  if (tokens[0] !== undefined && lexicon.relatives.has(tokens[0].normal))
    return { name: tokens[0].text, isFirst: false };
  const verb = tokens.findIndex(({ normal }) => lexicon.verbs.has(normal) || lexicon.have.has(normal));
  if (verb === -1) return undefined;
  const before = tokens.slice(0, verb);
  const isName = verb > 0 && verb <= 2 && before.every((token) => token.isName && !lexicon.skipped.has(token.normal));
  if (isName) return { name: written(text, before), isFirst: false };
  return lexicon.firstPerson.size > 0 ? undefined : { name: speaker.name, isFirst: true };
}

function calledName(tokens: ForeignToken[], { isCalled }: Lexicon): ForeignToken | undefined {
  const called = tokens.findIndex(({ normal }) => isCalled.has(normal));
  const name = called === -1 ? undefined : tokens[called + 1];
  return name?.isName ? name : undefined;
}

/** Returns a standing instruction to the assistant: a "please" with an "always" or "never". */
function readInstruction(text: string, tokens: ForeignToken[], lexicon: Lexicon): Draft | undefined {
  const has = (words: ReadonlySet<string>) => tokens.some(({ normal }) => words.has(normal));
  if (!has(lexicon.please) || !has(lexicon.lasting) || has(lexicon.firstPerson) || /["“”„«»]/u.test(text))
    return undefined;
  return draftOf({
    subject: USER,
    attribute: "instruction",
    value: trimmedEnd(text, /[.!\s]/u),
    act: "state",
    confidence: CONFIDENCE.property,
  });
}

/** Returns the text from the first to the last token, as written. */
function written(text: string, tokens: ForeignToken[]): string {
  return text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
}
