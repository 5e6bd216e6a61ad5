import { setOf, trimmedEnd } from "../../../kernel/strings.ts";
import { hasTag, type Token } from "./tagging.ts";
import { isFiller } from "./vocatives.ts";

const QUESTION_END = /[?？؟]$/u;
const ASKING_END = /(?:ですか|ますか|でしょうか|吗|呢|嗎)[。.]?$/u;
const AROUND_END = /[\s"'”’)\]!]/u;

const AUXILIARIES = setOf("can could would will shall should may might do does did is are was were am have has had");
const QUESTION_WORDS = setOf("what which who whom whose when where why how");
const ASKED = setOf("you i we they he she it there this that anyone anybody someone my your the");

/** Whether a sentence is a question: by its last character, and with tokens also without a question mark. */
export function isQuestion(text: string, tokens: Token[] = []): boolean {
  const end = trimmedEnd(text, AROUND_END);
  return QUESTION_END.test(end) || ASKING_END.test(end) || isInversionAt(tokens, startOf(tokens));
}

/** Whether words have the order of a question: "can you …", "do you …", "what is …", "how do I …". */
function isInversionAt(tokens: Token[], index: number): boolean {
  const [first, second, third] = tokens.slice(index, index + 3).map(({ normal }) => normal);
  if (first === undefined || second === undefined) return false;
  if (ELIDING.has(first) && OWN.has(second) && !hasVerbAfter(tokens, index + 2)) return false;
  if (AUXILIARIES.has(first)) return ASKED.has(second);
  return QUESTION_WORDS.has(first) && AUXILIARIES.has(second) && (third === undefined || ASKED.has(third));
}

/** "did the refresher on Thursday" omits its subject; "did the parcel arrive" is a question. */
const ELIDING = new Set(["did", "had"]);
const OWN = new Set(["my", "the"]);

function hasVerbAfter(tokens: Token[], from: number): boolean {
  const next = tokens.slice(from);
  const comma = next.findIndex(({ after }) => after.includes(","));
  const clause = comma === -1 ? next : next.slice(0, comma + 1);
  return clause.some((token) => hasTag(token, "Infinitive", "PastTense"));
}

function startOf(tokens: Token[]): number {
  const start = tokens.findIndex((_token, index) => !isFiller(tokens, index));
  return start === -1 ? 0 : start;
}

const REASONS = new Set(["because", "since", "as"]);
const SPEAKERS = new Set(["i", "we", "my", "our"]);

/** Returns the statement in a question, if any: "My daughter is vegan, can you …?", "Any tips, because I'm …?" */
export function declarativePart(tokens: Token[]): string | undefined {
  for (let index = 1; index < tokens.length; index++) {
    const mark = tokens[index - 1]?.after ?? "";
    const isBreak =
      /[,;:–—-]\s/.test(mark) || /\s[-–—]/.test(mark) || ["and", "so", "but"].includes(tokens[index]?.normal ?? "");
    if (!isBreak) continue;
    const next = hasTag(tokens[index], "Conjunction") ? index + 1 : index;
    if (isInversionAt(tokens, next) && isStatement(tokens.slice(0, index))) return textOf(tokens.slice(0, index));
  }
  const isSpeaker = (index: number) => SPEAKERS.has(tokens[index]?.normal ?? "");
  const reason = tokens.findIndex(({ normal }, index) => REASONS.has(normal) && isSpeaker(index + 1));
  return reason > 0 && isStatement(tokens.slice(reason + 1)) ? textOf(tokens.slice(reason + 1)) : undefined;
}

function isStatement(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const verb = tokens.findIndex((token, index) => index > start && hasTag(token, "Verb", "Copula", "Modal"));
  return verb !== -1 && !isInversionAt(tokens, start) && !QUESTION_WORDS.has(tokens[start]?.normal ?? "");
}

function textOf(tokens: Token[]): string {
  return trimmedEnd(tokens.map(({ before, text, after }) => before + text + after).join(""), /[\s,;:?–—-]/u);
}

const UNREAL = new Set(["would", "could", "might"]);

/** Whether a sentence is hypothetical: "If I won the lottery I would …". Plain conditions are rules and are kept. */
export function isHypothetical(tokens: Token[]): boolean {
  const condition = tokens.findIndex(({ normal }) => normal === "if");
  if (condition === -1 || !tokens.some(({ normal }) => UNREAL.has(normal))) return false;
  const verb = tokens.slice(condition + 1).find((token) => hasTag(token, "Verb", "Copula", "Modal"));
  return hasTag(verb, "PastTense") || verb?.normal === "were";
}

const REQUEST_VERBS =
  setOf(`tell show give write explain help find suggest recommend translate summarize summarise list draft check look search describe
   compare compute calculate generate create make rewrite rephrase edit proofread fix paste read open play continue try wait
   let remember note ignore see think imagine pretend act`);
/** Words that make an order lasting. */
const LASTING = setOf("always never whenever every from not only instead don't avoid stop prefer remember");

/** Whether a sentence is a one-time request: "write me a poem". A lasting one ("always …") is an instruction. */
export function isRequest(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const verb = tokens[start]?.normal === "please" ? start + 1 : start;
  const isOrder =
    REQUEST_VERBS.has(tokens[verb]?.normal ?? "") && hasTag(tokens[verb], "Infinitive", "Imperative", "PresentTense");
  return isOrder && !tokens.some(({ normal }) => LASTING.has(normal));
}

const ALWAYS_OR_NEVER = setOf("always never");

/** Whether a sentence is a lasting order, whatever it is about: "Please never say great question". */
export function isLastingOrder(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const first = tokens[start]?.normal === "please" ? start + 1 : start;
  const verb = tokens[first + 1];
  return ALWAYS_OR_NEVER.has(tokens[first]?.normal ?? "") && hasTag(verb, "Infinitive") && verb?.normal !== "mind";
}

const REQUEST_OPENINGS = setOf("can could");
const COURTEOUS = setOf("please kindly");
const STOPS = setOf("stop avoid leave drop skip cut spare");
/** Words for the form of answers: an order about it holds for every answer. */
export const FORM_OF_ANSWERS = setOf(
  `answers replies responses messages sentences paragraphs bullets bullet lists headings tables emoji emojis markdown jargon
   pleasantries apologies disclaimers exclamation units metric imperial grams kilos ounces miles kilometres kilometers
   metres meters millimetres millimeters feet inches celsius fahrenheit`,
);
const MAX_WORDS_BEFORE_FORM = 4;

/** Returns the order in a question that asks for a lasting change, if any: "stop using emojis" in "Could you stop …?". */
export function lastingOrderIn(tokens: Token[]): string | undefined {
  const start = startOf(tokens);
  if (!REQUEST_OPENINGS.has(tokens[start]?.normal ?? "") || tokens[start + 1]?.normal !== "you") return undefined;
  const order = tokens.slice(start + 2).filter(({ normal }) => !COURTEOUS.has(normal));
  const [verb, ...others] = order;
  const isAboutForm = others.slice(0, MAX_WORDS_BEFORE_FORM).some(({ normal }) => FORM_OF_ANSWERS.has(normal));
  const isStop = STOPS.has(verb?.normal ?? "") && (isAboutForm || hasTag(others[0], "Gerund"));
  return isStop || isLastingOrder(order) ? textOf(order) : undefined;
}

/** Words whose negation is no refusal: "I don't know". */
const ATTITUDES = setOf(`
  know mind wait sure think care believe worry understand see get agree say said remember blame complain imagine mean bad surprised`);

const HAPPENED = setOf("done gone happening over");

/** Whether something will not be done or was not done: "So I'm not having it", "it was not done". */
export function refuses(tokens: Token[]): boolean {
  const denial = tokens.findIndex((token) => hasTag(token, "Negative"));
  if (denial === -1) return false;
  const next = tokens.slice(denial + 1).find((token) => !hasTag(token, "Adverb"));
  if (next === undefined) return false;
  const isOwn = tokens.slice(0, denial).some(({ normal }) => normal === "i" || normal === "we");
  return isOwn ? !ATTITUDES.has(next.normal) : HAPPENED.has(next.normal) || hasTag(next, "Participle");
}

const OPENING =
  /^(?:oh,? (?:great|joy|good|wonderful|fantastic|perfect|lovely|brilliant)|(?:great|wonderful|fantastic|perfect|lovely|brilliant)),? (?:another|yet another|not again|there goes|here we go)\b/;
const PHRASE =
  /\b(?:yeah,? right|just what i needed|as if that|because that worked so well|what could possibly go wrong)\b|\/s$|🙄/u;
const PRAISE = setOf("best love greatest favorite favourite fantastic wonderful amazing brilliant perfect");

/** Whether the words reveal that praise means its opposite: "Oh great, another outage". */
export function isIronic(tokens: Token[]): boolean {
  const words = tokens.map(({ text, after }) => text + after);
  const sentence = words.join("").trim().toLowerCase();
  return OPENING.test(sentence) || PHRASE.test(sentence);
}

/** Whether a sentence praises something. Praise next to irony is ironic, too. */
export function isPraise(tokens: Token[]): boolean {
  return tokens.some(({ normal }) => PRAISE.has(normal));
}
