import { sentenceSegments } from "../../kernel/segments.ts";
import { sentenceCase } from "../../kernel/strings.ts";
import { afterCourtesy } from "../memory/extraction/courtesy.ts";
import { type StatementFact, statementFactsOf } from "../memory/extraction/facts.ts";
import { isQuestion } from "../memory/extraction/moods.ts";
import { cutSentences, type Passage, passageOf, type Sentence, type SpokenText } from "../memory/extraction/passage.ts";
import type { OmissionReason } from "../memory/extraction/schemas.ts";
import { speakerName, THE_ASSISTANT, UNNAMED_SPEAKER } from "../memory/extraction/speakers.ts";
import { loadTagger, type Tagger } from "../memory/extraction/tagging.ts";
import { isLastingInstruction } from "./lasting-instructions.ts";
import { orderIn, requestIn } from "./orders.ts";
import type { SessionMessage } from "./session.ts";

/** Maximum characters of a message that rules read; a longer message is a document, and only its start is read. */
const MAX_CHARACTERS = 10_000;

/** Fenced code contains no statements. */
const CODE = /```[\s\S]*?(?:```|$)/g;

export type Turn = Pick<SessionMessage, "role" | "content">;

/** A statement as a self-contained sentence: in the third person, or quoted if it is a note. */
export interface SummarySentence {
  text: string;
  speaker: string;
  /** The quoted text, if the text is a quotation. */
  quotation?: string;
  /** The requested action, "to …", if the text reports a request or advice. */
  order?: string;
  isQuestion: boolean;
  /** Whether its subject is a name. */
  isNamed: boolean;
  /** Whether it states a preference or a lasting instruction of the user. */
  isLastingInstruction: boolean;
}

/** Caches the passages of messages, because topics, statements and state are read from them. */
const passages = new WeakMap<Turn, Promise<Passage>>();

/** Returns the sentences and statements of a single message. */
export function readMessage(message: Turn): Promise<Passage> {
  const passage = passages.get(message) ?? loadTagger().then((tag) => passageOf(spokenIn(message, tag)));
  passages.set(message, passage);
  return passage;
}

function spokenIn({ role, content }: Turn, tag: Tagger): SpokenText[] {
  return cutSentences(content.slice(0, MAX_CHARACTERS).replace(CODE, ""), speakerName(role), tag).sentences;
}

/**
 * Returns what messages state and what users request, in order, and the questions of the last message. If there are
 * none, returns the other sentences except small talk and repetitions.
 */
export async function summarySentencesOf(messages: Turn[]): Promise<SummarySentence[]> {
  const tag = await loadTagger();
  let blocks = 0;
  const spoken = messages.map((message) => {
    const sentences = spokenIn(message, tag).map((sentence) => ({ ...sentence, block: sentence.block + blocks }));
    blocks = (sentences.at(-1)?.block ?? blocks) + 1;
    return sentences;
  });
  const passage = await passageOf(spoken.flat());
  const statements = sentencesInOrder(passage, tag);
  const last = spoken.findLast((sentences) => sentences.length > 0) ?? [];
  const open = new Set(last.filter(({ text }) => isQuestion(text)).map(({ text }) => text));
  const questions = passage.sentences
    .slice(-last.length)
    .filter((sentence) => open.has(sentence.text) && requestIn(sentence, tag) === undefined);
  if (statements.length + questions.length > 0)
    return [...statements, ...questions.map((each) => quotedSentence(each, "asked"))];
  const omitted = new Set(passage.omitted.filter(({ reason }) => !EMPTY.has(reason)).map(({ text }) => text));
  return passage.sentences.filter(({ text }) => omitted.has(text)).map((each) => quotedSentence(each, "said"));
}

/** Returns statements in the order of their sentences, with the requests between them. */
function sentencesInOrder(passage: Passage, tag: Tagger): SummarySentence[] {
  const facts = statementFactsOf(passage, tag);
  const statements: SummarySentence[] = [];
  /** Sentences whose statement is already included, so that their questions need not repeat it. */
  const parted = new Set<string>();
  for (const [index, sentence] of passage.sentences.entries()) {
    const [next] = facts;
    const first = next?.statement.sentences[0];
    const isNext = first?.speaker === sentence.speaker && sentence.text === (first.whole ?? first.text);
    if (next !== undefined && isNext)
      statements.push(sentenceInContext(next, passage.sentences[index - 1], { tag, parted }));
    if (isNext) facts.shift();
    if (isNext && first.whole !== undefined) parted.add(first.whole);
    const order = isNext && first?.whole === undefined ? undefined : requestIn(sentence, tag);
    const ordered = order === undefined ? undefined : orderSentence(sentence.speaker, order);
    // A request for a lasting change is a statement, too.
    if (ordered !== undefined && ordered.text !== statements.at(-1)?.text) statements.push(ordered);
  }
  return statements;
}

/** Returns a statement as an order, as the answer to the preceding question, or as a sentence of its own. */
function sentenceInContext(
  fact: StatementFact,
  before: Sentence | undefined,
  { tag, parted }: { tag: Tagger; parted: ReadonlySet<string> },
): SummarySentence {
  const standalone = standaloneSentence(fact);
  const { statement } = fact;
  const [first] = statement.sentences;
  if (first === undefined) return standalone;
  const orders = statement.sentences.map((sentence) => orderIn(sentence, tag));
  const [order] = orders;
  if (order !== undefined && orders.every((each) => each !== undefined)) {
    return {
      ...orderSentence(first.speaker, orders.join(" and ")),
      isLastingInstruction: standalone.isLastingInstruction,
    };
  }
  const needsQuestion = standalone.quotation !== undefined || POINTING.test(first.text);
  if (!needsQuestion || before === undefined || before.speaker === first.speaker) return standalone;
  const isAsked = isQuestion(before.text) && requestIn(before, tag) === undefined;
  if (!isAsked || before.text.length > MAX_QUESTION) return standalone;
  const said = statement.sentences.map(({ text }) => closed(sentenceCase(text))).join(" ");
  const question = parted.has(before.text) ? before.text.replace(STATED_PART, "") : before.text;
  const { quotation, ...rest } = standalone;
  return { ...rest, text: answered(sentenceCase(question), first.speaker, said) };
}

/** The statement before the question in a sentence: "I am vegan, (and) is there …?" */
const STATED_PART = /^.*[,;:–—-]\s+(?:(?:and|so|but)\s+)?(?=\p{L})/u;
const MAX_QUESTION = 160;
/** Pronouns at the start of an answer that refer to the question. */
const POINTING = /^(?:it|that|this|those|these|they|he|she)\b/i;

function answered(question: string, speaker: string, said: string): string {
  return `Asked "${question.replaceAll('"', "'")}", ${speaker} answered "${said.replaceAll('"', "'")}"`;
}

function orderSentence(speaker: string, order: string): SummarySentence {
  return {
    text: describeOrder(speaker, order),
    speaker,
    order,
    isQuestion: false,
    isNamed: false,
    isLastingInstruction: false,
  };
}

/** Returns an order as a sentence with its speaker. */
export function describeOrder(speaker: string, order: string): string {
  const verb = speaker === THE_ASSISTANT ? `advised ${UNNAMED_SPEAKER}` : `asked ${THE_ASSISTANT}`;
  return closed(`${sentenceCase(speaker)} ${verb} ${order}`);
}

/** Returns a sentence as a quotation. */
export function quotedSentence({ speaker, text }: Sentence, verb: Verb): SummarySentence {
  const quotation = closed(sentenceCase(text));
  return {
    text: quote(speaker, verb, quotation),
    quotation,
    speaker,
    isQuestion: verb === "asked",
    isNamed: false,
    isLastingInstruction: false,
  };
}

const EMPTY: ReadonlySet<OmissionReason> = new Set(["small_talk", "repetition"]);

/**
 * Returns a fact as a sentence: its content if it is self-contained and the user said it or it names its speaker,
 * otherwise a quotation with its speaker or the answer to its question.
 */
export function standaloneSentence({ statement, fact, subject, said, isSentence }: StatementFact): SummarySentence {
  const { speaker, sentences, question } = statement;
  const isOwn = speaker === UNNAMED_SPEAKER || fact.content.toLowerCase().includes(speaker.toLowerCase());
  const quotation = said.map((sentence) => closed(sentenceCase(afterCourtesy(sentence)))).join(" ");
  const isInstructionOfUser = speaker !== THE_ASSISTANT && sentences.some(isLastingInstruction);
  const rest = { speaker, isQuestion: false, isNamed: subject === "named", isLastingInstruction: isInstructionOfUser };
  if (question !== undefined) return { ...rest, text: answered(question, speaker, quotation) };
  if (isSentence && isOwn) return { ...rest, text: closed(fact.content) };
  return { ...rest, text: quote(speaker, "said", quotation), quotation };
}

type Verb = "said" | "asked";

/** Returns a quotation with its speaker. */
export function quote(speaker: string, verb: Verb, quotation: string): string {
  return `${sentenceCase(speaker)} ${verb}: "${quotation.replaceAll('"', "'")}"`;
}

const SAID = /^(.{1,60}?) said: "(.*)"$/;
const ASKED_FOR = /^(The user asked the assistant|The assistant advised the user) ((?:not |never |always )?to .*)\.$/;

/** Splits the lines of a summary into sentences and single quotations. */
export function parseSummaryLines(text: string): SummarySentence[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line): SummarySentence[] => {
      const [, lead, order = ""] = ASKED_FOR.exec(line) ?? [];
      if (lead !== undefined)
        return [orderSentence(lead.startsWith("The user") ? UNNAMED_SPEAKER : THE_ASSISTANT, order)];
      const [, speaker = "", quotation = ""] = SAID.exec(line) ?? [];
      const rest = { isQuestion: false, isNamed: false, isLastingInstruction: false };
      if (quotation === "") return [{ ...rest, text: line, speaker }];
      const said = speaker.charAt(0).toLowerCase() + speaker.slice(1);
      const name = said === UNNAMED_SPEAKER || said === THE_ASSISTANT ? said : speaker;
      return sentenceSegments(quotation).map(({ segment }) => {
        const sentence = segment.trim();
        return { ...rest, text: quote(name, "said", sentence), quotation: sentence, speaker: name };
      });
    });
}

/** Adds a full stop if there is no closing mark. */
export function closed(text: string): string {
  return /[.!?…。！？]["'”’»)]?$/u.test(text) ? text : `${text}.`;
}
