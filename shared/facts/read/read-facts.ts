import type { Passage, Sentence } from "../../memory/extraction/passage.ts";
import { THE_ASSISTANT, UNNAMED_SPEAKER } from "../../memory/extraction/speakers.ts";
import type { Tagger } from "../../memory/extraction/tagging.ts";
import { analyse } from "../../retrieval/text.ts";
import { ASSISTANT, type FactDraft, USER } from "../fact.ts";
import { relatedSlots } from "../related-slots.ts";
import { readAssistant } from "./assistant.ts";
import { readClause } from "./clause-facts.ts";
import { clausesOf } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { readForeign } from "./foreign/read-foreign.ts";
import { readInstruction } from "./instructions.ts";
import { readKeyValues, readNote } from "./notes.ts";
import { SpanFinder } from "./spans.ts";
import { isOthersWord, type Speaker, type Subject, type Topic } from "./subjects.ts";
import { dayOf, validityOf } from "./validity.ts";
import type { Lemmatizer } from "./verb-group.ts";
import { isInQuotes, wordsOf } from "./words.ts";

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
  for (const { sentences } of passage.statements) {
    if (found.length >= MAX_DRAFTS) break;
    const [first] = sentences;
    if (first === undefined) continue;
    const name = subjectName(first.speaker, userName);
    const topic = topics.get(name) ?? {};
    topics.set(name, topic);
    const whole = { start: content.length, end: 0 };
    let isRead = true;
    let isOthers = false;
    for (const sentence of sentences) {
      const span = spans.find(sentence.text);
      whole.start = Math.min(whole.start, span.start);
      whole.end = Math.max(whole.end, span.end);
      isQuoted = isInQuotes(content.slice(quotedUpTo, span.start), isQuoted);
      quotedUpTo = Math.max(quotedUpTo, span.start);
      const read = readSentence(sentence, { name, topic }, { tag, lemmaOf, day, isQuoted });
      isRead &&= read.isRead;
      isOthers ||= read.isOthers ?? false;
      for (const draft of read.drafts) found.push(...withRelated({ ...draft, span }));
    }
    if (isRead || isOthers || name === ASSISTANT) continue;
    const text = sentences.map((sentence) => sentence.text).join(" ");
    if (isInformative(text)) found.push({ ...statementOf(text, name, first.isEnglish), span: whole });
  }
  return found.slice(0, MAX_DRAFTS);
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
  /** The sentence begins within quotation marks. */
  isQuoted: boolean;
}

/** `isRead` is false where the rules could not tell the parts of some clause apart. */
interface SentenceFacts {
  drafts: Draft[];
  isRead: boolean;
  /** It quotes what somebody says of themselves. */
  isOthers?: boolean;
}

function readSentence(sentence: Sentence, speaker: Speaker, { tag, lemmaOf, day, isQuoted }: Tools): SentenceFacts {
  const foreign = speaker.name === ASSISTANT || isQuoted ? undefined : readForeign(sentence, speaker, day);
  if (foreign !== undefined) return foreign;
  if (!sentence.isEnglish) return { drafts: [], isRead: false };
  const { text } = sentence;
  const words = wordsOf(sentence, tag(sentence), isQuoted);
  if (speaker.name === ASSISTANT) return { drafts: readAssistant(text, words), isRead: true };
  const keyValues = readKeyValues(text, words, speaker);
  if (keyValues.length > 0) return { drafts: keyValues, isRead: true };
  const instruction = speaker.name === USER ? readInstruction(text, words) : undefined;
  if (instruction !== undefined) return { drafts: [instruction], isRead: true };
  const drafts: Draft[] = [];
  let isRead = true;
  let previous: Subject | undefined;
  speaker.topic.thing = undefined;
  for (const clause of clausesOf(words)) {
    const validity = validityOf(clause.words, sentence.dates);
    const isAhead = day !== undefined && validity.from !== undefined && validity.from > day;
    const before = words.filter(({ end }) => end <= (clause.words[0]?.start ?? 0));
    const read =
      clause.verb === -1
        ? { drafts: readNote(clause.words, text, speaker, validity, before), subject: undefined }
        : readClause(clause, { text, speaker, before, previous, validity, isAhead, day, lemmaOf });
    previous = read.subject ?? (clause.continues ? previous : undefined);
    remember(speaker.topic, read.subject);
    isRead &&= read.drafts.length > 0 || clause.words.length <= 1;
    drafts.push(...read.drafts);
  }
  const isHedged = words.some(({ normal }) => HEDGES.has(normal));
  const penalty = isHedged ? HEDGED_PENALTY : 0;
  return {
    drafts: drafts.map((draft) => ({ ...draft, confidence: draft.confidence - penalty })),
    isRead,
    isOthers: words.some(isOthersWord),
  };
}

function remember(topic: Topic, subject: Subject | undefined): void {
  if (subject === undefined || subject.name === USER) return;
  if (subject.isPerson) topic.person = subject.isKnown ? subject.name : undefined;
  else topic.thing = subject.property?.split("_of ")[1] ?? subject.name;
}

/** A statement as a whole, of whoever makes it. */
function statementOf(value: string, subject: string, isEnglish: boolean): Draft {
  const confidence = isEnglish ? CONFIDENCE.statement : CONFIDENCE.foreign;
  return draftOf({ subject, attribute: "", value, act: "state", cardinality: "open", confidence });
}
