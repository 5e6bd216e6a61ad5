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

/** A word that opens a clause without being part of its statement. */
export function isFiller(tokens: Token[], place: number): boolean {
  const token = tokens[place];
  if (token === undefined) return false;
  const isSetOff = /[,;.!?…–—]/.test(token.after);
  return FILLERS.has(token.normal) || (isSetOff && (FILLERS_SET_OFF.has(token.normal) || hasTag(token, "Expression")));
}

const DEGREES = setOf("pretty very really quite so not too rather");
const JUDGEMENTS = setOf("good great bad fine nice well ok okay cool awesome fun busy");

/** Returns where a clause continues after an answer to "How was it?", such as "Pretty good, we …"; else `start`. */
export function afterJudgement(tokens: Token[], start: number): number {
  const isDegree = DEGREES.has(tokens[start]?.normal ?? "");
  const place = isDegree ? start + 1 : start;
  const isSetOff = JUDGEMENTS.has(tokens[place]?.normal ?? "") && /[,;–—]/.test(tokens[place]?.after ?? "");
  return isSetOff && place < tokens.length - 1 ? place + 1 : start;
}

/** A name by which somebody is addressed: set off by commas, or after a greeting. */
export function isVocative(tokens: Token[], place: number): boolean {
  const token = tokens[place];
  if (token === undefined || !/^\p{Lu}\p{L}+$/u.test(token.text) || hasTag(token, "Pronoun", "Date", "Honorific"))
    return false;
  const previous = tokens[place - 1];
  const closed = /[,!?]/.test(token.after) || place === tokens.length - 1;
  if (!closed) return place > 0 && GREETINGS.has(previous?.normal ?? "") && hasTag(token, "Person");
  if (previous === undefined) return hasTag(token, "Person") && tokens.length > 1;
  const opened = /,/.test(previous.after) || isFiller(tokens, place - 1);
  return opened && (hasTag(token, "Person") || GREETINGS.has(previous.normal));
}

export function vocativesOf(tokens: Token[]): string[] {
  return tokens.flatMap((token, place) => (isVocative(tokens, place) && !isFiller(tokens, place) ? [token.text] : []));
}
