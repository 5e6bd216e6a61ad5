import { PARTICLES, wordAlternatives } from "../../languages/lists.ts";
import { type Intro, introOf, introWords, opensPersonally, PLEASE } from "./intros.ts";
import {
  ASIDES,
  FIRST_PERSON,
  ORDERS,
  OWN_LABELS,
  POINTING,
  RETURNS,
  SECOND_PERSON,
  SIGN_OFF,
  TASKS,
  TEXTS,
  THANKS,
} from "./lexicon.ts";

export interface Line {
  text: string;
  start: number;
  end: number;
  /** A blank line, or the beginning, is before it. */
  opensParagraph: boolean;
}

/** Who writes somebody else's words: people, in letters or in turns; nobody in particular; a program. */
export type Source = "letter" | "chat" | "document" | "machine";

export const MAX_CLAUSE = 240;
export const NAME_LINE = new RegExp(
  String.raw`^\s*[-–—~]{0,2}\s*(?:\p{Lu}[\p{L}.'’-]*(?:,? (?:\p{Lu}[\p{L}.'’-]*|${PARTICLES})){0,3}[.,]?|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{2,8})\s*$`,
  "u",
);

const OFTEN = wordAlternatives(({ grammar }) => grammar?.lasting);
export const HANDS_OVER = new RegExp(
  String.raw`^(?!.*(?<!\p{L})(?:always|never|${OFTEN}|${introWords("conditions")})(?!\p{L})).*(?<!\p{L})(?:${introWords("handsOver")})`,
  "iu",
);
export const FICTIONAL = new RegExp(introWords("plays"), "iu");
const MAX_BARE_TASK_WORDS = 4;
const MAX_OBJECT_WORDS = 3;
/** A task that can only mean the text before it: "Summarize.", "Translate the text above." */
export function isBareTask(sentence: string): boolean {
  const words = sentence.trim().replace(PLEASE, "");
  const task = TASKS.exec(words);
  if (task === null) return false;
  if (words.split(/\s+/).length <= MAX_BARE_TASK_WORDS) return HANDS_OVER.test(words) || POINTING.test(words);
  const object = words
    .slice(task.index + task[0].length)
    .trim()
    .split(/\s+/, MAX_OBJECT_WORDS);
  return POINTING.test(object.join(" ")) && (POINTING.test(object[0] ?? "") || TEXTS.test(object.join(" ")));
}

const OPENING_MARKS = /^[\s¿¡(*_–—-]+/u;

/** Whether a line begins as the user's own words do after a text, or is a question about that text. */
export function isResumption(line: string): boolean {
  const [sentence = ""] = line.split(/(?<=[.!?。！？])\s/u);
  return (
    RETURNS.exec(line.slice(0, MAX_CLAUSE).replace(OPENING_MARKS, ""))?.index === 0 ||
    ASIDES.test(sentence) ||
    isBackReference(sentence)
  );
}

/** "Please summarise it.": a task on a text; the writer of a letter may ask for others. */
export function isRequest(paragraph: string, source: Source): boolean {
  const [sentence = ""] = paragraph
    .slice(0, MAX_CLAUSE)
    .trim()
    .replace(PLEASE, "")
    .split(/(?<=[.!?。！？])\s/u);
  return TASKS.exec(sentence)?.index === 0 && (source !== "letter" || isBareTask(sentence));
}

/** Whether somebody speaks in a line, outside its quotations. */
export function isPersonal(line: string): boolean {
  const said = line.replace(/"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」/gu, "");
  return FIRST_PERSON.test(said) || SECOND_PERSON.test(said) || ORDERS.test(said);
}

/** Whether a sentence begins with an order: "Always …" */
export function holdsOrder(paragraph: string): boolean {
  return paragraph.split(/(?<=[.!?。！？:])\s*/u).some((sentence) => ORDERS.exec(sentence.trim())?.index === 0);
}

export function isClosing(line: string): boolean {
  return SIGN_OFF.test(line) || THANKS.test(line);
}

/** "Best wishes, Ada" */
export function isSignedClosing(line: string): boolean {
  const [, closing = "", name = ""] = /^\s*([^,!.]{2,40})[,!.]\s+(\S[^,]{1,40})$/u.exec(line) ?? [];
  return NAME_LINE.test(name) && isClosing(closing);
}

export function sourceOf({ kind, isDocument }: Intro): Source {
  if (kind === "turn") return "chat";
  return isDocument === true ? "document" : "letter";
}

/** "Can you shorten that?": the user speaks about the text before. */
function isBackReference(sentence: string): boolean {
  return /\?\s*$/.test(sentence) && TASKS.test(sentence) && POINTING.test(sentence);
}

const MIN_TURNS = 2;

export function isDialogue(lines: readonly Line[]): boolean {
  const turns = lines.flatMap(({ text }) => {
    const colon = labelOf(text);
    const label = text
      .slice(0, (colon ?? 1) - 1)
      .replace(/[*_]/g, "")
      .trim();
    return label !== "" && !OWN_LABELS.test(label) ? [text.slice(colon, (colon ?? 0) + MAX_CLAUSE)] : [];
  });
  return turns.length >= MIN_TURNS && turns.some((turn) => opensPersonally(turn.trim()) || /[?？]/.test(turn));
}

/** Whether a line is a turn of a dialogue: "Eve: hello". */
export function isTurn(line: string): boolean {
  const colon = labelOf(line);
  return colon !== undefined && introOf(line.slice(0, colon - 1), { value: line.slice(colon).trim() })?.kind === "turn";
}

export function trailing(text: string): number {
  return text.length - text.trimEnd().length;
}

export function linesOf(text: string): Line[] {
  let start = 0;
  let opensParagraph = true;
  return text.split("\n").map((line) => {
    const own = { text: line, start, end: start + line.length, opensParagraph };
    start += line.length + 1;
    opensParagraph = line.trim() === "";
    return own;
  });
}

/** Returns the index after the colon of a label at the beginning of a line. */
export function labelOf(line: string): number | undefined {
  const colon = /^[^:：]{1,60}[:：](?=\s|$|\*)/u.exec(line);
  return colon?.[0].length;
}

/** Returns the sentences of a line; a part that ends with a colon has the index after it. */
export function clausesOf(line: string): { start: number; end: number; colon?: number }[] {
  const clauses: { start: number; end: number; colon?: number }[] = [];
  let start = 0;
  for (const { index, 0: mark } of line.matchAll(
    /[:：](?=[\s*"“„«‘'「『]|$)|：|[.!?。！？]["”»’)]?(?=\s|$)|[。！？]/gu,
  )) {
    const end = index + mark.length;
    const isColon = /^[:：]/.test(mark);
    const from = Math.max(start, end - MAX_CLAUSE);
    clauses.push({ start: from, end, ...(isColon && { colon: end }) });
    if (!isColon) start = end;
  }
  if (start < line.length) clauses.push({ start, end: line.length });
  return clauses;
}
