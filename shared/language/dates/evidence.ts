import { alternatives, PARTICLES } from "../languages/lists.ts";
import type { Reader } from "./expression.ts";
import type { Sense, SenseKind } from "./lexicon.ts";

/** Words after a number that show that it is an amount and not a year. */
const MEASURE = new RegExp(`^(?:${alternatives(({ values }) => values?.measures)})$`);

/** Words that link a noun to what it belongs to: "the last 3 days of the trip", "rue du 11 Novembre". */
export const GENITIVES = alternatives(({ values }) => values?.genitives);

/** Whether a preposition before a position makes a date likely. */
export function hasPreposition(reader: Reader, index: number): boolean {
  const start = reader.skipBack(reader.isMark(index - 1, "-") ? index - 1 : index, "article");
  const kinds = ["on", "since", "until", "from", "between", "every", "due"] as const;
  return [index, start].some((at) => reader.senseBefore(at, ...kinds) !== undefined);
}

function hasStrongPreposition(reader: Reader, index: number): boolean {
  const at = reader.isMark(index - 1, "-") ? index - 1 : index;
  return isStrongBefore(reader, at, "on", "since", "until", "every") && !isAgent(reader, at);
}

/** Whether words of these kinds precede a position and are not only weak evidence. */
function isStrongBefore(reader: Reader, index: number, ...kinds: SenseKind[]): boolean {
  const length = reader.senseBefore(index, ...kinds)?.length ?? 0;
  return length > (reader.senseBefore(index, "weak")?.length ?? 0);
}

/** Whether "by" precedes the name of an agent: "painted by April". */
function isAgent(reader: Reader, index: number): boolean {
  const verb = reader.tokens[index - 2];
  const isBy = reader.tokens[index - 1]?.lower === "by";
  return isBy && verb !== undefined && reader.lexicon.table.past.test(verb.lower);
}

/** Whether a word that may be the name of a month or weekday is one, without a number next to it. */
export function isCalendarName(reader: Reader, index: number, { length }: Sense): boolean {
  if (isPartOfName(reader, index, length)) return false;
  if (!reader.isAmbiguous(index)) return true;
  return !isLinkedName(reader, index, length) && hasStrongPreposition(reader, index) && isWrittenAsName(reader, index);
}

/** English capitalizes months and weekdays, but some people write "in april". */
function isWrittenAsName(reader: Reader, index: number): boolean {
  return reader.isCapital(index) || (reader.tokens[index]?.text.length ?? 0) > 3;
}

const STREET_AFTER = new RegExp(`^(?:${alternatives(({ values }) => values?.streetsAfter)})$`);
const STREET_BEFORE = new RegExp(`^(?:${alternatives(({ values }) => values?.streetsBefore)})$`);
/** Words between the word for a street and the date that the street is named after. */
const STREET_LINK = new RegExp(`^(?:la|l|${GENITIVES})$`);

/** "12 May Street", "rue du 11 Novembre", "via 20 Settembre": a date that a street is named after. */
export function isAddress(reader: Reader, from: number, to: number): boolean {
  const after = reader.tokens[to];
  if (after?.spaced && reader.isCapital(to) && STREET_AFTER.test(after.lower)) return true;
  let before = from - 1;
  for (let links = 0; links < 2 && STREET_LINK.test(reader.tokens[before]?.lower ?? ""); links++) before--;
  return STREET_BEFORE.test(reader.tokens[before]?.lower ?? "");
}

/** "del" of "Mar del Plata", "of" of "March of Dimes". */
const NAME_LINK = new RegExp(`^(?:of|${PARTICLES})$`);

/** An ambiguous month name, linked with a capitalized word: "Mar del Plata". */
function isLinkedName(reader: Reader, index: number, length: number): boolean {
  const [link, next] = reader.tokens.slice(index + length, index + length + 2);
  return NAME_LINK.test(link?.lower ?? "") && next?.kind === "word" && reader.isCapital(index + length + 1);
}

const CALENDAR_KINDS = "month weekday unit am pm relative season on since every until from".split(" ") as SenseKind[];

/** "June Carter", "Black Friday": a capitalized word next to it is no calendar word and does not start its sentence. */
function isPartOfName(reader: Reader, index: number, length: number): boolean {
  const isDomain = reader.isMark(index + length, ".", "@", "_", "/") && reader.isAttached(index + length + 1);
  if (isDomain && reader.isAttached(index + length) && reader.tokens[index + length + 1]?.kind === "word") return true;
  if (!reader.isCapital(index) || reader.lexicon.capitalNouns) return false;
  const next = index + length;
  const before = index - 1;
  const isName = (at: number) => reader.isCapital(at) && reader.sense(at, ...CALENDAR_KINDS) === undefined;
  if (reader.tokens[next]?.kind === "word" && reader.tokens[next]?.spaced && isName(next))
    return reader.tokens[next]?.text !== "I";
  return reader.tokens[before]?.kind === "word" && isName(before) && !reader.opensSentence(before);
}

/** Whether a date continues or starts a list or range: "2015 and 2018", "from March to May". */
export function isListed(
  reader: Reader,
  index: number,
  { length }: Pick<Sense, "length">,
  previousEnd: number | undefined,
): boolean {
  const link = reader.senseBefore(index, "and", "to");
  const start = link === undefined ? index - 1 : index - link.length;
  const follows = link !== undefined || reader.isMark(start, ",", "-", "–", "/");
  if (follows && start > 0 && previousEnd === start) return true;
  if (reader.senseBefore(index, "from", "between") === undefined) return false;
  const next = index + length + (reader.sense(index + length, "to", "and")?.length ?? 0);
  return next > index + length && reader.sense(next, "month") !== undefined;
}

/** Whether the name of a weekday means a weekday; not in "Sam, Tuesday and Wednesday". */
export function isWeekday(reader: Reader, index: number, sense: Sense, previousEnd: number | undefined): boolean {
  if (!isCalendarName(reader, index, sense)) return false;
  if (hasPreposition(reader, index) || !reader.isCapital(index)) return true;
  const before = reader.skipBack(index, "article");
  if (reader.senseBefore(before, "and") !== undefined) return previousEnd !== undefined && previousEnd >= before - 2;
  return true;
}

/** Whether a four-digit number is a year: it follows a preposition and does not count anything. */
export function isYear(reader: Reader, index: number, year: number): boolean {
  const next = reader.tokens[index + 1];
  const isDirect = next?.kind === "word" && !reader.isMark(index + 1, ".");
  if (isDirect && (MEASURE.test(next.lower) || reader.sense(index + 1, "unit") !== undefined)) return false;
  if (reader.senseBefore(index, "unit")?.unit === "year") return true;
  const dash = reader.isMark(index - 1, "-") ? index - 1 : index;
  const start = reader.skipBack(index, "article");
  const kinds = ["on", "since", "until", "from", "between"] as const;
  if ([index, dash, start].some((at) => isStrongBefore(reader, at, ...kinds)))
    return !(isDirect && reader.lexicon.table.isEnglish && year < 1900);
  const weak = reader.senseBefore(index, "on", "weak") !== undefined;
  const counts = isDirect && !next.opensLine && !reader.lexicon.functionWords.has(next.lower);
  return weak && year >= 1900 && year < 2100 && !counts;
}

/** Whether a fraction counts the word after it. */
export function isCounted(reader: Reader, index: number): boolean {
  const next = reader.tokens[index];
  return next?.kind === "word" && (next.lower === "of" || MEASURE.test(next.lower));
}
