import { sentenceCase, setOf } from "../../kernel/strings.ts";
import { normalizedName } from "../../kernel/text/normalized-name.ts";
import { termOf } from "../../kernel/text/text.ts";
import { allWords } from "../languages/lists.ts";
import { isFiller, vocativesOf } from "./courtesy.ts";
import { namesOfDate } from "./dates.ts";
import { HEADS, NAMES_WORKS, typeByEvidence } from "./evidence.ts";
import { foreignNamesIn } from "./foreign-names.ts";
import { isPersonOrPlace } from "./merging.ts";
import type { Sentence } from "./passage.ts";
import type { EntityType, ExtractedEntity } from "./schemas.ts";
import { isNamed } from "./speakers.ts";
import { hasTag, type Tagger, type Token } from "./tagging.ts";
import {
  ALSO_WORDS,
  CALENDAR_WORDS,
  COMMON_PLACES,
  CONTRACT_TERMS,
  MONTHS,
  NO_NAMES,
  ORGANIZATION_ENDINGS,
  PLACE_ENDINGS,
  PLAIN_QUALITIES,
  UNNAMED_GROUPS,
} from "./words.ts";

/** Returns entities by rule, with repetitions. In other languages only names in the lexicon are trusted. */
export function findEntities(
  sentences: Pick<Sentence, "text" | "dates" | "speaker">[],
  tag: Tagger,
  english: boolean,
): ExtractedEntity[] {
  const mentions = sentences.flatMap((sentence) => {
    const tokens = tag(sentence);
    const speaker = isNamed(sentence.speaker) ? [entity(sentence.speaker, "person")] : [];
    const certain = [...speaker, ...datesOf(sentence)].map(evidentMention);
    if (!english) return [...certain, ...foreignNames(sentence.text, tokens).map(evidentMention)];
    const addressees = vocativesOf(tokens).map((name) => entity(name, "person"));
    const listed = listedWorks(tokens);
    const { titles, rest } = titlesIn(listed.length > 0 ? [] : tokens);
    const others = [...addressees, ...listed, ...titles].map(evidentMention);
    return [...certain, ...others, ...namesIn(rest), ...describedIn(tokens).map(evidentMention)];
  });
  return withSettledTypes(mentions);
}

/** A name at its position in a sentence. */
interface Mention {
  entity: ExtractedEntity;
  /** Whether the sentence reveals its type. */
  isEvident: boolean;
}

function evidentMention(found: ExtractedEntity): Mention {
  return { entity: found, isEvident: true };
}

/** A name whose type only some sentences reveal has that type everywhere, unless there are two. */
function withSettledTypes(mentions: Mention[]): ExtractedEntity[] {
  const evidentTypes = new Map<string, Set<EntityType>>();
  const first = new Map<string, EntityType>();
  for (const { entity: found, isEvident } of mentions) {
    if (!isPersonOrPlace(found)) continue;
    const key = normalizedName(found.name);
    if (!first.has(key)) first.set(key, found.type);
    if (isEvident) evidentTypes.set(key, (evidentTypes.get(key) ?? new Set()).add(found.type));
  }
  return mentions.map(({ entity: found, isEvident }) => {
    if (isEvident || !isPersonOrPlace(found)) return found;
    const key = normalizedName(found.name);
    const [type = first.get(key), ...others] = evidentTypes.get(key) ?? [];
    return type === undefined || others.length > 0 ? found : { ...found, type };
  });
}

/** Returns the names that their context reveals, and other names of the lexicon that do not overlap with them. */
function foreignNames(text: string, tokens: Token[]): ExtractedEntity[] {
  const found = foreignNamesIn(text).map(({ name, type }) => entity(name, type));
  const isKnown = (name: string) => found.some((other) => other.name.includes(name) || name.includes(other.name));
  const named = namesIn(tokens).map(({ entity: each }) => each);
  const others = named.filter(({ name, type }) => type !== "other" && type !== "product" && !isKnown(name));
  return [...found, ...others];
}

function datesOf({ dates }: Pick<Sentence, "dates">): ExtractedEntity[] {
  return dates
    .flatMap(namesOfDate)
    .map(({ name, iso }) => ({ ...entity(name, "date"), aliases: name === iso ? [] : [iso] }));
}

function entity(name: string, type: EntityType): ExtractedEntity {
  return { name, type, aliases: [] };
}

/** "Books I read: Piranesi, The Overstory": each item after the colon is a title. */
function listedWorks(tokens: Token[]): ExtractedEntity[] {
  const colon = tokens.findIndex(({ after }) => after.trimStart().startsWith(":"));
  if (colon === -1 || !tokens.slice(0, colon + 1).some(({ normal }) => NAMES_WORKS.has(normal))) return [];
  const titles: Token[][] = [[]];
  for (const token of tokens.slice(colon + 1)) {
    titles.at(-1)?.push(token);
    if (/[,;.]/.test(token.after)) titles.push([]);
  }
  const named = titles.filter(([first, ...others]) => first && isCapital(first) && others.length < MAX_TITLE_TOKENS);
  return named.map((title) => entity(nameOf(title), "product"));
}

const MAX_TITLE_TOKENS = 8;
const OPENING = /["“«]|(?:^|\s)['‘]/;
const CLOSING = /["”»]|['’]/;
const GROUP_NOUN = /^(?:group|band|team|club|company|organi[sz]ation|charity|startup|choir|orchestra|agency)$/;

/** Returns the titles in quotation marks (books, songs, films, paintings, bands) and the words outside of them. */
function titlesIn(tokens: Token[]): { titles: ExtractedEntity[]; rest: Token[] } {
  const titles: ExtractedEntity[] = [];
  const rest: Token[] = [];
  for (let start = 0; start < tokens.length; start++) {
    const title = titleAt(tokens, start);
    if (title === undefined) {
      rest.push(...tokens.slice(start, start + 1));
      continue;
    }
    const group = tokens.slice(Math.max(0, start - 3), start).some(({ normal }) => GROUP_NOUN.test(normal));
    titles.push(entity(nameOf(title), group ? "organization" : "product"));
    start += title.length - 1;
  }
  return { titles, rest };
}

function titleAt(tokens: Token[], start: number): Token[] | undefined {
  const first = tokens[start];
  if (first === undefined || !OPENING.test(first.before) || !isCapital(first)) return undefined;
  const length = tokens.slice(start, start + MAX_TITLE_TOKENS).findIndex(({ after }) => CLOSING.test(after)) + 1;
  const title = tokens.slice(start, start + length);
  const hasTerm = title.some(({ normal }) => termOf(normal) !== undefined);
  return hasTerm && title.every(isTitleWord) ? title : undefined;
}

function isTitleWord(token: Token): boolean {
  return isCapital(token) || hasTag(token, "Preposition", "Determiner", "Conjunction") || /^\d/.test(token.text);
}

function isCapital({ text }: Token): boolean {
  return /^\p{Lu}/u.test(text);
}

function nameOf(tokens: Token[]): string {
  const last = tokens.length - 1;
  const words = tokens.map(({ text, after }, index) => {
    if (index === last) return text.replace(/['’]s?$/, "");
    return text + (/^[-.]/.exec(after)?.[0] ?? "") + (after === "-" ? "" : " ");
  });
  return words.join("");
}

const MAX_NAME_TOKENS = 8;
const ENDINGS = new Set([...ORGANIZATION_ENDINGS, ...PLACE_ENDINGS]);
/** Lower-case words within the names of English texts. */
export const INNER = setOf("of the de la del van von & for");

/** Returns the capitalized runs that are names, by the lexicon or by their position within a sentence. */
function namesIn(written: Token[]): Mention[] {
  if (isShouted(written)) return [];
  const tokens = withCapitals(written);
  const found: Mention[] = [];
  for (let start = 0; start < tokens.length; start++) {
    if (isPlainOpening(tokens, start) || HEADS.has(tokens[start]?.normal ?? "")) continue;
    const end = endOfName(tokens, start);
    if (end === start) continue;
    const name = tokens.slice(start, end);
    const { type, isEvident } = typeByEvidence(name, { tokens, start, end });
    if (isTrusted(name, type, tokens, start)) found.push({ entity: entity(nameOf(name), type), isEvident });
    start = end - 1;
  }
  return found.filter(({ entity: { name } }) => /\p{L}{2}/u.test(name));
}

/** Whether a capitalized run is a name: sentence starts, acronyms, adjectives and contract terms need evidence. */
function isTrusted(name: Token[], type: EntityType, tokens: Token[], start: number): boolean {
  const [first] = name;
  if (first === undefined || (name.length === 1 && isIdentifier(tokens, start))) return false;
  if (name.every(isAcronym)) {
    const isKnown = name.some((token) => token.text.length > 2 && hasTag(token, "Organization", "Country"));
    return isKnown || type === "product" || (type === "organization" && !hasTag(first, "Organization"));
  }
  if (type !== "other" || name.length > 1) return true;
  if (FOREIGN_ARTICLES.has(tokens[start - 1]?.normal ?? "")) return false;
  return !opensSentence(tokens, start) && !hasTag(first, "Demonym", "Adjective") && !CONTRACT_TERMS.has(first.normal);
}

/** Articles of other languages. German capitalizes every noun after them. */
const FOREIGN_ARTICLES = setOf(allWords(({ names }) => names?.articles));

function isAcronym({ text }: Token): boolean {
  return /^[\p{Lu}\d&]{2,6}s?$/u.test(text);
}

/** "INC-208": the identifier of a ticket, a part or a flight. */
function isIdentifier(tokens: Token[], index: number): boolean {
  return tokens[index]?.after === "-" && isNumber(tokens[index + 1]);
}

/** Adds capitals to likely names in a sentence that has no capitals. */
function withCapitals(tokens: Token[]): Token[] {
  if (tokens.some(({ text, normal }) => normal !== "i" && /\p{Lu}/u.test(text))) return tokens;
  return tokens.map((token, index) => {
    const isKnown = hasTag(token, "FirstName", "City", "Country") && !ALSO_WORDS.has(token.normal);
    const isName =
      isKnown || (hasTag(token, "Noun") && !COMMON_PLACES.has(token.normal) && isNamedBefore(tokens, index));
    return isName ? { ...token, text: sentenceCase(token.text) } : token;
  });
}

/** "my name is katrin", "we work at infineon". */
function isNamedBefore(tokens: Token[], index: number): boolean {
  const before = tokens.slice(Math.max(0, index - 3), index).map(({ normal }) => normal);
  return /\b(?:name is|call me|work at|works at|working at|worked at)$/.test(before.join(" "));
}

function opensSentence(tokens: Token[], index: number): boolean {
  const previous = tokens[index - 1];
  return previous === undefined || /[.!?:]/.test(previous.after) || !/[\p{L}\p{N}]/u.test(previous.text);
}

/** Whether a word may be capitalized only because it starts the sentence; preceding fillers do not count. */
function isPlainOpening(tokens: Token[], index: number): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  const isUninformative = (earlier: Token, at: number) =>
    isFiller(tokens, at) || hasTag(earlier, "Adverb", "Conjunction");
  const opens = tokens.slice(0, index).every(isUninformative);
  if (token === undefined || !opens) return false;
  if (isFiller(tokens, index) || hasTag(token, "Adjective", "Adverb", "Verb", "Copula", "QuestionWord")) return true;
  return ALSO_WORDS.has(token.normal) && !(next !== undefined && isNameWord(next));
}

function isShouted(tokens: Token[]): boolean {
  const words = tokens.filter(({ text }) => text.length > 1);
  const shouted = words.filter(({ text }) => text === text.toUpperCase() && /\p{Lu}/u.test(text));
  return words.length > 3 && shouted.length > words.length / 2;
}

function endOfName(tokens: Token[], start: number): number {
  let end = start;
  while (end < tokens.length && end - start < MAX_NAME_TOKENS) {
    const token = tokens[end];
    const next = tokens[end + 1];
    if (token === undefined || (MONTHS.has(token.normal) && [tokens[end - 1], next].some(isNumber))) break;
    const inner = end > start && INNER.has(token.normal) && next !== undefined && isNameWord(next);
    if (!(isNameWord(token) || inner || isModelNumber(tokens, start, end))) break;
    end++;
    if (endsName(token, next)) break;
  }
  return end;
}

const MODEL_NUMBER = /^\d{2,5}[a-z]?$/i;

/** "EPYC 9354": a number after a word with at least two capitals. */
function isModelNumber(tokens: Token[], start: number, index: number): boolean {
  const previous = index === start ? undefined : tokens[index - 1];
  if (previous?.after !== " " || !MODEL_NUMBER.test(tokens[index]?.text ?? "")) return false;
  return /^\p{L}*\p{Lu}\p{L}*\p{Lu}/u.test(previous.text) && !hasTag(previous, "Currency", "Person");
}

/** Punctuation ends a name, except in "St." and "Spider-Man"; a possessive too, except in "St. Mary's Hospital". */
function endsName(token: Token, next: Token | undefined): boolean {
  if (hasTag(token, "Honorific") || (hasTag(token, "Abbreviation") && token.after === ". ")) return false;
  const ending = next !== undefined && isCapital(next) && (ENDINGS.has(next.normal) || hasTag(next, "Organization"));
  if (hasTag(token, "Possessive")) return !ending;
  return /[^\s&-]/.test(token.after) || /\s-|-\s/.test(token.after);
}

function isNumber(token: Token | undefined): boolean {
  return token !== undefined && /^\d/.test(token.text);
}

function isNameWord(token: Token): boolean {
  const { normal } = token;
  if (!isCapital(token) || NO_NAMES.has(normal)) return false;
  if (CALENDAR_WORDS.has(normal) || (MONTHS.has(normal) && !hasTag(token, "Person"))) return false;
  if (termOf(normal) === undefined && !hasTag(token, "Person")) return false;
  const isCalendar = hasTag(token, "Month", "WeekDay") || (hasTag(token, "Date") && !NAMED_PERIODS.has(normal));
  return !isCalendar && !hasTag(token, "Pronoun", "Expression", "Determiner", "Conjunction", "Preposition", "Modal");
}

/** "Pride Month", "Labor Day": calendar words at the end of a name. */
const NAMED_PERIODS = new Set(["day", "week", "weekend", "month", "year"]);

const PLACE_PREPOSITIONS = setOf("at in to from near into through around visit visited visiting");

/** "the youth center", "an adoption agency": places and groups without a name. */
function describedIn(tokens: Token[]): ExtractedEntity[] {
  const found: ExtractedEntity[] = [];
  for (const [index, token] of tokens.entries()) {
    const group = UNNAMED_GROUPS.has(token.normal);
    if (!group && !COMMON_PLACES.has(token.normal)) continue;
    const start = startOfPhrase(tokens, index);
    if (group ? start === index : !followsPlacePreposition(tokens, start)) continue;
    found.push(entity(nameOf(tokens.slice(start, index + 1)).toLowerCase(), group ? "organization" : "place"));
  }
  return found;
}

const MAX_MODIFIERS = 2;

function startOfPhrase(tokens: Token[], head: number): number {
  let start = head;
  while (start > 0 && head - start < MAX_MODIFIERS) {
    const token = tokens[start - 1];
    if (token === undefined || /\S/.test(token.after) || !describesKind(token)) break;
    start--;
  }
  return start;
}

function describesKind(token: Token): boolean {
  if (PLAIN_QUALITIES.has(token.normal) || hasTag(token, "Comparative", "Superlative")) return false;
  return hasTag(token, "Noun", "Acronym", "Adjective") && !hasTag(token, "Pronoun", "Possessive", "Date", "Person");
}

function followsPlacePreposition(tokens: Token[], start: number): boolean {
  let index = start - 1;
  while (hasTag(tokens[index], "Determiner", "Possessive", "Adjective")) index--;
  return PLACE_PREPOSITIONS.has(tokens[index]?.normal ?? "");
}
