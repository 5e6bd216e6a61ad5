import { setOf } from "../../../kernel/strings.ts";
import type { Token } from "./tagging.ts";

const OPENING =
  /^(?:oh,? (?:great|joy|good|wonderful|fantastic|perfect|lovely|brilliant)|(?:great|wonderful|fantastic|perfect|lovely|brilliant)),? (?:another|yet another|not again|there goes|here we go)\b/;
const PHRASE =
  /\b(?:yeah,? right|just what i needed|as if that|because that worked so well|what could possibly go wrong)\b|\/s$|🙄/u;
const PRAISE = setOf("best love greatest favorite favourite fantastic wonderful amazing brilliant perfect");

/** Praise that means its opposite, if the words reveal it: "Oh great, another outage". */
export function isIronic(tokens: Token[]): boolean {
  const said = tokens
    .map(({ text, after }) => text + after)
    .join("")
    .trim()
    .toLowerCase();
  return OPENING.test(said) || PHRASE.test(said);
}

/** Praise beside irony is ironic too. */
export function isPraise(tokens: Token[]): boolean {
  return tokens.some(({ normal }) => PRAISE.has(normal));
}
