import { alternatives } from "../languages/lists.ts";
import { PROPERTIES, VERB_SLOTS } from "../slots/slots.ts";
import { hasTag, type Token } from "../statements/tagging.ts";
import type { Lemmatizer } from "./verb-group.ts";

/** A row of a list: a name, and a note about it. */
export interface Row {
  key: string;
  value: string;
  /** Range of the row in the content; `end` is exclusive. */
  start: number;
  end: number;
  /** The line before the list, if it ends with a colon: "who owns what:". */
  heading: string | undefined;
}

const BULLET = /^\s*(?:[-*+•·‣▪|]\s+|\|\s*|\d{1,2}[.)]\s+|\[[ x]\]\s+)?/u;
const SEPARATOR = /\s*(?:\.{3,}|…{2,}|\t+|\s[-–—|·•]\s|\s(?:->|=>|→|=)\s|:\s)\s*/u;
const MAX_LINE = 300;
const MAX_KEY = 50;
const MAX_KEY_WORDS = 5;
const MIN_ROWS = 2;
/** Header fields of an email, which another person wrote. */
const MAIL_KEY = new RegExp(`^(?:${alternatives(({ mails }) => mails?.mailFields)})$`, "iu");

/**
 * Returns the rows of the lists in a text: consecutive lines with a short name, a value and the same separator. Email
 * headers are not rows. Takes time linear in the text's length.
 */
export function rowsOf(content: string): Row[] {
  const rows: Row[] = [];
  let run: (Row & { mark: string })[] = [];
  let heading: string | undefined;
  const close = () => {
    const isMail = run.filter(({ key }) => MAIL_KEY.test(key)).length > 1;
    if (run.length >= MIN_ROWS && !isMail) rows.push(...run.map(({ mark: _, ...row }) => row));
    run = [];
  };
  let start = 0;
  for (const line of content.split("\n")) {
    const row = line.length > MAX_LINE ? undefined : rowOf(line, start);
    if (row === undefined) {
      const isBlank = line.trim() === "";
      if (!isBlank || run.length > 0) close();
      if (!isBlank) heading = line.trimEnd().endsWith(":") ? line.trim() : undefined;
    } else {
      if (run.length > 0 && run[0]?.mark !== row.mark) close();
      run.push({ ...row, heading });
    }
    start += line.length + 1;
  }
  close();
  return rows;
}

function rowOf(line: string, offset: number): (Row & { mark: string }) | undefined {
  const bullet = BULLET.exec(line)?.[0] ?? "";
  const body = line.slice(bullet.length);
  const separator = SEPARATOR.exec(body);
  if (separator === null) return undefined;
  const key = body.slice(0, separator.index).trim();
  const value = body
    .slice(separator.index + separator[0].length)
    .replace(/\s*\|\s*$/u, "")
    .trim();
  const isKey = key.length > 0 && key.length <= MAX_KEY && /^[\p{L}\d]/u.test(key) && !/[.!?,;]/u.test(key);
  if (!isKey || value === "" || key.split(/\s+/u).length > MAX_KEY_WORDS) return undefined;
  const mark = separator[0].trim().charAt(0);
  return { key, value, start: offset + bullet.length, end: offset + line.trimEnd().length, heading: undefined, mark };
}

/** Slots of a thing, by the verb that takes their value as its subject: "owns" gives the owner. */
const INVERSE = new Map(
  VERB_SLOTS.filter(({ isInverse, effect }) => isInverse === true && effect === "state").flatMap(({ verbs, slot }) =>
    verbs.split(" ").map((verb) => [verb, slot] as const),
  ),
);

/** Returns the slot that a heading gives to the values of its list: "who owns what:", "Ports:". */
export function relationOf(heading: Token[], lemmaOf: Lemmatizer): string | undefined {
  for (const token of heading) {
    const singular = token.normal.replace(/s$/, "");
    const noun = [token.normal, singular].find((word) => PROPERTIES.has(word));
    if (noun !== undefined && !hasTag(token, "Verb")) return noun;
    const slot = hasTag(token, "Verb") ? INVERSE.get(lemmaOf(token.normal, "PresentTense")) : undefined;
    if (slot !== undefined) return slot;
  }
  return undefined;
}
