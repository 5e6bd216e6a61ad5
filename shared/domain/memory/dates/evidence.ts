import type { Reader } from "./expression.ts";
import type { Sense, SenseKind } from "./lexicon.ts";

/** Units of measure, after a bare number. */
const MEASURE =
  /^(?:euros?|eur|usd|dollars?|dólares|dollari|pounds?|chf|yen|km|kms|m|cm|mm|kg|g|mg|ml|l|mb|gb|kb|ms|kwh|watts?|volts?|px|hz|mhz|rpm|points?|punkte|stück|people|users?|customers|units?|copies|times|steps?|words|miles|meters?|metres?|calories|kcal|pages?|leute|personen|personnes|personas|pessoas|persone|mensen|schritte|meilen|habitants|habitantes)$/;

/** Whether a preposition before a position makes a date likely. */
export function hasPreposition(reader: Reader, place: number): boolean {
  const start = reader.skipBack(reader.isMark(place - 1, "-") ? place - 1 : place, "article");
  const kinds = ["on", "since", "until", "from", "between", "every", "due"] as const;
  return [place, start].some((at) => reader.senseBefore(at, ...kinds) !== undefined);
}

function hasStrongPreposition(reader: Reader, place: number): boolean {
  const at = reader.isMark(place - 1, "-") ? place - 1 : place;
  return isStrongBefore(reader, at, "on", "since", "until", "every") && !isAgent(reader, at);
}

/** Whether words of these kinds before a position are not weak. */
function isStrongBefore(reader: Reader, place: number, ...kinds: SenseKind[]): boolean {
  const length = reader.senseBefore(place, ...kinds)?.length ?? 0;
  return length > (reader.senseBefore(place, "weak")?.length ?? 0);
}

/** "painted by April" */
function isAgent(reader: Reader, place: number): boolean {
  const verb = reader.tokens[place - 2];
  const isBy = reader.tokens[place - 1]?.lower === "by";
  return isBy && verb !== undefined && reader.lexicon.table.past.test(verb.lower);
}

/** Whether a word that may be the name of a month or weekday is one, without a number next to it. */
export function isCalendarName(reader: Reader, place: number, { length }: Sense): boolean {
  if (isPartOfName(reader, place, length)) return false;
  if (!reader.isAmbiguous(place)) return true;
  return !isLinkedName(reader, place, length) && hasStrongPreposition(reader, place) && isWrittenAsName(reader, place);
}

/** English capitalizes months and weekdays, but some people write "in april". */
function isWrittenAsName(reader: Reader, place: number): boolean {
  return reader.isCapital(place) || (reader.tokens[place]?.text.length ?? 0) > 3;
}

const STREET_AFTER =
  /^(?:street|st|road|rd|avenue|ave|lane|place|square|court|close|crescent|terrace|boulevard|blvd|drive|way|park|plaza|hall|straat|plein|laan|straße|strasse|platz|allee)$/;
const STREET_BEFORE =
  /^(?:rue|avenue|av|boulevard|bd|place|quai|pont|calle|avenida|avda|plaza|paseo|rua|praça|travessa|largo|via|viale|piazza|corso|straße|strasse|platz|allee|ulica|estación|estação|stazione|station|métro)$/;
/** Words between the word for a street and the date that the street is named after. */
const STREET_LINK = /^(?:de|du|del|dei|des|dos|do|da|der|la|l)$/;

/** "12 May Street", "rue du 11 Novembre", "via 20 Settembre": a date that a street is named after. */
export function isAddress(reader: Reader, from: number, to: number): boolean {
  const after = reader.tokens[to];
  if (after?.spaced && reader.isCapital(to) && STREET_AFTER.test(after.lower)) return true;
  let before = from - 1;
  for (let links = 0; links < 2 && STREET_LINK.test(reader.tokens[before]?.lower ?? ""); links++) before--;
  return STREET_BEFORE.test(reader.tokens[before]?.lower ?? "");
}

/** "del" of "Mar del Plata", "of" of "March of Dimes". */
const NAME_LINK = /^(?:de|del|della|di|du|da|do|dos|van|von|of)$/;

/** An ambiguous month name, linked with a capitalized word: "Mar del Plata". */
function isLinkedName(reader: Reader, place: number, length: number): boolean {
  const [link, next] = reader.tokens.slice(place + length, place + length + 2);
  return NAME_LINK.test(link?.lower ?? "") && next?.kind === "word" && reader.isCapital(place + length + 1);
}

const CALENDAR_KINDS = "month weekday unit am pm relative season on since every until from".split(" ") as SenseKind[];

/** "June Carter", "Black Friday": a capitalized word next to it is neither a calendar word nor the first of its sentence. */
function isPartOfName(reader: Reader, place: number, length: number): boolean {
  const isDomain = reader.isMark(place + length, ".", "@", "_", "/") && reader.isAttached(place + length + 1);
  if (isDomain && reader.isAttached(place + length) && reader.tokens[place + length + 1]?.kind === "word") return true;
  if (!reader.isCapital(place) || reader.lexicon.table.capitalNouns) return false;
  const next = place + length;
  const before = place - 1;
  const isName = (at: number) => reader.isCapital(at) && reader.sense(at, ...CALENDAR_KINDS) === undefined;
  if (reader.tokens[next]?.kind === "word" && reader.tokens[next]?.spaced && isName(next))
    return reader.tokens[next]?.text !== "I";
  return reader.tokens[before]?.kind === "word" && isName(before) && !reader.opensSentence(before);
}

/** Whether a date continues or starts a list or range: "2015 and 2018", "from March to May". */
export function isListed(
  reader: Reader,
  place: number,
  { length }: Pick<Sense, "length">,
  previousEnd: number | undefined,
): boolean {
  const link = reader.senseBefore(place, "and", "to");
  const start = link === undefined ? place - 1 : place - link.length;
  const follows = link !== undefined || reader.isMark(start, ",", "-", "–", "/");
  if (follows && start > 0 && previousEnd === start) return true;
  if (reader.senseBefore(place, "from", "between") === undefined) return false;
  const next = place + length + (reader.sense(place + length, "to", "and")?.length ?? 0);
  return next > place + length && reader.sense(next, "month") !== undefined;
}

/** Whether the name of a weekday means a weekday; not in "Sam, Tuesday and Wednesday". */
export function isWeekday(reader: Reader, place: number, sense: Sense, previousEnd: number | undefined): boolean {
  if (!isCalendarName(reader, place, sense)) return false;
  if (hasPreposition(reader, place) || !reader.isCapital(place)) return true;
  const before = reader.skipBack(place, "article");
  if (reader.senseBefore(before, "and") !== undefined) return previousEnd !== undefined && previousEnd >= before - 2;
  return true;
}

/** Whether a four-digit number is a year: it follows a preposition and does not count anything. */
export function isYear(reader: Reader, place: number, year: number): boolean {
  const next = reader.tokens[place + 1];
  const isDirect = next?.kind === "word" && !reader.isMark(place + 1, ".");
  if (isDirect && (MEASURE.test(next.lower) || reader.sense(place + 1, "unit") !== undefined)) return false;
  if (reader.senseBefore(place, "unit")?.unit === "year") return true;
  const dash = reader.isMark(place - 1, "-") ? place - 1 : place;
  const start = reader.skipBack(place, "article");
  const kinds = ["on", "since", "until", "from", "between"] as const;
  if ([place, dash, start].some((at) => isStrongBefore(reader, at, ...kinds)))
    return !(isDirect && reader.lexicon.table.isEnglish && year < 1900);
  const weak = reader.senseBefore(place, "on", "weak") !== undefined;
  const counts = isDirect && !next.opensLine && !reader.lexicon.functionWords.has(next.lower);
  return weak && year >= 1900 && year < 2100 && !counts;
}

/** Whether a fraction counts the word after it. */
export function isCounted(reader: Reader, place: number): boolean {
  const next = reader.tokens[place];
  return next?.kind === "word" && (next.lower === "of" || MEASURE.test(next.lower));
}
