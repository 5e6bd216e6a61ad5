import { textBetween, trimEdges, type Word } from "./words.ts";

/** What a quantity measures, by its unit. */
const MEASURES: readonly [measure: string, unit: RegExp][] = [
  ["dose", /^(?:mg|mcg|µg|ml|iu|units?|tablets?|pills?|drops?|puffs?)\b/iu],
  ["share", /^(?:%|percent\b|per cent\b)/iu],
  ["weight", /^(?:kg|kilos?|kilograms?|grams?|lbs?|stone|tons?|tonnes?)\b/iu],
  ["duration", /^(?:ms|s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?)\b/iu],
  ["distance", /^(?:km|kilomet(?:re|er)s?|m|met(?:re|er)s?|cm|mm|miles?|feet|ft|inch(?:es)?)\b/iu],
  ["temperature", /^(?:°|degrees?\b)/iu],
  [
    "amount",
    /^(?:(?:k|m|bn|thousand|million|billion|grand|eur|euros?|usd|dollars?|pounds?|gbp|chf|francs?)\b|[€$£])/iu,
  ],
];
const LEAD = /^(?:(?:(?:up|down|back) )?to |about |around |roughly |only |just |at |exactly )*/iu;
const NUMBER = /^[€$£]? ?\d[\d.,]* ?/u;
/** What may follow a quantity within a value: "62k a month". */
const RATE =
  /^(?: ?(?:each|in total|now|(?:(?:once|twice|three times) )?(?:(?:a|per|every) \p{L}{3,12}|\p{L}{2,5}ly)))?$/iu;

export interface Quantity {
  /** The property that the quantity measures: "dose", "amount"; "number" if it has no unit. */
  measure: string;
  value: string;
}

/** Returns the quantity if the words contain nothing else, otherwise undefined. */
export function quantityOf(words: Word[], text: string): Quantity | undefined {
  const phrase = textBetween(text, trimEdges(words));
  const value = phrase.slice(LEAD.exec(phrase)?.[0].length);
  const number = NUMBER.exec(value)?.[0];
  if (number === undefined) return undefined;
  const rest = value.slice(number.length);
  for (const [measure, unit] of MEASURES) {
    const found = unit.exec(rest)?.[0];
    if (found !== undefined) return RATE.test(rest.slice(found.length)) ? { measure, value } : undefined;
  }
  if (!RATE.test(rest)) return undefined;
  return { measure: /^[€$£]/u.test(number) ? "amount" : "number", value };
}
