import type { Passage, Sentence } from "../../memory/extraction/passage.ts";
import { THE_ASSISTANT, UNNAMED_SPEAKER } from "../../memory/extraction/speakers.ts";
import type { Tagger } from "../../memory/extraction/tagging.ts";
import { ASSISTANT, type FactDraft, USER } from "../fact.ts";
import { relatedSlots } from "../related-slots.ts";
import { readAssistant } from "./assistant.ts";
import { readClause } from "./clause-facts.ts";
import { clausesOf } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { readInstruction } from "./instructions.ts";
import { readKeyValues, readNote } from "./notes.ts";
import { SpanFinder } from "./spans.ts";
import type { Speaker, Subject, Topic } from "./subjects.ts";
import { dayOf, validityOf } from "./validity.ts";
import type { Lemmatizer } from "./verb-group.ts";
import { textBetween, trimEdges, wordsOf } from "./words.ts";

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
  const topics = new Map<string, Topic>();
  const day = passage.anchor === undefined ? undefined : dayOf(passage.anchor.instant.toISOString());
  const found: FactDraft[] = [];
  for (const { sentences } of passage.statements) {
    for (const sentence of sentences) {
      if (found.length >= MAX_DRAFTS) return found;
      const name = subjectName(sentence.speaker, userName);
      const topic = topics.get(name) ?? {};
      topics.set(name, topic);
      const span = spans.find(sentence.text);
      for (const draft of readSentence(sentence, { name, topic }, { tag, lemmaOf, day }))
        found.push(...withRelated({ ...draft, span }));
    }
  }
  return found.slice(0, MAX_DRAFTS);
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
}

function readSentence(sentence: Sentence, speaker: Speaker, { tag, lemmaOf, day }: Tools): Draft[] {
  if (!sentence.isEnglish)
    return speaker.name === ASSISTANT ? [] : [statementOf(sentence.text, speaker, CONFIDENCE.foreign)];
  const words = wordsOf(sentence, tag(sentence));
  if (speaker.name === ASSISTANT) return readAssistant(sentence.text, words);
  const keyValues = readKeyValues(sentence.text, words, speaker);
  if (keyValues.length > 0) return keyValues;
  const instruction = speaker.name === USER ? readInstruction(sentence.text, words) : undefined;
  if (instruction !== undefined) return [instruction];
  const drafts: Draft[] = [];
  let previous: Subject | undefined;
  for (const clause of clausesOf(words)) {
    const validity = validityOf(clause.words, sentence.dates);
    const isAhead = day !== undefined && validity.from !== undefined && validity.from > day;
    const text = sentence.text;
    const read =
      clause.verb === -1
        ? { drafts: readNote(clause.words, text, speaker, validity), subject: undefined }
        : readClause(clause, { text, speaker, previous, validity, isAhead, day, lemmaOf });
    previous = read.subject ?? (clause.continues ? previous : undefined);
    remember(speaker.topic, read.subject);
    const told = textBetween(text, trimEdges(clause.words));
    drafts.push(...(read.drafts.length > 0 || told === "" ? read.drafts : [statementOf(told, speaker)]));
  }
  const isHedged = words.some(({ normal }) => HEDGES.has(normal));
  return isHedged ? drafts.map((draft) => ({ ...draft, confidence: draft.confidence - HEDGED_PENALTY })) : drafts;
}

function remember(topic: Topic, subject: Subject | undefined): void {
  if (subject === undefined || subject.name === USER) return;
  if (subject.isPerson) topic.person = subject.name;
  else topic.thing = subject.property?.split("_of ")[1] ?? subject.name;
}

/** A statement as a whole, of whoever makes it. */
function statementOf(value: string, { name }: Speaker, confidence = CONFIDENCE.statement): Draft {
  return draftOf({ subject: name, attribute: "", value, act: "state", cardinality: "open", confidence });
}
