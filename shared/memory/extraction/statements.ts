import { analyse } from "../../retrieval/text.ts";
import { informativeTokens, isCourtesy, opensCourteously, ownInformation } from "./courtesy.ts";
import { isIronic, isPraise } from "./irony.ts";
import { declarativePart, isHypothetical, isQuestion, isRequest, refuses } from "./moods.ts";
import type { Sentence } from "./passage.ts";
import type { Omission, OmissionReason } from "./schemas.ts";
import { THE_ASSISTANT } from "./speakers.ts";
import { hasTag, type Tagger, type Token } from "./tagging.ts";
import { isFiller } from "./vocatives.ts";

/** Sentences of one speaker that belong together: the later ones say nothing without the first. */
export interface Statement {
  speaker: string;
  sentences: Sentence[];
  /** What it answers with a yes or no, as it was asked. */
  question?: string;
}

export interface Statements {
  /** In the text's order. */
  statements: Statement[];
  omitted: Omission[];
}

/** Characters of a statement, beyond which the next sentence begins one of its own. */
const MAX_STATEMENT_CHARACTERS = 280;
/** A sentence of at most so many words, without a subject, goes with the one before it. */
const MAX_FRAGMENT_WORDS = 4;
const MAX_ANSWER_WORDS = 6;
/** An assistant's sentence is advice, a promise or a result when it says at least so much. */
const LEAST_OF_ASSISTANT = 3;
/** An assistant that says this share of its terms after the user says nothing new. */
const REPEATED_SHARE = 0.8;
/** Below this share of letters a longer sentence is a log's line, a formula or a dump. */
const LEAST_LETTERS_SHARE = 0.55;
const LEAST_PROSE_CHARACTERS = 40;

/**
 * What a text states, and what else it holds. Every sentence is in one of the two, so nothing is lost silently. In other
 * languages than English only courtesies and questions are told apart from statements. Of what was said before the text, only
 * what the text goes on with is in a statement.
 */
export function readStatements(sentences: Sentence[], tag: Tagger): Statements {
  const statements: Statement[] = [];
  const omitted: Omission[] = [];
  const context: Context = { heard: new Set(), ironicBlock: undefined };
  let previous: Sentence | undefined;
  for (const sentence of sentences) {
    const tokens = sentence.isEnglish ? tag(sentence) : undefined;
    const asked = questionBefore(previous, sentence, tokens);
    const { kept, reason } = asked === undefined ? judge(sentence, tokens, context) : { kept: sentence };
    if (reason === "irony") context.ironicBlock = sentence.block;
    if (reason !== undefined && !sentence.isContext) omitted.push({ text: sentence.text, reason });
    if (sentence.speaker !== THE_ASSISTANT) for (const term of analyse(sentence.text)) context.heard.add(term);
    previous = sentence;
    if (kept === undefined) continue;
    const last = statements.at(-1);
    if (asked !== undefined) statements.push({ speaker: kept.speaker, sentences: [kept], question: asked });
    else if (last !== undefined && goesWith(last, kept, tokens && tag(kept))) last.sentences.push(kept);
    else statements.push({ speaker: kept.speaker, sentences: [kept] });
  }
  const own = statements.filter((statement) => statement.sentences.some(({ isContext }) => !isContext));
  return { statements: own, omitted };
}

interface Context {
  /** Terms that the others said before an assistant. */
  heard: Set<string>;
  /** The part of the text that is ironic so far. */
  ironicBlock: number | undefined;
}

/** `kept` is the sentence, or the part of it that states something; `reason` says why the rest is left out. */
interface Judgement {
  kept?: Sentence;
  reason?: OmissionReason;
}

/** `tokens` are those of an English sentence. */
function judge(sentence: Sentence, tokens: Token[] | undefined, { heard, ironicBlock }: Context): Judgement {
  const { text } = sentence;
  if (!isProse(text)) return { reason: "not_prose" };
  if (isCourtesy(text)) return { reason: "small_talk" };
  const isRepeated = sentence.speaker === THE_ASSISTANT && shareHeard(text, heard) >= REPEATED_SHARE;
  if (tokens === undefined) {
    if (isQuestion(text)) return { reason: "question" };
    return isRepeated ? { reason: "repetition" } : { kept: sentence };
  }
  if (isIronic(tokens) || (ironicBlock === sentence.block && isPraise(tokens))) return { reason: "irony" };
  if (isQuestion(text, tokens)) {
    const part = declarativePart(tokens);
    return part === undefined ? { reason: "question" } : { kept: { ...sentence, text: part }, reason: "question" };
  }
  if (isHypothetical(tokens)) return { reason: "hypothetical" };
  const informs = informativeTokens(tokens);
  if (informs === 0 && sentence.speaker !== THE_ASSISTANT && refuses(tokens)) return { kept: sentence };
  if (informs === 0 || (opensCourteously(tokens) && !ownInformation(tokens))) return { reason: "small_talk" };
  if (isRequest(tokens) && !ownInformation(tokens)) return { reason: "request" };
  if (sentence.speaker !== THE_ASSISTANT) return { kept: sentence };
  const least = promises(tokens) ? 1 : LEAST_OF_ASSISTANT;
  if (informs < least && !ownInformation(tokens)) return { reason: "small_talk" };
  return isRepeated ? { reason: "repetition" } : { kept: sentence };
}

/** "I will remind you …", "I have booked …": an assistant's word, however short. */
function promises(tokens: Token[]): boolean {
  const place = tokens.findIndex(({ normal }) => normal === "i");
  return place !== -1 && ["will", "have"].includes(tokens[place + 1]?.normal ?? "");
}

function isProse(text: string): boolean {
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  const visible = text.match(/\S/gu)?.length ?? 0;
  return (
    (letters > 1 || UNSPACED.test(text)) &&
    (text.length < LEAST_PROSE_CHARACTERS || letters / visible >= LEAST_LETTERS_SHARE)
  );
}

function shareHeard(text: string, heard: ReadonlySet<string>): number {
  const terms = analyse(text);
  return terms.length === 0 ? 0 : terms.filter((term) => heard.has(term)).length / terms.length;
}

const ANSWER = /^(?:yes|yeah|yep|yup|no|nope|nah|not really|never|always|sometimes)\b/i;

/** The question of somebody else that a short "yes", "no" or half sentence answers. */
function questionBefore(
  previous: Sentence | undefined,
  { speaker, text }: Sentence,
  tokens: Token[] | undefined,
): string | undefined {
  if (previous === undefined || previous.speaker === speaker || !isQuestion(previous.text)) return undefined;
  if (tokens === undefined || tokens.length > MAX_ANSWER_WORDS || isQuestion(text, tokens)) return undefined;
  const isHalf = !isCourtesy(text) && !tokens.some((token) => hasTag(token, "Verb"));
  return isHalf || ANSWER.test(text) ? previous.text : undefined;
}

/** Words that point at what was said before, where a sentence begins with one. */
const POINTING = new Set(
  `it that this these those they them he him she her his their its there then which who also too instead otherwise because
   both same one ones so`.split(/\s+/),
);

/** Whether a sentence goes on with a statement: it points back, or is too short or too little of a sentence to stand alone. */
function goesWith({ speaker, sentences }: Statement, sentence: Sentence, tokens: Token[] | undefined): boolean {
  const length = sentences.reduce((sum, { text }) => sum + text.length + 1, 0) + sentence.text.length;
  if (speaker !== sentence.speaker || length > MAX_STATEMENT_CHARACTERS) return false;
  const isSameBlock = sentences.at(-1)?.block === sentence.block;
  if (tokens === undefined) return isSameBlock && isFragment(sentence.text);
  const said = tokens.filter((token, place) => !isFiller(tokens, place) && !hasTag(token, "Adverb"));
  const [first] = said;
  if (first !== undefined && POINTING.has(first.normal)) return true;
  if (isSameBlock && informativeTokens(tokens) === 0) return true;
  const verb = said.findIndex((token) => hasTag(token, "Verb"));
  return isSameBlock && (verb === -1 || (verb === 0 && tokens.length <= MAX_FRAGMENT_WORDS));
}

/** A sentence of few words, in a script that parts them by spaces. */
function isFragment(text: string): boolean {
  return !UNSPACED.test(text) && text.trim().split(/\s+/).length <= MAX_FRAGMENT_WORDS;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
