import { setOf, trimmedEnd } from "../../../kernel/strings.ts";
import { THE_ASSISTANT, UNNAMED_SPEAKER } from "./speakers.ts";
import { hasTag, type Token } from "./tagging.ts";

export interface RewriteContext {
  speaker: string;
  /** The meaning of "you"; undefined keeps the word. */
  addressee: string | undefined;
  /** Index at which the subject of the clause starts. */
  subjectStart: number;
  /** Whether the clause omits "I". */
  elided: boolean;
  /** Whether the statement already names the speaker. */
  named: boolean;
}

/** Maps, because a text may say "constructor", which every object has. */
const IRREGULAR = formsOf({ am: "is", are: "is", have: "has", do: "does", go: "goes", "'ve": "has" });
const PLURAL = formsOf({ am: "are", was: "were" });
const SECOND_PERSON = formsOf({ are: "is", were: "was", have: "has", do: "does" });

function formsOf(forms: { [word: string]: string }): ReadonlyMap<string, string> {
  return new Map(Object.entries(forms));
}

/** Rewrites a clause in the third person: "I went with my kids" becomes "Melanie went with their kids". */
export function inThirdPerson(clause: Token[], context: RewriteContext): string {
  const you = context.addressee ?? (context.speaker === UNNAMED_SPEAKER ? THE_ASSISTANT : undefined);
  const opening = context.elided ? elidedSubject(clause, context.speaker) : "";
  let named = context.elided || context.named;
  let isQuoted = false;
  const words: string[] = [];
  /** The grammatical number of the next verb. */
  let nextVerbNumber: "one" | "many" | "name" | undefined;
  /** Whether the last verb agrees with the speaker; then a verb that "and" joins to it agrees as well. */
  let isOfSpeaker = false;
  for (const [index, token] of clause.entries()) {
    const isBeforeSubject = index < context.subjectStart;
    if (OPENING_QUOTE.test(token.before)) isQuoted = true;
    // "With an i" means the letter.
    const isLetter = token.text === "i" && hasTag(clause[index - 1], "Determiner");
    let word = isQuoted || isLetter ? token.text : replacement(token, named || isBeforeSubject, context.speaker, you);
    if (isQuoted || isLetter) nextVerbNumber = undefined;
    else if (token.normal === "i" || token.normal === "we") {
      if (!isBeforeSubject) named = true;
      nextVerbNumber = word === context.speaker && !isJoined(clause, index) ? "one" : "many";
    } else if (nextVerbNumber !== undefined && hasTag(token, "Verb", "Modal", "Copula")) {
      word = agreeingForm(token, nextVerbNumber);
      isOfSpeaker = nextVerbNumber === "one" && !hasTag(token, "Modal");
      nextVerbNumber = undefined;
    } else if (hasTag(token, "Verb", "Modal", "Copula") && !hasTag(token, "Particle", "Gerund")) {
      isOfSpeaker &&= isCoordinated(clause, index);
      if (isOfSpeaker) word = agreeingForm(token, "one");
    } else if (token.normal === "you" && you !== undefined) nextVerbNumber = "name";
    else if (FIRST_PERSON.has(token.normal) && !isBeforeSubject) named = true;
    else if (nextVerbNumber === "name" && !hasTag(token, "Adverb")) nextVerbNumber = undefined;
    words.push(word);
    if (CLOSING_QUOTE.test(token.after)) isQuoted = false;
  }
  const text = written(clause, words);
  return polished(opening + (opening === "" ? text : text.charAt(0).toLowerCase() + text.slice(1)));
}

const CONJUNCTIONS = new Set(["and", "or", "but"]);

/** "I live in Berlin and work …": a verb after a conjunction; adverbs between them do not count. */
function isCoordinated(clause: Token[], index: number): boolean {
  const before = clause.slice(0, index).findLast((token) => !hasTag(token, "Adverb"));
  return CONJUNCTIONS.has(before?.normal ?? "") && hasTag(clause[index], "PresentTense", "Infinitive");
}

/** Returns a clause in its new words; unchanged contractions keep their form. */
export function written(clause: Token[], words: string[]): string {
  let text = "";
  for (let index = 0; index < clause.length; index++) {
    let end = index + 1;
    while (clause[end]?.contraction === "") end++;
    const members = clause.slice(index, end);
    const [first] = members;
    const last = members.at(-1);
    if (first === undefined || last === undefined) break;
    const isKept = first.contraction && members.every((token, at) => token.text === words[index + at]);
    const parts = members.map((token, at) => token.before + words[index + at] + (token === last ? "" : token.after));
    const after = end === clause.length ? trimmedEnd(last.after, /[\s.]/) : last.after;
    text += (isKept ? `${first.before}${first.contraction}` : parts.join("")) + after;
    index = end - 1;
  }
  return text;
}

/** Quoted words are not changed. */
const OPENING_QUOTE = /["“«]/;
const CLOSING_QUOTE = /["”»]/;

const FIRST_PERSON = new Set(["my", "our", "me"]);

/** "Jess and I", but not "it rained and I". */
function isJoined(clause: Token[], index: number): boolean {
  return clause[index - 1]?.normal === "and" && hasTag(clause[index - 2], "ProperNoun", "Person", "Pronoun");
}

function elidedSubject(clause: Token[], speaker: string): string {
  const first = clause.find((token) => !hasTag(token, "Adverb"));
  if (hasTag(first, "Gerund")) return `${speaker} is `;
  return first?.normal === "been" ? `${speaker} has ` : `${speaker} `;
}

/** Returns the verb form after "Melanie", after "they", or after a name that replaces "you". */
function agreeingForm(token: Token, number: "one" | "many" | "name"): string {
  if (number === "name") return SECOND_PERSON.get(token.normal) ?? token.text;
  return number === "one" ? singular(token) : (PLURAL.get(token.normal) ?? token.text);
}

/** "I read" may be present or past; it is unchanged, which reads as past. */
const SAME_IN_PAST = setOf("read put cut set let hit quit cost hurt shut spread bet split cast");

function singular(token: Token): string {
  const irregular = IRREGULAR.get(token.normal);
  if (irregular !== undefined) return irregular;
  if (SAME_IN_PAST.has(token.normal)) return token.text;
  if (hasTag(token, "PastTense", "Modal", "Gerund", "Participle")) return token.text;
  if (!hasTag(token, "Infinitive", "PresentTense")) return token.text;
  if (/(?:s|x|z|ch|sh|o)$/.test(token.text)) return `${token.text}es`;
  return /[^aeiou]y$/.test(token.text) ? `${token.text.slice(0, -1)}ies` : `${token.text}s`;
}

/** Pronouns for a speaker whom the statement already names. */
const THIRD_PERSON = formsOf({
  ...{ i: "they", we: "they", me: "them", us: "them", my: "their", our: "their", mine: "theirs", ours: "theirs" },
  ...{ myself: "themself", yourself: "themself", ourselves: "themselves" },
});

/** `named` says whether the speaker's name occurs in the statement, so that "they" is clear. */
function replacement({ normal, text, after }: Token, named: boolean, speaker: string, you: string | undefined): string {
  if (after === "-") return text;
  if (normal === "you") return you ?? text;
  if (normal === "your") return you === undefined ? text : possessive(you);
  if (!named && (normal === "i" || normal === "me")) return speaker;
  if (!named && (normal === "we" || normal === "us")) return `${speaker} and others`;
  if (!named && (normal === "my" || normal === "our")) return possessive(speaker);
  return THIRD_PERSON.get(normal) ?? text;
}

function possessive(name: string): string {
  return `${name}'s`;
}

/** Returns a text as one capitalized line without leading and trailing punctuation; "can not" becomes one word. */
export function polished(text: string): string {
  const opened = text
    .replace(/\s+/g, " ")
    .replace(/\bcan not\b/g, "cannot")
    .replace(/^[\s,;:.–—-]+/, "");
  const line = trimmedEnd(opened, /[\s,;:.!–—-]/);
  return line.charAt(0).toUpperCase() + line.slice(1);
}
