import { hasTag, type Token } from "./tagging.ts";

const FILLERS = new Set(
  `hey hi hello wow whoa woah yeah yep yup oh ah aw aww well so and but also anyway btw thanks ok okay plus honestly haha lol
   woohoo yay phew congrats bye then basically ngl tbh imo fyi`.split(/\s+/),
);
/** These open a sentence idly only where punctuation sets them off: "No, just …", not "no tumour". */
const FILLERS_SET_OFF = new Set(
  `yes no nope nah sure right great cool awesome nice actually totally absolutely definitely exactly agreed still really glad
   happy`.split(/\s+/),
);
const GREETINGS = new Set("hey hi hello dear thanks bye congrats yo thank welcome goodbye morning".split(" "));

/** A word that opens a clause without being part of what it states. */
export function isFiller(tokens: Token[], place: number): boolean {
  const token = tokens[place];
  if (token === undefined) return false;
  const isSetOff = /[,;.!?…–—]/.test(token.after);
  return FILLERS.has(token.normal) || (isSetOff && (FILLERS_SET_OFF.has(token.normal) || hasTag(token, "Expression")));
}

/** A name that somebody is called by: set off by commas, or behind a greeting. */
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
