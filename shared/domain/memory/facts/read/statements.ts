import { setOf } from "../../../../kernel/strings.ts";
import { analyse } from "../../../../kernel/text/text.ts";
import type { Sentence } from "../../extraction/passage.ts";
import type { Act } from "../fact.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { type DatePrefixes, type Validity, validityOf } from "./validity.ts";
import type { Word } from "./words.ts";

/** A clause of a sentence, or the whole sentence if its clauses are not known. */
export interface Part {
  /** Range in the sentence. */
  start: number;
  end: number;
  isRead: boolean;
  /** It states the value of a slot, which a later value ends. */
  isInSlot: boolean;
}

/** A sentence of a statement. */
export interface ReadSentence {
  text: string;
  parts: Part[];
  /** For each clause with a verb: when it happened, or undefined if it says what holds. */
  times: (Validity | undefined)[];
  /** Its first date, if it is neither the day of the statement nor a day of the week. */
  date: StatedDate | undefined;
  /** When what it says stops holding, if it names only an end: "until end of April". */
  until: string | undefined;
}

interface StatedDate extends Validity {
  /** It is a day or a range of days, not a month or a year. */
  isDay: boolean;
}

/** Minimum number of terms; shorter texts say too little to be a fact. */
const MIN_TERMS = 3;

/** Returns the words of a statement that the rules could not parse, as facts without an attribute. */
export function unreadFacts(
  sentences: ReadSentence[],
  { subject, isEnglish, day }: { subject: string; isEnglish: boolean; day: string | undefined },
): { draft: Draft; text: string; isWhole: boolean }[] {
  const { act, validity } = whenOf(sentences, day);
  const confidence = isEnglish ? CONFIDENCE.statement : CONFIDENCE.foreign;
  const common = { subject, attribute: "", act, cardinality: "open", confidence, validity } as const;
  const texts = unreadTexts(sentences);
  return texts
    .filter(({ text }) => analyse(text).length >= MIN_TERMS)
    .map(({ text, isWhole }) => ({ draft: draftOf({ ...common, value: text }), text, isWhole }));
}

/**
 * Returns the whole text, or the clauses around those that state the value of a slot: such a clause holds only as long
 * as its value, so a fact of its own would still be current when the value has changed.
 */
function unreadTexts(sentences: ReadSentence[]): { text: string; isWhole: boolean }[] {
  if (!sentences.some(({ parts }) => parts.some(({ isInSlot }) => isInSlot)))
    return [{ text: sentences.map(({ text }) => text).join(" "), isWhole: true }];
  const runs: { texts: string[]; isRead: boolean }[] = [];
  let run = { texts: [] as string[], isRead: true };
  for (const { text, parts } of sentences) {
    let from = 0;
    for (const [place, part] of parts.entries()) {
      if (part.isInSlot) {
        runs.push(run);
        run = { texts: [], isRead: true };
        from = place + 1;
        continue;
      }
      run.isRead &&= part.isRead;
      if (parts[place + 1]?.isInSlot === false) continue;
      const isLast = place === parts.length - 1;
      run.texts.push(text.slice(from === 0 ? 0 : parts[from]?.start, isLast ? text.length : part.end));
    }
  }
  return [...runs, run].filter(({ isRead }) => !isRead).map(({ texts }) => ({ text: texts.join(" "), isWhole: false }));
}

function whenOf(sentences: ReadSentence[], day: string | undefined): { act: Act; validity: Validity } {
  const times = sentences.flatMap((sentence) => sentence.times);
  const dates = sentences.flatMap(({ date }) => date ?? []);
  const past = times.length === 0 ? pastDate(dates, day) : pastOf(times, day);
  if (past !== undefined) return { act: "state", validity: past };
  const isOne = times.length <= 1;
  const ahead = day === undefined || !isOne ? undefined : dates.find(({ from = "" }) => from > day);
  if (ahead === undefined) {
    const until = sentences.map((sentence) => sentence.until).find((end) => end !== undefined);
    return { act: "state", validity: { to: until, isOpenEnded: false } };
  }
  const { isDay, ...validity } = ahead;
  // "We move in June" holds from June on, "the surgery is on 4 August" only on that day.
  if (!isDay || ahead.isOpenEnded)
    return { act: "state", validity: ahead.isOpenEnded ? validity : { ...validity, to: undefined } };
  return { act: "plan", validity };
}

/** Returns the date of words without a verb: "big storm in Leeds on 12 March". */
function pastDate([date]: StatedDate[], day: string | undefined): Validity | undefined {
  const isOver = date?.isDay === true && !date.isOpenEnded && day !== undefined && (date.to ?? day) <= day;
  return isOver ? date : undefined;
}

/** Returns when a statement happened, if all of its clauses are about the past. */
function pastOf(times: (Validity | undefined)[], day: string | undefined): Validity | undefined {
  const dated = times.find((time) => time?.from !== undefined) ?? times[0];
  if (dated === undefined || times.includes(undefined)) return undefined;
  if (dated.isOpenEnded) return { from: day, to: day, isOpenEnded: false };
  const isLater = day !== undefined && dated.to !== undefined && dated.to > day;
  return { from: isLater ? day : (dated.from ?? day), to: isLater ? day : (dated.to ?? day), isOpenEnded: false };
}

const DAYS = setOf("day range hour minute");
const RELATIVE = setOf("tomorrow yesterday morgen gestern mañana ayer demain hier");

/** Returns the first date of a sentence that is a period of its own: no weekday, and not the day of the statement. */
export function dateOf(
  words: Word[],
  { dates }: Pick<Sentence, "dates">,
  day: string | undefined,
  prefixes: DatePrefixes,
): StatedDate | undefined {
  const [date] = dates.filter(
    ({ kind, value, text, precision }) =>
      (kind === "point" || kind === "range") &&
      value.slice(0, day?.length) !== day &&
      (/\d/u.test(text) || RELATIVE.has(text.toLowerCase()) || !DAYS.has(precision)),
  );
  if (date === undefined) return undefined;
  const validity = validityOf(words, [date], prefixes);
  return validity.from === undefined ? undefined : { ...validity, isDay: DAYS.has(date.precision) };
}
