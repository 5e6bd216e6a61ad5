import { dateOf } from "../../kernel/clock.ts";
import { setOf } from "../../kernel/strings.ts";
import { type Anchor, annotateDates } from "../dates/annotate.ts";
import { ASSISTANT, type FactDraft, USER } from "../slots/fact.ts";
import { relatedSlots } from "../slots/related-slots.ts";
import type { Passage, Sentence } from "../statements/passage.ts";
import { SOMEBODY_ELSE, THE_ASSISTANT, UNNAMED_SPEAKER } from "../statements/speakers.ts";
import { hasTag, type Tagger } from "../statements/tagging.ts";
import { OwnVoice } from "../statements/voice/voices.ts";
import { sentenceOf } from "./answers.ts";
import { type ClauseContext, readClause, readDenial, readDestination } from "./clause-facts.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import { withContractions } from "./contractions.ts";
import type { Draft } from "./draft.ts";
import { readAssistant, readInstruction } from "./instructions.ts";
import { readDoses } from "./medicines.ts";
import { readKeyValues, readNote, readNow, readNumbered, readTimes } from "./notes.ts";
import { withoutComment, withoutOpening } from "./openings.ts";
import { genderOf, rememberPerson, rememberThey } from "./pronouns.ts";
import { readForeign } from "./read-foreign.ts";
import { readRepair } from "./repairs.ts";
import { type Row, relationOf, rowsOf } from "./rows.ts";
import type { Speaker, Subject, Topic } from "./topic.ts";
import { validityOf } from "./validity.ts";
import type { Lemmatizer } from "./verb-group.ts";
import { textBetween, type Word, withoutInsertions, wordsOf } from "./words.ts";

export interface FactsInput {
  content: string;
  /** The statements that extraction found in the content, and the reference time of their dates. */
  passage: Pick<Passage, "statements" | "anchor">;
  /** The tagger of the passage, which has already tagged its sentences. */
  tag: Tagger;
  lemmaOf: Lemmatizer;
  /** The user's name: facts about a speaker with this name are facts about the user. */
  userName?: string | undefined;
}

const MAX_DRAFTS = 100;
const HEDGES = setOf("maybe perhaps might probably possibly guess think seems kinda");
const HEDGED_PENALTY = 0.2;

/**
 * Extracts draft facts from a text: subject, slot and value of each clause that the rules can parse. Takes time linear in
 * the text's length.
 */
export function readFacts(input: FactsInput): FactDraft[] {
  const { content, passage, tag, lemmaOf, userName } = input;
  const voice = new OwnVoice(content);
  const topics = new Map<string, Topic>();
  const day = passage.anchor === undefined ? undefined : dateOf(passage.anchor.instant.getTime());
  const found: FactDraft[] = [];
  const rows = rowsOf(content).filter(({ start }) => voice.foreignAt(start) === undefined);
  const userNames = namesOf(userName);
  for (const { sentence: whole, question } of passage.statements.flatMap(sentencesOf)) {
    if (found.length >= MAX_DRAFTS) break;
    if (whole.speaker === SOMEBODY_ELSE) continue;
    const name = subjectName(whole.speaker, userName);
    const topic = topics.get(name) ?? {};
    topics.set(name, topic);
    const speaker = { name, topic, userNames };
    const { span } = whole;
    const sentence =
      whole.speaker === UNNAMED_SPEAKER ? ownPartOf(whole, voice.ownPartOf(span), passage.anchor) : whole;
    if (sentence === undefined) continue;
    const answered = question === undefined ? undefined : sentenceOf(question, sentence.text);
    const said = answered === undefined ? sentence : { ...sentence, text: answered, dates: [], isEnglish: true };
    const sentenceRows = answered === undefined ? rowsWithin(rows, span) : undefined;
    const tools = { tag, lemmaOf, day, anchor: passage.anchor };
    const drafts =
      sentenceRows === undefined ? readSentence(said, speaker, tools) : readRows(sentenceRows, speaker, tools);
    for (const sentenceDraft of drafts) {
      if (sentenceDraft.value === "" && sentenceDraft.act === "state") continue;
      const draft = { span, ...sentenceDraft };
      found.push(draft, ...relatedSlots(draft));
    }
  }
  return found.slice(0, MAX_DRAFTS);
}

/** Returns what the user says in a sentence, `own` being what of it is not others' words; undefined if that is nothing. */
function ownPartOf(sentence: Sentence, own: string | undefined, anchor: Anchor | undefined): Sentence | undefined {
  if (own === undefined) return sentence;
  return /[\p{L}\p{N}]/u.test(own) ? { ...sentence, text: own, dates: annotateDates(own, anchor) } : undefined;
}

/** Returns the sentences of a statement, the first one with the question that it answers. */
function sentencesOf({ sentences, question }: Passage["statements"][number]) {
  return sentences.map((sentence, index) => ({ sentence, ...(index === 0 && question !== undefined && { question }) }));
}

/** Returns the rows that start within a sentence, or undefined if the sentence belongs to no list. */
function rowsWithin(rows: Row[], { start, end }: FactDraft["span"]): Row[] | undefined {
  const overlaps = rows.some((row) => row.start < end && row.end > start);
  return overlaps ? rows.filter((row) => row.start >= start && row.start < end) : undefined;
}

/** Extracts the facts of a list's rows; the assistant's rows have none. */
function readRows(rows: Row[], speaker: Speaker, { tag, lemmaOf, anchor }: Tools): FactDraft[] {
  if (speaker.name === ASSISTANT) return [];
  return rows.flatMap(({ key, value, start, end, heading }) => {
    const text = `${key}: ${value}`;
    const relation = heading === undefined ? undefined : relationOf(tag({ text: heading }), lemmaOf);
    const words = wordsOf({ text, dates: annotateDates(text, anchor) }, tag({ text }));
    return readKeyValues(text, words, speaker, relation).map((draft) => ({ ...draft, span: { start, end } }));
  });
}

/** Returns a full name and its first part in lower case. */
export function namesOf(name: string | undefined): ReadonlySet<string> {
  const whole = name?.toLowerCase() ?? "";
  return new Set([whole, whole.split(" ")[0] ?? ""].filter((part) => part !== ""));
}

/** Returns the name under which the facts of a speaker are stored. */
function subjectName(speaker: string, userName: string | undefined): string {
  if (speaker === UNNAMED_SPEAKER || speaker.toLowerCase() === userName?.toLowerCase()) return USER;
  return speaker === THE_ASSISTANT ? ASSISTANT : speaker;
}

interface Tools {
  tag: Tagger;
  lemmaOf: Lemmatizer;
  /** ISO date of the statement. */
  day: string | undefined;
  anchor: Anchor | undefined;
}

function readSentence(sentence: Sentence, speaker: Speaker, { tag, lemmaOf, day }: Tools): Draft[] {
  const { text } = sentence;
  const isOwn = speaker.name !== ASSISTANT;
  if (!sentence.isEnglish && !isOwn) return [];
  const allWords = withContractions(wordsOf(sentence, tag(sentence)));
  const words = withoutSpeaker(allWords, text, speaker);
  const foreign = isOwn ? readForeign(sentence, speaker, day) : [];
  if (foreign.length > 0) return foreign;
  if (!sentence.isEnglish || words.some(isGermanIn)) return readShortNotes(text, words, speaker);
  if (speaker.name === ASSISTANT) return readAssistant(text, words);
  const instruction = speaker.name === USER ? readInstruction(text, words) : undefined;
  if (instruction !== undefined) return [instruction];
  const keyValues = words === allWords ? readKeyValues(text, words, speaker) : [];
  if (keyValues.length > 0) return keyValues;
  const repair = readRepair(words, text, speaker.topic.stated);
  if (repair !== undefined) return [repair];
  const { statement, isCorrection } = withoutOpening(withoutComment(words));
  const drafts = readClauses(clausesOf(withoutInsertions(statement)), words, { sentence, speaker, day, lemmaOf });
  const penalty = words.some(({ normal }) => HEDGES.has(normal)) ? HEDGED_PENALTY : 0;
  return drafts.map((draft) => ({
    ...draft,
    ...(isCorrection && draft.act === "state" && draft.cardinality === "single" && { act: "correct" }),
    confidence: draft.confidence - penalty,
  }));
}

interface ClauseTools extends Pick<Tools, "day" | "lemmaOf"> {
  sentence: Sentence;
  speaker: Speaker;
}

/** Extracts the facts of a sentence's clauses in order; `words` are all words of the sentence. */
function readClauses(clauses: Clause[], words: Word[], { sentence, speaker, day, lemmaOf }: ClauseTools): Draft[] {
  const { text, dates } = sentence;
  const { topic } = speaker;
  const drafts: Draft[] = [];
  let previous: Subject | undefined;
  topic.thing = undefined;
  topic.property = undefined;
  for (const clause of clauses) {
    const validity = validityOf(clause.words, dates);
    const isAhead = day !== undefined && validity.from !== undefined && validity.from > day;
    const before = words.filter(({ end }) => end <= (clause.words[0]?.start ?? 0));
    const context = { text, speaker, before, previous, validity, isAhead, day, lemmaOf };
    const { person } = topic;
    const read =
      clause.verb === -1
        ? { drafts: readFragment(clause.words, context), subject: undefined }
        : readClause(clause, context);
    previous = read.subject ?? (clause.continues ? previous : undefined);
    if (topic.person === person) rememberSubject(topic, read.subject);
    rememberThey(topic, clause, read.subject);
    if (clause.verb === -1) rememberName(topic, clause.words, text);
    drafts.push(...read.drafts);
    rememberEvent(topic, read.drafts);
    topic.stated =
      read.drafts.findLast(({ act, cardinality }) => act === "state" && cardinality === "single") ?? topic.stated;
  }
  topic.previousPerson = previous?.isPerson ? previous.name : undefined;
  return drafts;
}

/** Whether a word is the German "im", which the tagger reads as "I'm": a capital letter follows in "im Mai". */
function isGermanIn({ contraction }: Word, index: number, words: Word[]): boolean {
  return contraction?.toLowerCase() === "im" && /^\p{Lu}/u.test(words[index + 2]?.text ?? "");
}

/** Removes the speaker's name at the start of a line of a conversation. */
function withoutSpeaker(words: Word[], text: string, { name }: Speaker): Word[] {
  const isNamed = text.toLowerCase().startsWith(`${name.toLowerCase()}:`);
  return isNamed ? words.filter(({ start }) => start > name.length) : words;
}

/** Extracts facts from words without a verb. */
function readFragment(words: Word[], context: ClauseContext): Draft[] {
  const { text, speaker, validity, before } = context;
  const noted = readNote(words, text, speaker, validity, before);
  const timed = noted.length > 0 ? noted : readTimes(words, text, speaker);
  return (
    [
      readDoses(words, text, speaker),
      readNow(words, text, speaker),
      timed,
      readNumbered(words, speaker),
      readDestination(words, context),
      readDenial(words, context),
    ].find((read) => read.length > 0) ?? []
  );
}

/** Extracts notes, which are read in any language: "Passwort: x", "locker 31, code 7740". */
function readShortNotes(text: string, words: Word[], speaker: Speaker): Draft[] {
  if (words.length > MAX_NOTE_WORDS) return [];
  const colon = words.findIndex(({ after }) => after.includes(":"));
  const noted = colon < MAX_FOREIGN_KEY_WORDS ? readKeyValues(text, words, speaker) : [];
  if (noted.length > 0) return noted;
  return clausesOf(words)
    .filter(({ verb }) => verb === -1)
    .flatMap((clause) => {
      const before = words.filter(({ end }) => end <= (clause.words[0]?.start ?? 0));
      return readNote(clause.words, text, speaker, { isOpenEnded: false }, before);
    });
}

/** Longer sentences of an unknown language are not notes. */
const MAX_NOTE_WORDS = 12;
/** A longer key may be a sentence, which cannot be detected in an unknown language. */
const MAX_FOREIGN_KEY_WORDS = 2;

/** Stores the subject as the person or the thing to which later pronouns refer. */
function rememberSubject(topic: Topic, subject: Subject | undefined): void {
  if (subject === undefined || (subject.name === USER && subject.isKnown !== true)) return;
  const name = subject.isActor ? subject.name : subject.owner;
  if (subject.isPerson) rememberPerson(topic, subject.isKnown ? subject.name : undefined, subject.gender);
  else if (name !== undefined) rememberPerson(topic, name, subject.gender);
  else topic.thing = subject.isPlural ? undefined : (subject.property?.split("_of ")[1] ?? subject.name);
}

/** Stores a name without a verb as the person to whom "she" refers: "new person: Pauline Verstraete". */
function rememberName(topic: Topic, words: Word[], text: string): void {
  if (hasTag(words[0], "Person") && words.every((word) => /^\p{Lu}/u.test(word.text)))
    rememberPerson(topic, textBetween(text, words), genderOf(words));
}

const TIMED_ATTRIBUTE = /^(?:date|schedule)_of (.+)$/;

/** Stores the last thing with a date or a schedule as the event to which later sentences refer. */
function rememberEvent(topic: Topic, drafts: Draft[]): void {
  const timed = drafts
    .map(({ attribute }) => TIMED_ATTRIBUTE.exec(attribute)?.[1])
    .findLast((thing) => thing !== undefined);
  if (timed !== undefined) topic.event = timed;
}
