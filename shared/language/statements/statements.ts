import { setOf } from "../../kernel/strings.ts";
import { analyse } from "../../kernel/text/text.ts";
import { shareIn } from "./alignment.ts";
import { hasOwnInformation, informativeTokens, isAnswer, isCourtesy, isFiller, opensCourteously } from "./courtesy.ts";
import {
  carriesData,
  declarativePart,
  isForeignRequest,
  isHypothetical,
  isIronic,
  isLastingOrder,
  isPraise,
  isQuestion,
  isRequest,
  lastingOrderIn,
  refuses,
} from "./moods.ts";
import type { Sentence } from "./passage.ts";
import type { Omission, OmissionReason } from "./schemas.ts";
import type { Span } from "./spans.ts";
import { THE_ASSISTANT } from "./speakers.ts";
import { hasTag, type Tagger, type Token } from "./tagging.ts";

/** Sentences of one speaker that depend on each other. */
export interface Statement {
  speaker: string;
  sentences: Sentence[];
  /** The yes-or-no question that it answers, as asked. */
  question?: string;
}

/** Maximum characters of a statement; the next sentence then starts another one. */
const MAX_STATEMENT_CHARACTERS = 280;
/** Maximum words of a sentence without a subject that joins the preceding one. */
const MAX_FRAGMENT_WORDS = 4;
const MAX_ANSWER_WORDS = 6;
const MAX_ANSWER_CHARACTERS = 120;
/** Minimum informative words of an assistant's advice or result. */
const MIN_ASSISTANT_WORDS = 3;
/** Share of terms at which an assistant only repeats the user. */
const REPEATED_SHARE = 0.8;
/** Minimum share of letters; a longer sentence with fewer is a log line, a formula or a dump. */
const MIN_LETTERS_SHARE = 0.55;
const MIN_PROSE_CHARACTERS = 40;

/** Returns the words of a statement, as sent. */
export function wordsOf({ sentences }: Pick<Statement, "sentences">): string {
  const { start, end, message } = spanOf(sentences);
  return message.text.slice(start, end).trim();
}

/** Returns the range of sentences in their message. */
function spanOf(sentences: readonly Sentence[]): Span & Pick<Sentence, "message"> {
  const [first] = sentences;
  const last = sentences.at(-1);
  if (first === undefined || last === undefined) throw new RangeError("a statement has no sentence");
  return { start: first.span.start, end: Math.max(first.span.end, last.span.end), message: first.message };
}

/**
 * Splits a text into statements and omitted sentences, so that nothing is lost silently. In other languages, only
 * courtesies, questions and requests are omitted.
 */
export function readStatements(sentences: Sentence[], tag: Tagger) {
  const statements: Statement[] = [];
  const omitted: Omission[] = [];
  const judge = new Judge();
  let previous: Sentence | undefined;
  for (const sentence of sentences) {
    const tokens = sentence.isEnglish ? tag(sentence) : undefined;
    const { kept, reason, question } = judge.read(sentence, tokens);
    if (sentence.isContext) continue;
    if (reason !== undefined) omitted.push({ text: sentence.text, reason });
    if (kept === undefined) {
      previous = sentence;
      continue;
    }
    const last = previous?.speaker === kept.speaker ? statements.at(-1) : undefined;
    if (question !== undefined) statements.push({ speaker: kept.speaker, sentences: [kept], question });
    else if (last !== undefined && continuesStatement(last, kept, tokens && tag(kept))) last.sentences.push(kept);
    else statements.push({ speaker: kept.speaker, sentences: [kept] });
    previous = sentence;
  }
  return { statements, omitted };
}

/** `kept` is the sentence or its informative part; `reason` is why the rest is dropped. */
export interface Judgement {
  kept?: Sentence;
  reason?: OmissionReason;
  /** The question of another speaker that the sentence answers in a few words. */
  question?: string;
}

/** Judges the sentences of a conversation in order. */
export class Judge {
  /** Terms of kept sentences before an assistant's. */
  readonly #earlierTerms = new Set<string>();
  /** The current ironic block. */
  #ironicBlock: number | undefined;
  #previous: Sentence | undefined;

  /** Returns whether and why a sentence is left out. `tokens` are those of an English sentence. */
  read(sentence: Sentence, tokens: Token[] | undefined): Judgement {
    const question = questionBefore(this.#previous, sentence, tokens);
    const judgement = question === undefined ? this.#judge(sentence, tokens) : { kept: sentence, question };
    if (judgement.reason === "irony") this.#ironicBlock = sentence.block;
    if (judgement.kept !== undefined && sentence.speaker !== THE_ASSISTANT)
      for (const term of analyse(sentence.text)) this.#earlierTerms.add(term);
    this.#previous = sentence;
    return judgement;
  }

  #judge(sentence: Sentence, tokens: Token[] | undefined): Judgement {
    const { text } = sentence;
    const isOfAssistant = sentence.speaker === THE_ASSISTANT;
    if (!isProse(text)) return { reason: "not_prose" };
    if (isCourtesy(text)) return { reason: "small_talk" };
    const isRepeated = isOfAssistant && shareIn(this.#earlierTerms, analyse(text)) >= REPEATED_SHARE;
    if (tokens === undefined) {
      const isKept = !isOfAssistant && carriesData(text);
      if (isQuestion(text)) return isKept ? { kept: sentence } : { reason: "question" };
      if (isForeignRequest(text) && !isKept && !isOfAssistant) return { reason: "request" };
      return isRepeated ? { reason: "repetition" } : { kept: sentence };
    }
    if (isIronic(tokens) || (this.#ironicBlock === sentence.block && isPraise(tokens))) return { reason: "irony" };
    if (isOfAssistant && SUGGESTS.test(text)) return { kept: sentence };
    if (isQuestion(text, tokens)) {
      const part = (isOfAssistant ? undefined : lastingOrderIn(tokens)) ?? declarativePart(tokens);
      if (part !== undefined) return { reason: "question", kept: within(sentence, part) };
      return !isOfAssistant && carriesData(text, tokens) ? { kept: sentence } : { reason: "question" };
    }
    if (isHypothetical(tokens)) return { reason: "hypothetical" };
    const informativeWords = informativeTokens(tokens);
    if (informativeWords === 0 && !isOfAssistant && (refuses(tokens) || isLastingOrder(tokens)))
      return { kept: sentence };
    if (informativeWords === 0 || (opensCourteously(tokens) && !hasOwnInformation(tokens)))
      return { reason: "small_talk" };
    if (!isOfAssistant)
      return isRequest(tokens) && !carriesData(text, tokens) ? { reason: "request" } : { kept: sentence };
    if (isRequest(tokens) && !hasOwnInformation(tokens)) return { reason: "request" };
    const minWords = promises(tokens) ? 1 : MIN_ASSISTANT_WORDS;
    if (informativeWords < minWords && !hasOwnInformation(tokens)) return { reason: "small_talk" };
    return isRepeated ? { reason: "repetition" } : { kept: sentence };
  }
}

/** Returns a part of a sentence, with its own range if the sentence contains it as is. */
function within(sentence: Sentence, part: string): Sentence {
  const offset = sentence.text.indexOf(part);
  const { start, end } = sentence.span;
  if (offset === -1 || end - start !== sentence.text.length) return { ...sentence, text: part };
  return { ...sentence, text: part, span: { start: start + offset, end: start + offset + part.length } };
}

/** Advice in the form of a question. */
const SUGGESTS =
  /^(?:may i (?:suggest|recommend|propose)|might i (?:suggest|recommend|propose)|why (?:not|don['’]t you)|how about|what about|have you (?:tried|considered|thought (?:of|about))) \S+ \S+ \S+/iu;

/** "I will remind you …", "I have booked …": a promise of the assistant, however short. */
function promises(tokens: Token[]): boolean {
  const index = tokens.findIndex(({ normal }) => normal === "i");
  return index !== -1 && ["will", "have"].includes(tokens[index + 1]?.normal ?? "");
}

function isProse(text: string): boolean {
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  const visible = text.match(/\S/gu)?.length ?? 0;
  if (letters <= 1 && !UNSPACED.test(text)) return false;
  return text.length < MIN_PROSE_CHARACTERS || letters / visible >= MIN_LETTERS_SHARE;
}

/** Returns the other speaker's question that a short "yes", "no", "it was not done" or half sentence answers. */
function questionBefore(previous: Sentence | undefined, { speaker, text, isContext }: Sentence, tokens?: Token[]) {
  if (previous === undefined || previous.speaker === speaker || isContext || !isQuestion(previous.text))
    return undefined;
  if (text.length > MAX_ANSWER_CHARACTERS || isQuestion(text, tokens)) return undefined;
  if (isAnswer(text)) return previous.text;
  if (isCourtesy(text)) return undefined;
  if (tokens === undefined) return isShortAnswer(text) ? previous.text : undefined;
  if (tokens.length > MAX_ANSWER_WORDS) return undefined;
  const isIncomplete = !tokens.some((token) => hasTag(token, "Verb"));
  return isIncomplete || POINTING.has(tokens[0]?.normal ?? "") ? previous.text : undefined;
}

/** Whether a text in any script has few words. */
function isShortAnswer(text: string): boolean {
  return UNSPACED.test(text)
    ? text.length <= 2 * MAX_ANSWER_WORDS
    : text.trim().split(/\s+/).length <= MAX_ANSWER_WORDS;
}

/** Words at the start of a sentence that refer to earlier text. */
const POINTING =
  setOf(`it that this these those they them he him she her his their its there then which who also too instead otherwise because
   both same one ones so`);

function lengthWith(sentences: Sentence[], next: Sentence): number {
  return sentences.reduce((sum, { text }) => sum + text.length + 1, 0) + next.text.length;
}

/** Whether a sentence continues a statement: it refers back, or is too short or incomplete to stand alone. */
export function continuesStatement(
  { speaker, sentences }: Pick<Statement, "speaker" | "sentences">,
  sentence: Sentence,
  tokens: Token[] | undefined,
): boolean {
  if (speaker !== sentence.speaker || sentences[0]?.message !== sentence.message) return false;
  if (lengthWith(sentences, sentence) > MAX_STATEMENT_CHARACTERS) return false;
  const isSameBlock = sentences.at(-1)?.block === sentence.block;
  if (tokens === undefined) return isSameBlock && isFragment(sentence.text);
  const relevant = tokens.filter((token, index) => !isFiller(tokens, index) && !hasTag(token, "Adverb"));
  const [first] = relevant;
  if (first !== undefined && POINTING.has(first.normal)) return true;
  if (isSameBlock && informativeTokens(tokens) === 0) return true;
  const verb = relevant.findIndex((token) => hasTag(token, "Verb"));
  return isSameBlock && (verb === -1 || (verb === 0 && tokens.length <= MAX_FRAGMENT_WORDS));
}

/** Whether a sentence has few words, in a script with spaces between words. */
function isFragment(text: string): boolean {
  return !UNSPACED.test(text) && text.trim().split(/\s+/).length <= MAX_FRAGMENT_WORDS;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
