import { offsetAt } from "./calendar.ts";
import type { Clock, Reader } from "./expression.ts";

export interface ClockFound {
  from: number;
  to: number;
  clock: Clock;
}

/** Minutes east of UTC. */
const ZONES = new Map(
  `utc:0 gmt:0 cet:60 cest:120 eet:120 eest:180 bst:60 est:-300 edt:-240 cst:-360 cdt:-300 mst:-420 mdt:-360
   pst:-480 pdt:-420 jst:540 mez:60 mesz:120 ist:330 aest:600 aedt:660`
    .split(/\s+/)
    .map((zone) => zone.split(":"))
    .map(([name, minutes]) => [name, Number(minutes)] as const),
);
const HOUR_MARKS = new Set(["時", "时", "時間", "点", "點"]);
const HALF = "半";
const MINUTE_MARK = "分";

/** Reads a time of day at a position: "14:30", "3 pm", "20 Uhr", "15h30", "午後3時". */
export function readClock(reader: Reader, index: number): ClockFound | undefined {
  const meridiemBefore = meridiemAt(reader, index);
  const start = meridiemBefore === undefined ? index : index + meridiemBefore.length;
  const found = readHour(reader, start) ?? (meridiemBefore && hourInWords(reader, start));
  if (found === undefined || (meridiemBefore !== undefined && !found.marked)) return undefined;
  let { to } = found;
  let meridiem = meridiemBefore?.meridiem;
  const after = meridiemAt(reader, to) ?? latinMeridiem(reader, to);
  if (meridiem === undefined && after !== undefined) {
    meridiem = after.meridiem;
    to += after.length;
  }
  const zone = zoneAt(reader, to);
  to += zone?.length ?? 0;
  if (!found.marked && meridiem === undefined && !isHourAfterPreposition(reader, index, to)) return undefined;
  if (meridiem !== undefined && (found.hour > 12 || found.hour === 0) && after?.letters) return undefined;
  const exact = meridiem !== undefined || found.exact;
  const hour = hourOfDay(found.hour, meridiem);
  return { from: index, to, clock: { hour, minute: found.minute, meridiem, exact, offset: zone?.offset } };
}

/** Whether a number after a preposition is an hour: "at 8", not followed by a word that it counts. */
function isHourAfterPreposition(reader: Reader, index: number, to: number): boolean {
  const hour = reader.number(index, 12);
  if (hour === undefined || hour === 0 || reader.senseBefore(index, "at", "from", "to") === undefined) return false;
  const next = reader.tokens[to];
  if (next?.kind !== "word" || reader.hasSenses(to) || reader.lexicon.functionWords.has(next.lower)) return true;
  return reader.lexicon.capitalNouns === true && !reader.isCapital(to);
}

/** "下午三点": the word for "pm" shows that this is a time, not three points. */
function hourInWords(reader: Reader, index: number): Hour | undefined {
  const word = reader.sense(index, "number");
  if (word === undefined || !HOUR_MARKS.has(reader.tokens[index + word.length]?.text ?? "")) return undefined;
  return hourAndMark(reader, index + word.length - 1, word.value);
}

/** "CET", "+0100" */
function zoneAt(reader: Reader, index: number): { offset: number; length: number } | undefined {
  const text = reader.tokens[index]?.text ?? "";
  const named = /^[A-Z]{3,4}$/.test(text) ? ZONES.get(text.toLowerCase()) : undefined;
  if (named !== undefined) return { offset: named, length: 1 };
  const digits = reader.tokens[index + 1]?.text ?? "";
  const isOffset = /^\d{2}:?\d{2}$/.test(digits) && reader.isMark(index, "+", "-") && reader.isAttached(index + 1);
  const offset = isOffset ? offsetAt(text + digits, 0) : undefined;
  return offset === undefined ? undefined : { offset, length: 2 };
}

/** Returns the hour on the 24-hour clock. */
export function hourOfDay(hour: number, meridiem: Clock["meridiem"]): number {
  if (meridiem === "pm" && hour < 12) return hour + 12;
  return meridiem === "am" && hour === 12 ? 0 : hour;
}

interface Hour {
  hour: number;
  minute: number;
  to: number;
  /** Whether it is written as a time. */
  marked: boolean;
  exact: boolean;
}

function readHour(reader: Reader, index: number): Hour | undefined {
  const token = reader.tokens[index];
  if (token === undefined || token.bound) return undefined;
  const { isEnglish } = reader.lexicon.table;
  if (token.kind === "run") {
    const parts = /^(\d{1,2})([:.])(\d{2})(?::\d{2})?$/.exec(token.text);
    if (parts === null) return undefined;
    const oclock = reader.sense(index + 1, "oclock");
    const isTime =
      parts[2] === ":" || (oclock !== undefined && !isEnglish) || latinMeridiem(reader, index + 1) !== undefined;
    const hour = Number(parts[1]);
    const minute = Number(parts[3]);
    if (!isTime || hour > 23 || minute > 59) return undefined;
    const exact = !isEnglish || hour > 12 || token.text.startsWith("0");
    return { hour, minute, to: index + 1 + (oclock?.length ?? 0), marked: true, exact };
  }
  const hour = reader.number(index, 24);
  if (hour === undefined || hour > 23) return undefined;
  return hourAndMark(reader, index, hour);
}

function hourAndMark(reader: Reader, index: number, hour: number): Hour {
  const next = reader.tokens[index + 1];
  const attached = /^h(\d{2})$/.exec(next?.lower ?? "");
  if (attached !== null && reader.isAttached(index + 1)) {
    return { hour, minute: Number(attached[1]), to: index + 2, marked: true, exact: true };
  }
  const hasHourMark = HOUR_MARKS.has(next?.text ?? "") && reader.tokens[index + 2]?.text !== "間";
  const oclock = reader.sense(index + 1, "oclock");
  if (!hasHourMark && oclock === undefined) {
    return { hour, minute: 0, to: index + 1, marked: false, exact: false };
  }
  let to = index + 1 + (oclock?.length ?? 1);
  let minute = 0;
  const minutes = reader.number(to, 59);
  if (reader.tokens[to]?.text === HALF) {
    minute = 30;
    to++;
  } else if (
    minutes !== undefined &&
    (hasHourMark ? reader.tokens[to + 1]?.text === MINUTE_MARK : reader.tokens[to]?.text.length === 2)
  ) {
    minute = minutes;
    to += hasHourMark ? 2 : 1;
  }
  return { hour, minute, to, marked: true, exact: !reader.lexicon.table.isEnglish };
}

type Meridiem = { meridiem: "am" | "pm"; length: number; letters?: boolean };

function meridiemAt(reader: Reader, index: number): Meridiem | undefined {
  const sense = reader.sense(index, "am", "pm");
  if (sense === undefined || reader.sense(index, "period") !== undefined) return undefined;
  return { meridiem: sense.kind === "am" ? "am" : "pm", length: sense.length };
}

/** "am", "p.m." */
function latinMeridiem(reader: Reader, index: number): Meridiem | undefined {
  const text = reader.tokens[index]?.lower;
  // German "am" is a preposition: "um 5 am Freitag".
  if (reader.sense(index, "on") !== undefined) return undefined;
  if (text === "am" || text === "pm") return { meridiem: text, length: 1, letters: true };
  const isDotted = reader.isMark(index + 1, ".") && reader.tokens[index + 2]?.lower === "m";
  if ((text !== "a" && text !== "p") || !isDotted) return undefined;
  return { meridiem: text === "a" ? "am" : "pm", length: reader.isMark(index + 3, ".") ? 4 : 3, letters: true };
}
