import { UNNAMED_SPEAKER } from "./speakers.ts";
import { hasTag, type Token } from "./tagging.ts";

export interface Telling {
  speaker: string;
  /** Who "you" is; undefined leaves the word as it is. */
  addressee: string | undefined;
  /** Where the subject of the clause begins. */
  subjectStart: number;
  /** The clause leaves out its "I". */
  elided: boolean;
}

const IRREGULAR: Record<string, string> = { am: "is", are: "is", have: "has", do: "does", go: "goes", "'ve": "has" };

/** "I went with my kids" is told of its speaker: "Melanie went with their kids". */
export function inThirdPerson(clause: Token[], telling: Telling): string {
  const addressee = telling.addressee ?? (telling.speaker === UNNAMED_SPEAKER ? "the assistant" : undefined);
  let named = telling.elided;
  let text = telling.elided ? elidedSubject(clause, telling.speaker) : "";
  /** The subject whose verb is still to come, and what number that verb takes. */
  let awaiting: "one" | "many" | undefined;
  for (const [place, token] of clause.entries()) {
    let word = token.text;
    if (token.normal === "i") {
      word = named ? "they" : telling.speaker;
      awaiting = named ? "many" : "one";
      named = true;
    } else if (token.normal === "we" && !named) {
      word = `${telling.speaker} and others`;
      named = true;
    } else if (awaiting !== undefined && hasTag(token, "Verb", "Modal", "Auxiliary")) {
      word = awaiting === "one" ? singular(token) : plural(token);
      awaiting = undefined;
    } else {
      word = pronoun(token, named, telling.speaker, addressee) ?? word;
      if (word !== token.text && ["my", "our", "me"].includes(token.normal)) named = true;
    }
    text += token.before + word + (place === clause.length - 1 ? "" : token.after);
  }
  return polished(text);
}

function elidedSubject([first]: Token[], speaker: string): string {
  if (!hasTag(first, "Gerund")) return first?.normal === "been" ? `${speaker} has ` : `${speaker} `;
  return `${speaker} is `;
}

function singular(token: Token): string {
  const irregular = IRREGULAR[token.normal];
  if (irregular !== undefined) return irregular;
  if (hasTag(token, "PastTense", "Modal", "Gerund", "Participle") || token.normal === "was") return token.text;
  if (!hasTag(token, "Infinitive", "PresentTense")) return token.text;
  if (/(?:s|x|z|ch|sh|o)$/.test(token.text)) return `${token.text}es`;
  return /[^aeiou]y$/.test(token.text) ? `${token.text.slice(0, -1)}ies` : `${token.text}s`;
}

function plural(token: Token): string {
  if (token.normal === "am") return "are";
  return token.normal === "was" ? "were" : token.text;
}

function pronoun(token: Token, named: boolean, speaker: string, addressee: string | undefined): string | undefined {
  switch (token.normal) {
    case "my":
      return named ? "their" : possessive(speaker);
    case "our":
      return named ? "their" : possessive(speaker);
    case "mine":
    case "ours":
      return "theirs";
    case "me":
      return named ? "them" : speaker;
    case "us":
      return named ? "them" : `${speaker} and others`;
    case "we":
      return "they";
    case "myself":
      return "themself";
    case "ourselves":
      return "themselves";
    case "you":
      return addressee;
    case "your":
      return addressee === undefined ? undefined : possessive(addressee);
    default:
      return undefined;
  }
}

function possessive(name: string): string {
  return `${name}'s`;
}

/** One line, a capital first, no punctuation that led on to something else; "can not" is one word. */
function polished(text: string): string {
  const line = text
    .replace(/\s+/g, " ")
    .replace(/\bcan not\b/g, "cannot")
    .replace(/^[\s,;:.–—-]+|[\s,;:.!–—-]+$/g, "");
  return line.charAt(0).toUpperCase() + line.slice(1);
}
