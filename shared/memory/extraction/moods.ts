import { trimmedEnd } from "../../kernel/trimmed.ts";
import { hasTag, type Token } from "./tagging.ts";
import { isFiller } from "./vocatives.ts";

const QUESTION_END = /[?？؟]$/u;
const ASKING_END = /(?:ですか|ますか|でしょうか|吗|呢|嗎)[。.]?$/u;
const AROUND_END = /[\s"'”’)\]!]/u;

const AUXILIARIES = new Set(
  "can could would will shall should may might do does did is are was were am have has had".split(" "),
);
const QUESTION_WORDS = new Set("what which who whom whose when where why how".split(" "));
const ASKED = new Set("you i we they he she it there this that anyone anybody someone my your the".split(" "));

/** Whether a sentence asks; without its tokens by its last character alone, with them also where the mark is missing. */
export function isQuestion(text: string, tokens: Token[] = []): boolean {
  const end = trimmedEnd(text, AROUND_END);
  return QUESTION_END.test(end) || ASKING_END.test(end) || asksAt(tokens, startOf(tokens));
}

/** "can you …", "do you …", "what is …", "how do I …": an inversion that only a question has. */
function asksAt(tokens: Token[], place: number): boolean {
  const [first, second, third] = tokens.slice(place, place + 3).map(({ normal }) => normal);
  if (first === undefined || second === undefined) return false;
  if (AUXILIARIES.has(first)) return ASKED.has(second);
  return QUESTION_WORDS.has(first) && AUXILIARIES.has(second) && (third === undefined || ASKED.has(third));
}

function startOf(tokens: Token[]): number {
  const start = tokens.findIndex((_token, place) => !isFiller(tokens, place));
  return start === -1 ? 0 : start;
}

const REASONS = new Set(["because", "since", "as"]);
const SPEAKERS = new Set(["i", "we", "my", "our"]);

/** What a question states beside what it asks: "My daughter is vegan, can you …?", "Any tips, because I'm …?" */
export function declarativePart(tokens: Token[]): string | undefined {
  for (let place = 1; place < tokens.length; place++) {
    const mark = tokens[place - 1]?.after ?? "";
    const isBreak =
      /[,;:–—-]\s/.test(mark) || /\s[-–—]/.test(mark) || ["and", "so", "but"].includes(tokens[place]?.normal ?? "");
    if (!isBreak) continue;
    const next = hasTag(tokens[place], "Conjunction") ? place + 1 : place;
    if (asksAt(tokens, next) && states(tokens.slice(0, place))) return textOf(tokens.slice(0, place));
  }
  const reason = tokens.findIndex(
    ({ normal }, place) => REASONS.has(normal) && SPEAKERS.has(tokens[place + 1]?.normal ?? ""),
  );
  return reason > 0 && states(tokens.slice(reason + 1)) ? textOf(tokens.slice(reason + 1)) : undefined;
}

function states(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const verb = tokens.findIndex((token, place) => place > start && hasTag(token, "Verb", "Copula", "Modal"));
  return verb !== -1 && !asksAt(tokens, start) && !QUESTION_WORDS.has(tokens[start]?.normal ?? "");
}

function textOf(tokens: Token[]): string {
  return trimmedEnd(tokens.map(({ before, text, after }) => before + text + after).join(""), /[\s,;:?–—-]/u);
}

const UNREAL = new Set(["would", "could", "might"]);

/** "If I won the lottery I would …": a condition in the past tense with what would follow. Plain conditions are rules, and stay. */
export function isHypothetical(tokens: Token[]): boolean {
  const condition = tokens.findIndex(({ normal }) => normal === "if");
  if (condition === -1 || !tokens.some(({ normal }) => UNREAL.has(normal))) return false;
  const verb = tokens.slice(condition + 1).find((token) => hasTag(token, "Verb", "Copula", "Modal"));
  return hasTag(verb, "PastTense") || verb?.normal === "were";
}

const REQUEST_VERBS = new Set(
  `tell show give write explain help find suggest recommend translate summarize summarise list draft check look search describe
   compare compute calculate generate create make rewrite rephrase edit proofread fix paste read open play continue try wait
   let remember note ignore see think imagine pretend act`.split(/\s+/),
);
/** What makes an order hold beyond this once. */
const LASTING = new Set(
  "always never whenever every from not only instead don't avoid stop prefer remember".split(" "),
);

/** An order for this moment: "write me a poem". One that is to last ("always …", "never …", "remember …") is an instruction, and stays. */
export function isRequest(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const verb = tokens[start]?.normal === "please" ? start + 1 : start;
  const isOrder =
    REQUEST_VERBS.has(tokens[verb]?.normal ?? "") && hasTag(tokens[verb], "Infinitive", "Imperative", "PresentTense");
  return isOrder && !tokens.some(({ normal }) => LASTING.has(normal));
}

/** What people say that they do not, without refusing anything. */
const ATTITUDES = new Set(
  "know mind wait sure think care believe worry understand see get agree say said remember blame complain imagine mean bad surprised".split(
    " ",
  ),
);

/** "So I'm not having it": whoever speaks will not, or does not, do what was talked about. */
export function refuses(tokens: Token[]): boolean {
  const denial = tokens.findIndex((token) => hasTag(token, "Negative"));
  if (denial === -1 || !tokens.slice(0, denial).some(({ normal }) => normal === "i" || normal === "we")) return false;
  const behind = tokens.slice(denial + 1).find((token) => !hasTag(token, "Adverb"));
  return behind !== undefined && !ATTITUDES.has(behind.normal);
}
