import { setOf } from "../../../kernel/strings.ts";
import { allWords, alternatives } from "../../languages/lists.ts";
import type { LanguageWords, MailWords, VoiceWords } from "../../languages/pack.ts";

type List = keyof VoiceWords;

/**
 * Returns a pattern for lists in all languages: whole words, or beginnings of words (`écri*`), that white space separates;
 * `_` is a space. In scripts whose words are written without spaces or take endings, it matches anywhere.
 */
function inAnyLanguage(...lists: List[]): RegExp {
  const wordsOf = (list: List, isWhole: boolean) =>
    setOf(allWords(({ voices, script }) => (isWholeWord(script) === isWhole ? voices?.[list] : undefined)));
  const of = (isWhole: boolean) =>
    lists
      .flatMap((list) => [...wordsOf(list, isWhole)])
      .map((word) => word.replaceAll("_", "[ ]").replace("*", "\\p{L}*"));
  return new RegExp([wholeWords(of(true)), ...of(false)].join("|"), "iu");
}

function isWholeWord(script: LanguageWords["script"]): boolean {
  return script === undefined || script === "Cyrillic";
}

function wholeWords(words: string[]): string {
  return `(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}-])`;
}

/** Verbs that give a text back to its speaker. */
export const SPEECH = inAnyLanguage("speech");

/** Texts that somebody else has written, and what holds or plays them. */
export const TEXTS = inAnyLanguage("texts", "documents");
export const DOCUMENTS = inAnyLanguage("documents");

/** Verbs of tasks on a text that is handed over. */
export const TASKS = inAnyLanguage("tasks");

/** Words that point at a text beside them. */
export const POINTING = inAnyLanguage("pointing");

/** Games, plays and stories, in which "I" is somebody invented. */
export const FICTION = inAnyLanguage("fiction");

/** What the user announces: before a colon, the words after it are the user's own. */
export const OWN_LABELS = inAnyLanguage("ownLabels");

/** The first and the second person, which the user and the assistant are to each other. */
export const FIRST_PERSON = inAnyLanguage("firstPerson");
export const SECOND_PERSON = inAnyLanguage("secondPerson");
/** Forms of requests and instructions. */
export const ORDERS = inAnyLanguage("orders");

/** Words at the start of a paragraph with which the user takes the word again. */
export const RETURNS = inAnyLanguage("returns", "asides");
/** The same anywhere in the first sentence of a paragraph. */
export const ASIDES = inAnyLanguage("asides");

function mailWords(list: keyof MailWords): string {
  return alternatives(({ mails }) => mails?.[list]);
}

/** Minimum consecutive header fields that begin a mail. */
export const MIN_MAIL_FIELDS = 2;
/** A line with a header field of mails, in the languages of common clients. */
export const MAIL_FIELD = new RegExp(
  String.raw`^[*_\s|]*(?:${mailWords("mailFields")})[*_\s]*[:：][*_]*(?:\s|$)`,
  "iu",
);
/** Fields that head a mail even alone. */
export const MAIL_SUBJECT = new RegExp(String.raw`^[*_\s]*(?:${mailWords("mailSubjects")})[*_\s]*[:：]\s+\S`, "iu");

/** The opening of a letter, whose words are those of its writer. */
const SALUTATION = new RegExp(
  String.raw`^\s*(?:(?:${mailWords("salutations")})(?: \p{L}[\p{L}.'’-]*){1,4}[,!:]?|${mailWords("openings")})\s*$`,
  "iu",
);
const LISTENERS = new RegExp(
  wholeWords(["claude", "chatgpt", "gpt", "gemini", "copilot", mailWords("assistants")]),
  "iu",
);
/** Whether a line opens a letter to a person. */
export function isSalutation(line: string): boolean {
  return line.length < 80 && SALUTATION.test(line) && !LISTENERS.test(line);
}
/** A greeting to a person, which opens a letter only if the letter is signed. */
export const GREETING = new RegExp(
  String.raw`^\s*(?:${mailWords("greetings")})(?:[, ]+\p{L}[\p{L}.'’-]*){1,3}\s*[,!.:，！]?\s*$`,
  "iu",
);

/** Closings of letters. */
export const SIGN_OFF = new RegExp(String.raw`^\s*(?:${mailWords("closings")})[,.!，]?\s*$`, "iu");
/** Closings that people also use toward an assistant. */
export const THANKS = new RegExp(String.raw`^\s*(?:${mailWords("thanks")})[,.!]?\s*$`, "iu");
/** What may follow a signature and belongs to the letter. */
export const POSTSCRIPT = new RegExp(
  String.raw`^\s*(?:p\.?\s?s\.?\s?[:.]?\s|ps:|--|tel|phone|mobile|https?:|${mailWords("postscripts")})`,
  "iu",
);
