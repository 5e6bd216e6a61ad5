import { setOf } from "../../kernel/strings.ts";
import { bareWord } from "../../kernel/text/fold.ts";
import { allWords, alternatives } from "../languages/lists.ts";
import { GENERIC } from "./generic-words.ts";

/** A number of a sentence with what it counts. */
export interface Quantity {
  /** As written, with its unit: "82 kg", "31:30". */
  text: string;
  value: number;
  /** What it counts, in lower case; ":" for a duration, "/" for a ratio such as a blood pressure. */
  unit: string;
}

/** A duration, a ratio, an amount after its currency, or a number with the word after it. */
const QUANTITY =
  /(?<![\p{L}\p{N}.,:/#-])(?:(?<duration>\d{1,3}:[0-5]\d(?::[0-5]\d)?)|(?<ratio>\d{2,3}\/\d{2,3})|(?<currency>[€£$¥])\s?(?<amount>\d[\d.,]{0,12})|(?<number>\d[\d.,]{0,12})\s?(?<unit>%|°C?|[€£$¥]|\p{L}{2,20}))(?![\p{L}\p{N}/:])/gu;
/** Words before a time of day. */
const CLOCK = new RegExp(
  String.raw`(?:^|[\s(])(?:${alternatives(({ assertions }) => assertions?.clockPrepositions)})\s*$`,
  "iu",
);
const MAX_BEFORE = 12;
const MIN_DIASTOLIC = 30;

/** Returns the quantities of a sentence; dates, times of day and numbers without a unit are none. */
export function quantitiesIn(text: string): Quantity[] {
  return Array.from(text.matchAll(QUANTITY)).flatMap(({ 0: written, index, groups = {} }) => {
    const { duration, ratio, currency, amount, number, unit = "" } = groups;
    if (duration !== undefined) {
      if (CLOCK.test(text.slice(Math.max(0, index - MAX_BEFORE), index))) return [];
      return [{ text: written, value: secondsOf(duration), unit: ":" }];
    }
    if (ratio !== undefined) {
      const [above = 0, below = 0] = ratio.split("/").map(Number);
      return above > below && below >= MIN_DIASTOLIC ? [{ text: written, value: above, unit: "/" }] : [];
    }
    if (currency !== undefined) return [{ text: written, value: numberOf(amount ?? ""), unit: currency }];
    const counted = bareWord(unit).toLowerCase();
    if (GENERIC.has(counted) && !MEASURES.has(counted)) return [];
    return [{ text: written, value: numberOf(number ?? ""), unit: counted }];
  });
}

/** Units that are also words of time. */
const MEASURES = setOf(allWords(({ assertions }) => assertions?.measures));

function secondsOf(duration: string): number {
  return duration.split(":").reduce((total, part) => total * 60 + Number(part), 0);
}

/** Reads a number in either notation: "2,400" and "2.400" are thousands, "82,5" and "82.5" have a fraction. */
function numberOf(text: string): number {
  const digits = text.replace(/[.,]$/u, "");
  return /^\d{1,3}(?:[.,]\d{3})+$/u.test(digits)
    ? Number(digits.replace(/[.,]/gu, ""))
    : Number(digits.replace(",", "."));
}
