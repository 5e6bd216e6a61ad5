import { trimmedEnd } from "../../kernel/trimmed.ts";
import { THE_ASSISTANT, UNNAMED_SPEAKER } from "./speakers.ts";
import { hasTag, type Token } from "./tagging.ts";

export interface Telling {
  speaker: string;
  /** Who "you" is; undefined leaves the word as it is. */
  addressee: string | undefined;
  /** Where the subject of the clause begins. */
  subjectStart: number;
  /** The clause leaves out its "I". */
  elided: boolean;
  /** Whom the "he" or "she" that the clause begins with stands for. */
  antecedent: string | undefined;
}

const IRREGULAR: Record<string, string> = { am: "is", are: "is", have: "has", do: "does", go: "goes", "'ve": "has" };

/** "I went with my kids" is told of its speaker: "Melanie went with their kids". */
export function inThirdPerson(clause: Token[], telling: Telling): string {
  const you = telling.addressee ?? (telling.speaker === UNNAMED_SPEAKER ? THE_ASSISTANT : undefined);
  const opening = telling.elided ? elidedSubject(clause, telling.speaker) : "";
  let named = telling.elided;
  let text = "";
  /** The number of a verb that is still to come. */
  let awaiting: "one" | "many" | "name" | undefined;
  for (const [place, token] of clause.entries()) {
    const ahead = place < telling.subjectStart;
    let word = replacement(token, { named: named || ahead, speaker: telling.speaker, you });
    if (place === 0 && telling.antecedent !== undefined) word = telling.antecedent;
    else if (isSpeaker(token)) {
      if (!ahead) named = true;
      awaiting = word === telling.speaker ? "one" : "many";
    } else if (awaiting !== undefined && hasTag(token, "Verb", "Modal", "Copula")) {
      word = agreeing(token, awaiting);
      awaiting = undefined;
    } else if (token.normal === "you" && you !== undefined) awaiting = "name";
    else if (FIRST_PERSON.has(token.normal) && !ahead) named = true;
    else if (awaiting === "name" && !hasTag(token, "Adverb")) awaiting = undefined;
    text += token.before + word + (place === clause.length - 1 ? "" : token.after);
  }
  return polished(opening + (opening === "" ? text : text.charAt(0).toLowerCase() + text.slice(1)));
}

const FIRST_PERSON = new Set(["my", "our", "me"]);

function isSpeaker({ normal }: Token): boolean {
  return normal === "i" || normal === "we";
}

function elidedSubject(clause: Token[], speaker: string): string {
  const first = clause.find((token) => !hasTag(token, "Adverb"));
  if (!hasTag(first, "Gerund")) return first?.normal === "been" ? `${speaker} has ` : `${speaker} `;
  return `${speaker} is `;
}

/** The form of a verb behind "Melanie", behind "they", or behind a name that stands for "you". */
function agreeing(token: Token, number: "one" | "many" | "name"): string {
  if (number === "name") return SECOND_PERSON[token.normal] ?? token.text;
  return number === "one" ? singular(token) : (PLURAL[token.normal] ?? token.text);
}

const PLURAL: Record<string, string> = { am: "are", was: "were" };
const SECOND_PERSON: Record<string, string> = { are: "is", were: "was", have: "has", do: "does" };

function singular(token: Token): string {
  const irregular = IRREGULAR[token.normal];
  if (irregular !== undefined) return irregular;
  if (hasTag(token, "PastTense", "Modal", "Gerund", "Participle")) return token.text;
  if (!hasTag(token, "Infinitive", "PresentTense")) return token.text;
  if (/(?:s|x|z|ch|sh|o)$/.test(token.text)) return `${token.text}es`;
  return /[^aeiou]y$/.test(token.text) ? `${token.text.slice(0, -1)}ies` : `${token.text}s`;
}

interface Roles {
  /** The speaker's name is in the statement already, so "they" is clear. */
  named: boolean;
  speaker: string;
  you: string | undefined;
}

function replacement(token: Token, { named, speaker, you }: Roles): string {
  if (token.after === "-") return token.text;
  switch (token.normal) {
    case "i":
      return named ? "they" : speaker;
    case "we":
      return named ? "they" : `${speaker} and others`;
    case "me":
      return named ? "them" : speaker;
    case "us":
      return named ? "them" : `${speaker} and others`;
    case "my":
    case "our":
      return named ? "their" : possessive(speaker);
    case "mine":
    case "ours":
      return "theirs";
    case "myself":
    case "yourself":
      return "themself";
    case "ourselves":
      return "themselves";
    case "you":
      return you ?? token.text;
    case "your":
      return you === undefined ? token.text : possessive(you);
    default:
      return token.text;
  }
}

function possessive(name: string): string {
  return `${name}'s`;
}

/** One line, a capital first, no punctuation that led on to something else; "can not" is one word. */
function polished(text: string): string {
  const opened = text
    .replace(/\s+/g, " ")
    .replace(/\bcan not\b/g, "cannot")
    .replace(/^[\s,;:.–—-]+/, "");
  const line = trimmedEnd(opened, /[\s,;:.!–—-]/);
  return line.charAt(0).toUpperCase() + line.slice(1);
}
