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
export function readClock(reader: Reader, place: number): ClockFound | undefined {
  const meridiemBefore = meridiemAt(reader, place);
  const start = meridiemBefore === undefined ? place : place + meridiemBefore.length;
  const found = readHour(reader, start) ?? (meridiemBefore && hourInWords(reader, start));
  if (found === undefined || (meridiemBefore !== undefined && !found.marked)) return undefined;
  let { to } = found;
  let meridiem = meridiemBefore?.meridiem;
  const after = meridiemAt(reader, to) ?? letters(reader, to);
  if (meridiem === undefined && after !== undefined) {
    meridiem = after.meridiem;
    to += after.length;
  }
  const zone = zoneAt(reader, to);
  to += zone?.length ?? 0;
  if (!found.marked && meridiem === undefined && !isBareHour(reader, place, to)) return undefined;
  if (meridiem !== undefined && (found.hour > 12 || found.hour === 0) && after?.letters) return undefined;
  const exact = meridiem !== undefined || found.exact;
  const hour = hourOfDay(found.hour, meridiem);
  return { from: place, to, clock: { hour, minute: found.minute, meridiem, exact, offset: zone?.offset } };
}

/** "at 8", not followed by a word that it counts. */
function isBareHour(reader: Reader, place: number, to: number): boolean {
  const hour = reader.number(place, 12);
  if (hour === undefined || hour === 0 || reader.senseBefore(place, "at", "from", "to") === undefined) return false;
  const next = reader.tokens[to];
  if (next?.kind !== "word" || reader.hasSenses(to) || reader.lexicon.functionWords.has(next.lower)) return true;
  return reader.lexicon.table.capitalNouns === true && !reader.isCapital(to);
}

/** "下午三点": the word for "pm" shows that this is a time, not three points. */
function hourInWords(reader: Reader, place: number): Hour | undefined {
  const word = reader.sense(place, "number");
  if (word === undefined || !HOUR_MARKS.has(reader.tokens[place + word.length]?.text ?? "")) return undefined;
  return hourAndMark(reader, place + word.length - 1, word.value);
}

/** "CET", "+0100" */
function zoneAt(reader: Reader, place: number): { offset: number; length: number } | undefined {
  const text = reader.tokens[place]?.text ?? "";
  const named = /^[A-Z]{3,4}$/.test(text) ? ZONES.get(text.toLowerCase()) : undefined;
  if (named !== undefined) return { offset: named, length: 1 };
  const digits = reader.tokens[place + 1]?.text ?? "";
  const isOffset = /^\d{2}:?\d{2}$/.test(digits) && reader.isMark(place, "+", "-") && reader.isAttached(place + 1);
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
  /** It is written as a time. */
  marked: boolean;
  exact: boolean;
}

function readHour(reader: Reader, place: number): Hour | undefined {
  const token = reader.tokens[place];
  if (token === undefined || token.bound) return undefined;
  const { isEnglish } = reader.lexicon.table;
  if (token.kind === "run") {
    const parts = /^(\d{1,2})([:.])(\d{2})(?::\d{2})?$/.exec(token.text);
    if (parts === null) return undefined;
    const oclock = reader.sense(place + 1, "oclock");
    const isTime = parts[2] === ":" || (oclock !== undefined && !isEnglish) || letters(reader, place + 1) !== undefined;
    const hour = Number(parts[1]);
    const minute = Number(parts[3]);
    if (!isTime || hour > 23 || minute > 59) return undefined;
    const exact = !isEnglish || hour > 12 || token.text.startsWith("0");
    return { hour, minute, to: place + 1 + (oclock?.length ?? 0), marked: true, exact };
  }
  const hour = reader.number(place, 24);
  if (hour === undefined || hour > 23) return undefined;
  return hourAndMark(reader, place, hour);
}

function hourAndMark(reader: Reader, place: number, hour: number): Hour {
  const next = reader.tokens[place + 1];
  const attached = /^h(\d{2})$/.exec(next?.lower ?? "");
  if (attached !== null && reader.isAttached(place + 1)) {
    return { hour, minute: Number(attached[1]), to: place + 2, marked: true, exact: true };
  }
  const isHan = HOUR_MARKS.has(next?.text ?? "") && reader.tokens[place + 2]?.text !== "間";
  const oclock = reader.sense(place + 1, "oclock");
  if (!isHan && oclock === undefined) {
    return { hour, minute: 0, to: place + 1, marked: false, exact: false };
  }
  let to = place + 1 + (oclock?.length ?? 1);
  let minute = 0;
  const minutes = reader.number(to, 59);
  if (reader.tokens[to]?.text === HALF) {
    minute = 30;
    to++;
  } else if (
    minutes !== undefined &&
    (isHan ? reader.tokens[to + 1]?.text === MINUTE_MARK : reader.tokens[to]?.text.length === 2)
  ) {
    minute = minutes;
    to += isHan ? 2 : 1;
  }
  return { hour, minute, to, marked: true, exact: !reader.lexicon.table.isEnglish };
}

type Meridiem = { meridiem: "am" | "pm"; length: number; letters?: boolean };

function meridiemAt(reader: Reader, place: number): Meridiem | undefined {
  const sense = reader.sense(place, "am", "pm");
  if (sense === undefined || reader.sense(place, "period") !== undefined) return undefined;
  return { meridiem: sense.kind === "am" ? "am" : "pm", length: sense.length };
}

/** "am", "p.m." */
function letters(reader: Reader, place: number): Meridiem | undefined {
  const text = reader.tokens[place]?.lower;
  // German "am" is a preposition: "um 5 am Freitag".
  if (reader.sense(place, "on") !== undefined) return undefined;
  if (text === "am" || text === "pm") return { meridiem: text, length: 1, letters: true };
  const isDotted = reader.isMark(place + 1, ".") && reader.tokens[place + 2]?.lower === "m";
  if ((text !== "a" && text !== "p") || !isDotted) return undefined;
  return { meridiem: text === "a" ? "am" : "pm", length: reader.isMark(place + 3, ".") ? 4 : 3, letters: true };
}
