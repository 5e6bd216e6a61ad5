import { alternatives, wordAlternatives } from "../../languages/lists.ts";
import type { IntroWords } from "../../languages/pack.ts";
import {
  DOCUMENTS,
  FICTION,
  FIRST_PERSON,
  ORDERS,
  OWN_LABELS,
  POINTING,
  SECOND_PERSON,
  SPEECH,
  TASKS,
  TEXTS,
} from "./lexicon.ts";

export function introWords(list: keyof IntroWords): string {
  return alternatives(({ intros }) => intros?.[list]);
}

/** What announces the words after it as somebody else's. */
export interface Intro {
  /** A task's text ends with its paragraph; other texts go on until the user takes the word again. */
  kind: "task" | "text" | "turn";
  speaker?: string | undefined;
  /** The text is no letter or message. */
  isDocument?: boolean;
}

const MAX_LABEL_WORDS = 4;
/** A value without spaces up to this length is a code, a number or a name: "Locker code: 9023." */
const MAX_CODE = 8;
const NAME = String.raw`\p{Lu}[\p{L}\p{M}'’.-]*(?: \p{Lu}[\p{L}\p{M}'’.-]*){0,2}`;
const FROM_NAME = new RegExp(
  String.raw`(?<!\p{L})(?:${introWords("from")})(?: (?:the|${introWords("owned")}|${wordAlternatives(({ grammar }) => grammar?.articles)})? ?(?:\p{L}+ ){0,2})?(${NAME})`,
  "u",
);
const NAME_SAYS = new RegExp(
  String.raw`^(?:(?:and|then|${wordAlternatives(({ grammar }) => grammar?.and)}) )?(?!(?:${introWords("noSpeakers")})(?!\p{L}))(${NAME}) \p{Ll}`,
  "u",
);
const LABEL = new RegExp(String.raw`^(?:@?[\p{L}\p{N}_.-]+|${NAME})(?:[ ,]*[([][^)\]]{1,40}[)\]])?$`, "u");
/** Speakers of logs and interviews: "Speaker 2", "Q1", "User", "Agent 3". */
const ROLE = new RegExp(
  String.raw`^(?:(?:${introWords("roles")}) ?[#\d]{0,3}|${introWords("unspacedRoles")}) ?\p{N}{0,3}$`,
  "iu",
);
const FILE =
  /(?:^|[\s/\\])[\w-]+\.(?:txt|md|eml|msg|docx?|pdf|csv|json|ya?ml|html?|log|py|js|ts|srt|vtt|rtf|odt|xml|ini|toml|sh)\b/iu;
/** "I told you:", "let me repeat:": the user says it. */
const SELF = new RegExp(String.raw`^(?:${introWords("repeats")})(?!\p{L})`, "iu");
const OWNED = new RegExp(String.raw`(?:^|\s)(?:${introWords("owned")})(?=\s)`, "iu");

/** Whether words are said rather than noted: a sentence, a question, an order or something about "I". */
export function isSpoken(value: string): boolean {
  const isSentence =
    /[\p{L}\p{N}"”»)][.!?。！？…]["”»]?(?:\s|$)/u.test(value) && (value.includes(" ") || value.length > MAX_CODE);
  return isSentence || FIRST_PERSON.test(value) || ORDERS.test(value);
}

/** The words after a colon, on its line or below it. */
interface Announced {
  value: string;
  isBelow?: boolean;
}

/** Returns what words before a colon announce; undefined if the words after it are the user's own. */
export function introOf(before: string, { value, isBelow = false }: Announced, isDialogue = false): Intro | undefined {
  const clause = before
    .replace(/[*_#`~]+/g, "")
    .replace(/^[\s>•–—-]+/u, "")
    .trim();
  if (clause === "" || SELF.test(clause) || CONDITION.test(clause)) return undefined;
  if (FICTION.test(clause)) return { kind: "text" };
  const words = clause.split(/\s+/);
  if (ROLE.test(clause)) return { kind: "turn", speaker: undefined };
  const task = TASKS.exec(clause.replace(PLEASE, ""));
  const isBare = task?.index === 0 && words.length <= MAX_LABEL_WORDS;
  if (task !== null && (isBare || POINTING.test(clause) || SECOND_PERSON.test(clause))) return { kind: "task" };
  const speaker = FROM_NAME.exec(clause)?.[1] ?? NAME_SAYS.exec(clause)?.[1];
  if (SPEECH.test(clause) && !OWN_SPEECH.test(clause))
    return !isBelow && isReport(value) ? undefined : { kind: "text", speaker };
  if (FILE.test(clause)) return { kind: "text", isDocument: true };
  const isNoted = OWN_LABELS.test(clause);
  const isValue = value !== "" && !isBelow && !isSpoken(value);
  const isText =
    TEXTS.test(clause) && !isValue && !(isNoted && words.length <= MAX_LABEL_WORDS && !FROM_NAME.test(clause));
  if (isText && !(OWNED.test(clause) && !POINTING.test(clause) && !FROM_NAME.test(clause)))
    return { kind: "text", speaker, isDocument: speaker === undefined && DOCUMENTS.test(clause) };
  if (FROM_NAME.test(clause) && /\p{Lu}/u.test(clause.slice(1)) && isSpoken(value) && !FIRST_PERSON.test(clause))
    return { kind: "text", speaker };
  if (isNoted || FIRST_PERSON.test(clause) || SECOND_PERSON.test(clause)) return undefined;
  const isName = /^[@\p{Lu}\p{Lo}]/u.test(clause);
  if (LABEL.test(clause) && ((isName && opensPersonally(value)) || (isDialogue && isSpoken(value))))
    return { kind: "turn", speaker: /^\p{Lu}/u.test(clause) ? clause : undefined };
  return isName && opensPersonally(value) ? { kind: "text" } : undefined;
}

export const PLEASE = new RegExp(`^(?:${introWords("please")})[, ]+`, "iu");

/** "When you draft anything for investors: …": an instruction of the user. */
const CONDITION = new RegExp(
  String.raw`(?<!\p{L})(?:${introWords("conditions")}) (?:\p{L}+ )?(?:${introWords("addressed")})(?!\p{L})`,
  "iu",
);
const MAX_OPENING_WORDS = 3;
const MAX_OPENING_CHARACTERS = 40;
const MIN_REPORT_WORDS = 4;

/** Whether words begin as somebody's own statement or order: "I live …", "Always …". */
export function opensPersonally(value: string): boolean {
  const opening = value
    .replace(/^[*_\s"“„«]+/u, "")
    .slice(0, MAX_OPENING_CHARACTERS)
    .split(/\s+/)
    .slice(0, MAX_OPENING_WORDS)
    .join(" ");
  return FIRST_PERSON.test(opening) || ORDERS.exec(opening)?.index === 0;
}

/** "Joost wrote: he's leaving Utrecht": the user tells what somebody said, without their "I". */
function isReport(value: string): boolean {
  const isAboutOthers = !FIRST_PERSON.test(value) && !ORDERS.test(value) && !SECOND_PERSON.test(value);
  return isAboutOthers && value.split(/\s+/).length >= MIN_REPORT_WORDS;
}

const OWN_SPEECH = new RegExp(
  String.raw`(?:^|\s)(?:${introWords("speakers")})(?:['’]\p{L}+)?\s+(?:\p{L}+\s+){0,2}?(?:${introWords("listeners")})(?!\p{L})`,
  "iu",
);

const REPORTED_ORDER = new RegExp(
  String.raw`(?<!(?:^|\s)(?:i|you|we)(?:['’]ve| have| already)? )(?:${introWords("reports")})(?: (?:me|us|him|her|them|everyone|everybody|people))?(?: that| to)?,? (?=${ORDERS.source})`,
  "iu",
);

/** Returns where a sentence reports an order: "my boss said | always call them back". */
export function reportedOrderIn(sentence: string): number | undefined {
  const report = REPORTED_ORDER.exec(sentence);
  return report === null ? undefined : report.index + report[0].length;
}

const AHEAD = new RegExp(String.raw`(?:${introWords("ahead")})[.!]?\s*$|${introWords("unspacedAhead")}`, "iu");

/** Returns what a sentence announces without a colon: "Can you translate this into French?", "the pirate says this." */
export function announcedBy(sentence: string): Intro | undefined {
  if (FICTION.test(sentence)) return { kind: "text" };
  const isPointing = POINTING.test(sentence);
  if (!isPointing) return undefined;
  if (TASKS.test(sentence)) return { kind: "task" };
  const isAhead = AHEAD.test(sentence);
  return isAhead && (SPEECH.test(sentence) || TEXTS.test(sentence)) ? { kind: "text" } : undefined;
}

const MAX_TITLE_WORDS = 10;

/** Whether a line is the title of a text of somebody else: "Transcript of the call", "Review by Eve". */
export function isTitle(line: string): boolean {
  const title = line.replace(/[*_#`~=]+/g, "").trim();
  if (/[.!?,;:。！？]$/u.test(title) || title.split(/\s+/).length > MAX_TITLE_WORDS) return false;
  return TEXTS.test(title) && !FIRST_PERSON.test(title) && !OWN_LABELS.test(title);
}
