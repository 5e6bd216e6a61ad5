import { setOf } from "../../../kernel/strings.ts";
import { hasTag, type Token } from "./tagging.ts";

const FILLERS =
  setOf(`hey hi hello wow whoa woah yeah yep yup oh ah aw aww well so and but also anyway btw thanks ok okay plus honestly haha lol
   woohoo yay phew congrats bye then basically ngl tbh imo fyi`);
/** Fillers only if punctuation follows them: "No, just …", not "no tumour". */
const FILLERS_SET_OFF =
  setOf(`yes no nope nah sure right great cool awesome nice actually totally absolutely definitely exactly agreed still really glad
   happy`);
const GREETINGS = setOf("hey hi hello dear thanks bye congrats yo thank welcome goodbye morning");

/** Whether a word opens a clause without being part of its statement. */
export function isFiller(tokens: Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  const isSetOff = /[,;.!?…–—]/.test(token.after);
  return FILLERS.has(token.normal) || (isSetOff && (FILLERS_SET_OFF.has(token.normal) || hasTag(token, "Expression")));
}

const DEGREES = setOf("pretty very really quite so not too rather");
const JUDGEMENTS = setOf("good great bad fine nice well ok okay cool awesome fun busy");

/** Returns the index after an answer to "How was it?", such as "Pretty good, we …"; `start` if there is none. */
export function afterJudgement(tokens: Token[], start: number): number {
  const isDegree = DEGREES.has(tokens[start]?.normal ?? "");
  const index = isDegree ? start + 1 : start;
  const isSetOff = JUDGEMENTS.has(tokens[index]?.normal ?? "") && /[,;–—]/.test(tokens[index]?.after ?? "");
  return isSetOff && index < tokens.length - 1 ? index + 1 : start;
}

/** Whether a word is a name by which somebody is addressed: set off by commas, or after a greeting. */
export function isVocative(tokens: Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined || !/^\p{Lu}\p{L}+$/u.test(token.text) || hasTag(token, "Pronoun", "Date", "Honorific"))
    return false;
  const previous = tokens[index - 1];
  const closed = /[,!?]/.test(token.after) || index === tokens.length - 1;
  if (!closed) return index > 0 && GREETINGS.has(previous?.normal ?? "") && hasTag(token, "Person");
  if (previous === undefined) return hasTag(token, "Person") && tokens.length > 1;
  const opened = /,/.test(previous.after) || isFiller(tokens, index - 1);
  return opened && (hasTag(token, "Person") || GREETINGS.has(previous.normal));
}

export function vocativesOf(tokens: Token[]): string[] {
  return tokens.flatMap((token, index) => (isVocative(tokens, index) && !isFiller(tokens, index) ? [token.text] : []));
}
