import { hasTag, type Token } from "./tagging.ts";

const FILLERS = new Set(
  `hey hi hello wow whoa woah yeah yep yup yes no nope nah oh ah aw aww well so and but also actually anyway btw thanks
   cool great awesome nice sure right ok okay plus honestly totally absolutely definitely haha lol exactly agreed
   woohoo yay phew congrats bye because then still really basically glad happy`.split(/\s+/),
);
const GREETINGS = new Set("hey hi hello dear thanks bye congrats yo thank welcome goodbye morning".split(" "));

/** A word that opens a clause without being part of what it states. */
export function isFiller(tokens: Token[], place: number): boolean {
  const token = tokens[place];
  return token !== undefined && (FILLERS.has(token.normal) || hasTag(token, "Expression"));
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
  const opened = /,/.test(previous.after) || FILLERS.has(previous.normal);
  return opened && (hasTag(token, "Person") || GREETINGS.has(previous.normal));
}

export function vocativesOf(tokens: Token[]): string[] {
  return tokens.flatMap((token, place) => (isVocative(tokens, place) && !isFiller(tokens, place) ? [token.text] : []));
}
