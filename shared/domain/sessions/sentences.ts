import { sentenceCase } from "../../kernel/strings.ts";
import { afterCourtesy } from "../../language/statements/courtesy.ts";
import { isQuestion } from "../../language/statements/moods.ts";
import { type Passage, passageOf, type Sentence, SentenceCutter } from "../../language/statements/passage.ts";
import type { OmissionReason } from "../../language/statements/schemas.ts";
import { speakerName, THE_ASSISTANT, UNNAMED_SPEAKER } from "../../language/statements/speakers.ts";
import type { Statement } from "../../language/statements/statements.ts";
import { loadTagger } from "../../language/statements/tagging.ts";
import { sentenceSegments } from "../../language/words/segments.ts";
import { isLastingInstruction } from "./lasting-instructions.ts";
import type { SessionMessage } from "./session.ts";

/** Maximum characters of a message that rules read; a longer message is a document, and only its start is read. */
const MAX_CHARACTERS = 10_000;

/** Fenced code contains no statements. */
const CODE = /```[\s\S]*?(?:```|$)/g;

export type Turn = Pick<SessionMessage, "role" | "content">;

/** What somebody said, as a quotation with its speaker. */
export interface SummarySentence {
  text: string;
  speaker: string;
  /** The quoted text; absent for an answer, which is quoted with its question. */
  quotation?: string;
  isQuestion: boolean;
  /** Whether it states a preference or a lasting instruction of the user. */
  isLastingInstruction: boolean;
}

/** Caches the passages of messages, because topics, statements and state are read from them. */
const passages = new WeakMap<Turn, Promise<Passage>>();

/** Returns the sentences and statements of a single message. */
export function readMessage(message: Turn): Promise<Passage> {
  const passage = passages.get(message) ?? passageIn([message]);
  passages.set(message, passage);
  return passage;
}

async function passageIn(messages: Turn[]): Promise<Passage> {
  const cut = new SentenceCutter(await loadTagger());
  const spoken = messages.flatMap(({ role, content }, turn) =>
    cut.read(content.slice(0, MAX_CHARACTERS).replace(CODE, ""), speakerName(role), { role, turn }),
  );
  return passageOf(spoken);
}

/**
 * Returns what messages state and what users request, in order, and the questions of the last message. If there are
 * none, returns the other sentences except small talk and repetitions.
 */
export async function summarySentencesOf(messages: Turn[]): Promise<SummarySentence[]> {
  const passage = await passageIn(messages);
  const said = sentencesInOrder(passage);
  const last = passage.sentences.at(-1)?.said_by?.turn;
  const isOpen = ({ text, said_by }: Sentence) => said_by?.turn === last && isQuestion(text) && !REQUEST.test(text);
  const questions = passage.sentences.filter(isOpen).map((each) => quotedSentence(each, "asked"));
  if (said.length + questions.length > 0) return [...said, ...questions];
  const omitted = new Set(passage.omitted.filter(({ reason }) => !EMPTY.has(reason)).map(({ text }) => text));
  return passage.sentences.filter(({ text }) => omitted.has(text)).map((each) => quotedSentence(each, "said"));
}

/** "(and) can you send …?" A question with another verb, such as "Can you believe it?", requests no action. */
const REQUEST =
  /(?:^|[,;:–—-]\s|\b(?:and|so|but|then)\s+)(?:can|could|would|will) you (?:please |kindly |maybe |also )*(?!be\b|believe\b|guess\b|hear\b|imagine\b|see\b|think\b|understand\b)[a-z]/iu;

/** Returns the statements in the order of their sentences, with the users' requests between them. */
function sentencesInOrder({ sentences, statements, omitted }: Passage): SummarySentence[] {
  const byFirst = new Map(statements.map((statement) => [keyOf(statement.sentences[0]), statement]));
  const requests = new Set(omitted.filter(({ reason }) => reason === "request").map(({ text }) => text));
  return sentences.flatMap((sentence, index) => {
    const statement = byFirst.get(keyOf(sentence));
    if (statement !== undefined) return statedSentence(statement, sentences[index - 1]);
    const isAsked = requests.has(sentence.text) || (isQuestion(sentence.text) && REQUEST.test(sentence.text));
    return isAsked && sentence.speaker !== THE_ASSISTANT ? [quotedSentence(sentence, "asked")] : [];
  });
}

function keyOf(sentence: Sentence | undefined): string {
  return `${sentence?.said_by?.turn} ${sentence?.span.start}`;
}

const MAX_QUESTION = 160;
/** Pronouns at the start of an answer that refer to the question, and answers without a verb of their own. */
const POINTING = /^(?:it|that|this|those|these|they|he|she)\b/i;
const MAX_ANSWER_WORDS = 12;

/** Returns a statement as a quotation, with the question before it if it needs that. */
function statedSentence({ speaker, sentences, question }: Statement, before?: Sentence): SummarySentence {
  const quotation = sentences.map(({ text }) => closed(sentenceCase(afterCourtesy(text)))).join(" ");
  const isInstructionOfUser = speaker !== THE_ASSISTANT && sentences.some(isLastingInstruction);
  const rest = { speaker, isQuestion: false, isLastingInstruction: isInstructionOfUser };
  const asked = question ?? questionBefore(sentences, before);
  if (asked === undefined) return { ...rest, text: quote(speaker, "said", quotation), quotation };
  return { ...rest, text: answered(sentenceCase(asked), speaker, quotation) };
}

function questionBefore([first]: Sentence[], before: Sentence | undefined): string | undefined {
  if (first === undefined || before === undefined || before.speaker === first.speaker) return undefined;
  if (!isQuestion(before.text) || REQUEST.test(before.text) || before.text.length > MAX_QUESTION) return undefined;
  const isShort = first.text.split(/\s+/).length <= MAX_ANSWER_WORDS && !/^(?:i|we|my|our)\b/i.test(first.text);
  return isShort || POINTING.test(first.text) ? before.text : undefined;
}

function answered(question: string, speaker: string, said: string): string {
  return `Asked "${question.replaceAll('"', "'")}", ${speaker} answered "${said.replaceAll('"', "'")}"`;
}

/** Returns a sentence as a quotation. */
function quotedSentence({ speaker, text }: Sentence, verb: Verb): SummarySentence {
  const quotation = closed(sentenceCase(text));
  return {
    text: quote(speaker, verb, quotation),
    quotation,
    speaker,
    isQuestion: verb === "asked",
    isLastingInstruction: false,
  };
}

const EMPTY: ReadonlySet<OmissionReason> = new Set(["small_talk", "repetition"]);

type Verb = "said" | "asked";

/** Returns a quotation with its speaker. */
export function quote(speaker: string, verb: Verb, quotation: string): string {
  return `${sentenceCase(speaker)} ${verb}: "${quotation.replaceAll('"', "'")}"`;
}

const SAID = /^(.{1,60}?) said: "(.*)"$/;

/** Splits the lines of a summary into sentences and single quotations. */
export function parseSummaryLines(text: string): SummarySentence[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line): SummarySentence[] => {
      const [, speaker = "", quotation = ""] = SAID.exec(line) ?? [];
      const rest = { isQuestion: false, isLastingInstruction: false };
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
