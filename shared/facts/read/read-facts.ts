import { type Anchor, annotateDates } from "../../memory/dates/annotate.ts";
import type { Passage, Sentence } from "../../memory/extraction/passage.ts";
import { THE_ASSISTANT, UNNAMED_SPEAKER } from "../../memory/extraction/speakers.ts";
import { hasTag, type Tagger } from "../../memory/extraction/tagging.ts";
import { analyse } from "../../retrieval/text.ts";
import { ASSISTANT, type FactDraft, USER } from "../fact.ts";
import { relatedSlots } from "../related-slots.ts";
import { readAssistant } from "./assistant.ts";
import { type ClauseContext, readClause, readDenial, readDestination } from "./clause-facts.ts";
import { clausesOf } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { readForeign } from "./foreign/read-foreign.ts";
import { readInstruction } from "./instructions.ts";
import { readKeyValues, readNote } from "./notes.ts";
import { relationOf } from "./relations.ts";
import { type Row, rowsOf } from "./rows.ts";
import { SpanFinder } from "./spans.ts";
import { isOthersWord, type Speaker, type Subject, type Topic } from "./subjects.ts";
import { dayOf, validityOf } from "./validity.ts";
import type { Lemmatizer } from "./verb-group.ts";
import { isInQuotes, textBetween, type Word, withoutInsertions, wordsOf } from "./words.ts";

export interface FactsInput {
  content: string;
  /** What extraction read out of the content: its statements and their dates. */
  passage: Pick<Passage, "statements" | "anchor">;
  /** The tagger that read the passage, which knows its sentences. */
  tag: Tagger;
  lemmaOf: Lemmatizer;
  /** The user's name: what somebody of that name says of themselves is of the user. */
  userName?: string | undefined;
}

const MAX_DRAFTS = 100;
const HEDGES = new Set("maybe perhaps might probably possibly guess think seems kinda".split(" "));
const HEDGED_PENALTY = 0.2;

/**
 * What a text says, as drafts of facts: by subject, relation and value of each statement. What no slot fits is an open
 * fact, and a statement whose parts the rules cannot tell apart is one as a whole. Takes time linear in the text's length.
 */
export function readFacts(input: FactsInput): FactDraft[] {
  const { content, passage, tag, lemmaOf, userName } = input;
  const spans = new SpanFinder(content);
  let quotedUpTo = 0;
  let isQuoted = false;
  const topics = new Map<string, Topic>();
  const day = passage.anchor === undefined ? undefined : dayOf(passage.anchor.instant.toISOString());
  const found: FactDraft[] = [];
  const rows = rowsOf(content);
  const userNames = namesOf(userName);
  for (const { sentences } of passage.statements) {
    if (found.length >= MAX_DRAFTS) break;
    const [first] = sentences;
    if (first === undefined) continue;
    const name = subjectName(first.speaker, userName);
    const topic = topics.get(name) ?? {};
    topics.set(name, topic);
    const speaker = { name, topic, userNames };
    const whole = { start: content.length, end: 0 };
    let isRead = true;
    let isOthers = false;
    for (const sentence of sentences) {
      const span = spans.find(sentence.text);
      whole.start = Math.min(whole.start, span.start);
      whole.end = Math.max(whole.end, span.end);
      isQuoted = isInQuotes(content.slice(quotedUpTo, span.start), isQuoted);
      quotedUpTo = Math.max(quotedUpTo, span.start);
      const own = rowsWithin(rows, span);
      const tools = { tag, lemmaOf, day, isQuoted, anchor: passage.anchor };
      const read = own === undefined ? readSentence(sentence, speaker, tools) : readRows(own, speaker, tools);
      isRead &&= read.isRead;
      isOthers ||= read.isOthers ?? false;
      for (const draft of read.drafts) found.push(...withRelated({ span, ...draft }));
    }
    if (isRead || isOthers || name === ASSISTANT) continue;
    const text = sentences.map((sentence) => sentence.text).join(" ");
    if (isInformative(text)) found.push({ ...statementOf(text, name, first.isEnglish), span: whole });
  }
  return found.slice(0, MAX_DRAFTS);
}

/** The rows that begin within a sentence; undefined where it is not of a list. */
function rowsWithin(rows: Row[], { start, end }: FactDraft["span"]): Row[] | undefined {
  const touched = rows.some((row) => row.start < end && row.end > start);
  return touched ? rows.filter((row) => row.start >= start && row.start < end) : undefined;
}

/** What a list's rows say; the assistant's say nothing. */
function readRows(rows: Row[], speaker: Speaker, { tag, lemmaOf, anchor }: Tools): SentenceFacts<FactDraft> {
  if (speaker.name === ASSISTANT) return { drafts: [], isRead: true };
  const drafts = rows.flatMap(({ key, value, start, end, heading }) => {
    const text = `${key}: ${value}`;
    const relation = heading === undefined ? undefined : relationOf(tag({ text: heading }), lemmaOf);
    const read = readKeyValues(
      text,
      wordsOf({ text, dates: annotateDates(text, anchor) }, tag({ text })),
      speaker,
      relation,
    );
    return read.map((draft) => ({ ...draft, span: { start, end } }));
  });
  return { drafts, isRead: true };
}

function namesOf(name: string | undefined): ReadonlySet<string> {
  const whole = name?.toLowerCase() ?? "";
  return new Set([whole, whole.split(" ")[0] ?? ""].filter((each) => each !== ""));
}

/** Fewer terms say too little to be a fact. */
const MIN_TERMS = 3;

function isInformative(text: string): boolean {
  return analyse(text).length >= MIN_TERMS;
}

function withRelated(draft: FactDraft): FactDraft[] {
  return [draft, ...relatedSlots(draft)];
}

function subjectName(speaker: string, userName: string | undefined): string {
  if (speaker === UNNAMED_SPEAKER || speaker.toLowerCase() === userName?.toLowerCase()) return USER;
  return speaker === THE_ASSISTANT ? ASSISTANT : speaker;
}

interface Tools {
  tag: Tagger;
  lemmaOf: Lemmatizer;
  day: string | undefined;
  anchor: Anchor | undefined;
  /** The sentence begins within quotation marks. */
  isQuoted: boolean;
}

/** `isRead` is false where the rules could not tell the parts of some clause apart. */
interface SentenceFacts<Read = Draft> {
  drafts: Read[];
  isRead: boolean;
  /** It quotes what somebody says of themselves. */
  isOthers?: boolean;
}

function readSentence(sentence: Sentence, speaker: Speaker, { tag, lemmaOf, day, isQuoted }: Tools): SentenceFacts {
  const { text } = sentence;
  const isOwn = speaker.name !== ASSISTANT && !isQuoted;
  if (!sentence.isEnglish && !isOwn) return { drafts: [], isRead: false };
  const all = wordsOf(sentence, tag(sentence), isQuoted);
  const words = withoutSpeaker(all, text, speaker);
  const foreign = isOwn ? readForeign(sentence, speaker, day) : undefined;
  if (foreign !== undefined && foreign.drafts.length > 0) return foreign;
  if (!sentence.isEnglish) return { drafts: readShortNotes(text, words, speaker), isRead: false };
  if (speaker.name === ASSISTANT) return { drafts: readAssistant(text, words), isRead: true };
  const keyValues = words === all ? readKeyValues(text, words, speaker) : [];
  if (keyValues.length > 0) return { drafts: keyValues, isRead: true };
  const instruction = speaker.name === USER ? readInstruction(text, words) : undefined;
  if (instruction !== undefined) return { drafts: [instruction], isRead: true };
  const drafts: Draft[] = [];
  let isRead = true;
  let previous: Subject | undefined;
  speaker.topic.thing = undefined;
  for (const clause of clausesOf(withoutInsertions(words))) {
    const validity = validityOf(clause.words, sentence.dates);
    const isAhead = day !== undefined && validity.from !== undefined && validity.from > day;
    const before = words.filter(({ end }) => end <= (clause.words[0]?.start ?? 0));
    const context = { text, speaker, before, previous, validity, isAhead, day, lemmaOf };
    const read =
      clause.verb === -1
        ? { drafts: readFragment(clause.words, context), subject: undefined }
        : readClause(clause, context);
    previous = read.subject ?? (clause.continues ? previous : undefined);
    remember(speaker.topic, read.subject);
    if (clause.verb === -1) rememberName(speaker.topic, clause.words, text);
    isRead &&= read.drafts.length > 0 || clause.words.length <= 1;
    drafts.push(...read.drafts);
    rememberEvent(speaker.topic, read.drafts);
  }
  const isHedged = words.some(({ normal }) => HEDGES.has(normal));
  const penalty = isHedged ? HEDGED_PENALTY : 0;
  return {
    drafts: drafts.map((draft) => ({ ...draft, confidence: draft.confidence - penalty })),
    isRead,
    isOthers: words.some(isOthersWord),
  };
}

/** Without the name that a line of a conversation begins with. */
function withoutSpeaker(words: Word[], text: string, { name }: Speaker): Word[] {
  const isNamed = text.toLowerCase().startsWith(`${name.toLowerCase()}:`);
  return isNamed ? words.filter(({ start }) => start > name.length) : words;
}

/** What words without a verb say. */
function readFragment(words: Word[], context: ClauseContext): Draft[] {
  const { text, speaker, validity, before } = context;
  const noted = readNote(words, text, speaker, validity, before);
  return [noted, readDestination(words, context), readDenial(words, context)].find((read) => read.length > 0) ?? [];
}

/** Notes, whose language does not matter: "Passwort: x", "locker 31, code 7740". */
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

/** Longer sentences of a language that is not known are no notes. */
const MAX_NOTE_WORDS = 12;
/** Of a longer key nobody knows whether it is a sentence. */
const MAX_FOREIGN_KEY_WORDS = 2;

function remember(topic: Topic, subject: Subject | undefined): void {
  if (subject === undefined || (subject.name === USER && subject.isKnown !== true)) return;
  if (subject.isPerson) topic.person = subject.isKnown ? subject.name : undefined;
  else if (subject.owner !== undefined) topic.person = subject.owner;
  else topic.thing = subject.property?.split("_of ")[1] ?? subject.name;
}

/** "new person: Pauline Verstraete": a name by itself, and whose thing a subject is, are who "she" stands for. */
function rememberName(topic: Topic, words: Word[], text: string): void {
  if (hasTag(words[0], "Person") && words.every((word) => /^\p{Lu}/u.test(word.text)))
    topic.person = textBetween(text, words);
}

const TIMED = /^(?:date|schedule)_of (.+)$/;

function rememberEvent(topic: Topic, drafts: Draft[]): void {
  const timed = drafts.map(({ attribute }) => TIMED.exec(attribute)?.[1]).findLast((thing) => thing !== undefined);
  if (timed !== undefined) topic.event = timed;
}

/** A statement as a whole, of whoever makes it. */
function statementOf(value: string, subject: string, isEnglish: boolean): Draft {
  const confidence = isEnglish ? CONFIDENCE.statement : CONFIDENCE.foreign;
  return draftOf({ subject, attribute: "", value, act: "state", cardinality: "open", confidence });
}
