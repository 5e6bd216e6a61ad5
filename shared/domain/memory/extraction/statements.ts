import { setOf } from "../../../kernel/strings.ts";
import { analyse } from "../../../kernel/text/text.ts";
import { shareIn } from "./alignment.ts";
import { hasOwnInformation, informativeTokens, isCourtesy, opensCourteously } from "./courtesy.ts";
import {
  declarativePart,
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
import { THE_ASSISTANT } from "./speakers.ts";
import { hasTag, type Tagger, type Token } from "./tagging.ts";
import { isFiller } from "./vocatives.ts";

/** Sentences of one speaker that depend on each other. */
export interface Statement {
  speaker: string;
  sentences: Sentence[];
  /** The yes-or-no question that it answers, as asked. */
  question?: string;
}

export interface StatementOptions {
  /** Whether the sentences of a short message stay together; by default, they do. */
  wholeMessages?: boolean;
}

/** Maximum characters of a statement; the next sentence then starts another one. */
const MAX_STATEMENT_CHARACTERS = 280;
/**
 * Sentences of one message up to this length stay together: they are about one thing, and one often gives the reason,
 * the time or the subject of another ("Lisbon is off. Thalia broke her ankle").
 */
const MAX_MESSAGE_CHARACTERS = 200;
/** Maximum words of a sentence without a subject that joins the preceding one. */
const MAX_FRAGMENT_WORDS = 4;
const MAX_ANSWER_WORDS = 6;
/** Minimum informative words of an assistant's advice or result. */
const MIN_ASSISTANT_WORDS = 3;
/** Share of terms at which an assistant only repeats the user. */
const REPEATED_SHARE = 0.8;
/** Minimum share of letters; a longer sentence with fewer is a log line, a formula or a dump. */
const MIN_LETTERS_SHARE = 0.55;
const MIN_PROSE_CHARACTERS = 40;

/**
 * Splits a text into statements and omitted sentences, so that nothing is lost silently. In other languages, only
 * courtesies and questions are omitted. Context sentences are included only in statements that continue them.
 */
export function readStatements(sentences: Sentence[], tag: Tagger, { wholeMessages = true }: StatementOptions = {}) {
  const statements: Statement[] = [];
  const omitted: Omission[] = [];
  const context: Context = { earlierTerms: new Set(), ironicBlock: undefined };
  const continues = (last: Statement, sentence: Sentence, tokens: Token[] | undefined) =>
    (wholeMessages && isInMessage(last, sentence)) || continuesStatement(last, sentence, tokens);
  let previous: Sentence | undefined;
  for (const sentence of sentences) {
    const tokens = sentence.isEnglish ? tag(sentence) : undefined;
    const asked = questionBefore(previous, sentence, tokens);
    const isAnswer = previous !== undefined && previous.speaker !== sentence.speaker && isQuestion(previous.text);
    const { kept, reason } = asked === undefined ? judge(sentence, tokens, context) : { kept: sentence };
    if (reason === "irony") context.ironicBlock = sentence.block;
    if (reason !== undefined && !sentence.isContext) omitted.push({ text: sentence.text, reason });
    if (sentence.speaker !== THE_ASSISTANT) for (const term of analyse(sentence.text)) context.earlierTerms.add(term);
    previous = sentence;
    if (kept === undefined) continue;
    const last = statements.at(-1);
    if (asked !== undefined) statements.push({ speaker: kept.speaker, sentences: [kept], question: asked });
    else if (last !== undefined && !isAnswer && continues(last, kept, tokens && tag(kept))) last.sentences.push(kept);
    else statements.push({ speaker: kept.speaker, sentences: [kept] });
  }
  const own = statements.filter((statement) => statement.sentences.some(({ isContext }) => !isContext));
  return { statements: own, omitted };
}

interface Context {
  /** Terms of other speakers before an assistant. */
  earlierTerms: Set<string>;
  /** The current ironic block. */
  ironicBlock: number | undefined;
}

/** `kept` is the sentence or its informative part; `reason` is why the rest is dropped. */
type Judgement = { kept?: Sentence; reason?: OmissionReason };

/** `tokens` are those of an English sentence. */
function judge(sentence: Sentence, tokens: Token[] | undefined, { earlierTerms, ironicBlock }: Context): Judgement {
  const { text } = sentence;
  if (!isProse(text)) return { reason: "not_prose" };
  if (isCourtesy(text)) return { reason: "small_talk" };
  const isRepeated = sentence.speaker === THE_ASSISTANT && shareIn(earlierTerms, analyse(text)) >= REPEATED_SHARE;
  if (tokens === undefined) {
    if (isQuestion(text)) return { reason: "question" };
    return isRepeated ? { reason: "repetition" } : { kept: sentence };
  }
  if (isIronic(tokens) || (ironicBlock === sentence.block && isPraise(tokens))) return { reason: "irony" };
  if (sentence.speaker === THE_ASSISTANT && SUGGESTS.test(text)) return { kept: sentence };
  if (isQuestion(text, tokens)) {
    const order = sentence.speaker === THE_ASSISTANT ? undefined : lastingOrderIn(tokens);
    const part = order ?? declarativePart(tokens);
    return { reason: "question", ...(part !== undefined && { kept: { ...sentence, text: part, whole: text } }) };
  }
  if (isHypothetical(tokens)) return { reason: "hypothetical" };
  const informativeWords = informativeTokens(tokens);
  if (informativeWords === 0 && sentence.speaker !== THE_ASSISTANT && (refuses(tokens) || isLastingOrder(tokens)))
    return { kept: sentence };
  if (informativeWords === 0 || (opensCourteously(tokens) && !hasOwnInformation(tokens)))
    return { reason: "small_talk" };
  if (isRequest(tokens) && !hasOwnInformation(tokens)) return { reason: "request" };
  if (sentence.speaker !== THE_ASSISTANT) return { kept: sentence };
  const minWords = promises(tokens) ? 1 : MIN_ASSISTANT_WORDS;
  if (informativeWords < minWords && !hasOwnInformation(tokens)) return { reason: "small_talk" };
  return isRepeated ? { reason: "repetition" } : { kept: sentence };
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

const ANSWER = /^(?:yes|yeah|yep|yup|no|nope|nah|not really|never|always|sometimes)\b/i;

/** Returns the other speaker's question that a short "yes", "no", "it was not done" or half sentence answers. */
function questionBefore(previous: Sentence | undefined, { speaker, text }: Sentence, tokens: Token[] | undefined) {
  if (previous === undefined || previous.speaker === speaker || !isQuestion(previous.text)) return undefined;
  if (tokens === undefined || tokens.length > MAX_ANSWER_WORDS || isQuestion(text, tokens)) return undefined;
  const isIncomplete = !isCourtesy(text) && !tokens.some((token) => hasTag(token, "Verb"));
  const refersBack = POINTING.has(tokens[0]?.normal ?? "") && !isCourtesy(text);
  return isIncomplete || refersBack || ANSWER.test(text) ? previous.text : undefined;
}

/** Words at the start of a sentence that refer to earlier text. */
const POINTING =
  setOf(`it that this these those they them he him she her his their its there then which who also too instead otherwise because
   both same one ones so`);

/** Whether a sentence belongs to the same short message as a statement. */
function isInMessage({ speaker, sentences }: Statement, sentence: Sentence): boolean {
  if (sentence.said_by === undefined || speaker !== sentence.speaker) return false;
  return sentences.at(-1)?.block === sentence.block && lengthWith(sentences, sentence) <= MAX_MESSAGE_CHARACTERS;
}

function lengthWith(sentences: Sentence[], next: Sentence): number {
  return sentences.reduce((sum, { text }) => sum + text.length + 1, 0) + next.text.length;
}

/** Whether a sentence continues a statement: it refers back, or is too short or incomplete to stand alone. */
function continuesStatement(
  { speaker, sentences }: Statement,
  sentence: Sentence,
  tokens: Token[] | undefined,
): boolean {
  if (speaker !== sentence.speaker || lengthWith(sentences, sentence) > MAX_STATEMENT_CHARACTERS) return false;
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
