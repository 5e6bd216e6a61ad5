import { setOf } from "../../kernel/strings.ts";
import { PROPERTIES } from "../slots/slots.ts";
import { HONORIFICS } from "../statements/evidence.ts";
import { hasTag } from "../statements/tagging.ts";
import { MONTHS } from "../statements/words.ts";
import { isCompoundPart, isDeterminer, type Word } from "./words.ts";

/** A part of a sentence with at most one verb group: subject, verb, object. */
export interface Clause {
  /** Empty if it is omitted. */
  subject: Word[];
  /** Index in `words` of the first word of the verb group; -1 if there is none. */
  verb: number;
  words: Word[];
  /** Whether the clause continues with the subject of the previous clause. */
  continues: boolean;
}

const STRONG_PUNCTUATION = /[.;:!?()]|[–—]|\s-|-\s/;
const JOINS = setOf("and but so because while although though then whereas or");
const RELATIVES = setOf("who which that");
const AFTER_PREPOSITION = setOf("to in at on of for with from by about as into near");

/**
 * Returns the clauses of a sentence in order. A part without a verb joins the previous clause, or the next one if it is
 * introductory. It is a clause of its own if strong punctuation separates it or no clause precedes it.
 */
export function clausesOf(words: Word[]): Clause[] {
  const clauses: Clause[] = [];
  let lead: Word[] = [];
  for (const { words: part, isHard } of partsOf(words)) {
    const verb = finiteVerb(part);
    const previous = clauses.at(-1);
    if (verb === -1) {
      if (previous !== undefined && !isHard) previous.words.push(...part);
      else if (isLead(part)) lead.push(...part);
      else clauses.push({ subject: [], verb: -1, words: part, continues: false });
      continue;
    }
    const subject = subjectBefore(part, verb);
    const joined = JOINS.has(part[0]?.normal ?? "") ? part.slice(1) : part;
    const offset = lead.length - (part.length - joined.length);
    clauses.push({
      subject,
      verb: verb + offset,
      words: [...lead, ...joined],
      continues: joined !== part && subject.length === 0 && previous !== undefined && previous.verb !== -1 && !isHard,
    });
    lead = [];
  }
  if (lead.length > 0) clauses.push({ subject: [], verb: -1, words: lead, continues: false });
  return clauses;
}

/** "Since April,", "In May,": an introductory part, which ends with a comma. */
function isLead(part: Word[]): boolean {
  return (
    part.at(-1)?.after.includes(",") === true &&
    (part.every(({ isDate }) => isDate) || hasTag(part[0], "Preposition", "Adverb"))
  );
}

interface Part {
  words: Word[];
  /** Whether punctuation stronger than a comma precedes it. */
  isHard: boolean;
}

/** Splits words at punctuation and conjunctions; "and" splits only after a verb. */
function partsOf(words: Word[]): Part[] {
  const parts: Part[] = [];
  let part: Part = { words: [], isHard: true };
  let hasVerb = false;
  const close = (isHard: boolean) => {
    if (part.words.length > 0) parts.push(part);
    part = { words: [], isHard };
    hasVerb = false;
  };
  for (const [index, word] of words.entries()) {
    if (JOINS.has(word.normal) && !word.isDate && (hasVerb || word.normal !== "and")) close(false);
    part.words.push(word);
    hasVerb ||= isFiniteVerb(words, index);
    if (
      STRONG_PUNCTUATION.test(word.after) &&
      !isInsideWord(word, words[index + 1]) &&
      !isAbbreviation(word, words[index + 1])
    )
      close(true);
    else if (word.after.includes(",") && !(word.isDate && words[index + 1]?.isDate)) close(false);
  }
  close(true);
  return parts;
}

/** Punctuation without a space after it is part of a word: "10:30", "e.g.". */
function isInsideWord({ end }: Word, next: Word | undefined): boolean {
  return next !== undefined && next.start - end < 2 && next.start > end;
}

/** "Dr. Wolf", "St. Mary's", "J. Lee": the dot belongs to the name. */
function isAbbreviation({ normal, after }: Word, next: Word | undefined): boolean {
  return (HONORIFICS.has(normal) || normal === "st" || normal.length === 1) && after === ". " && isCapitalized(next);
}

/** Returns the index of the first finite verb, or -1 if there is none. */
export function finiteVerb(words: Word[]): number {
  return words.findIndex(
    (_word, index) => isFiniteVerb(words, index) && !RELATIVES.has(words[index - 1]?.normal ?? ""),
  );
}

function isFiniteVerb(words: Word[], index: number): boolean {
  const word = words[index];
  if (word === undefined || word.isDate || isCompoundPart(word)) return false;
  if (hasTag(word, "Copula", "Modal", "Auxiliary")) return true;
  if (!hasTag(word, "Verb") || hasTag(word, "Particle") || (index > 0 && /^\p{Lu}/u.test(word.text))) return false;
  const previous = words[index - 1];
  // "Last trip of the year"
  if (word.normal === "last" && previous === undefined) return false;
  if (word.normal === "like" && !hasTag(previous, "Pronoun", "Verb", "Adverb", "Negative")) return false;
  if (
    isDeterminer(previous) ||
    AFTER_PREPOSITION.has(previous?.normal ?? "") ||
    (hasTag(previous, "Adjective") && !isCapitalized(previous)) ||
    hasTag(previous, "Possessive") ||
    (hasTag(previous, "Value") && !hasTag(previous, "RomanNumeral") && !hasTag(word, "PastTense"))
  )
    return false;
  if (index === 0 && isCapitalized(word) && isOddName(word, words[1])) return false;
  if (isNaming(words, index)) return false;
  if (isNounBefore(word, words[index + 1]) || isNotedProperty(words, index)) return false;
  if (hasTag(word, "Gerund"))
    return (
      (index === 0 || (index === 1 && hasTag(words[0], "Adverb", "Conjunction"))) && !isSubjectOf(words, index + 1)
    );
  if (previous === undefined || hasTag(word, "PastTense")) return true;
  return !(
    hasTag(word, "Infinitive") &&
    words.slice(index + 1).some((next) => hasTag(next, "Copula")) &&
    !hasTag(previous, "Pronoun")
  );
}

/** "A shop called Wild Craft": the name belongs to the noun before it. */
function isNaming(words: Word[], index: number): boolean {
  return (
    CALLED.has(words[index]?.normal ?? "") &&
    hasTag(words[index - 1], "Noun") &&
    words.slice(Math.max(0, index - 3), index - 1).some(({ normal }) => INDEFINITE.has(normal)) &&
    isCapitalized(words[index + 1])
  );
}

const CALLED = setOf("called named");
const INDEFINITE = setOf("a an another one two some");

/** "Staging now runs 16": a verb in the third person follows, so the word before it is its subject. */
function isSubjectOf(words: Word[], from: number): boolean {
  const next = words.slice(from).find((word) => !hasTag(word, "Adverb") && !ADVERBS.has(word.normal));
  return hasTag(next, "PresentTense") && !hasTag(next, "Infinitive", "Gerund");
}

const ADVERBS = setOf("now then still also already currently");

/** "Morven passed": a name that the tagger mistakes for a verb because of its ending. */
function isOddName(word: Word, next: Word | undefined): boolean {
  return hasTag(word, "Participle") && hasTag(next, "PastTense", "Copula", "Modal", "PresentTense");
}

/** A capital letter suggests a surname that the tagger mistakes for another word. */
function isCapitalized(word: Word | undefined): boolean {
  return /^\p{Lu}/u.test(word?.text ?? "");
}

/** "code 7740": a property and its value, without a subject before them. */
function isNotedProperty(words: Word[], index: number): boolean {
  const previous = words[index - 1];
  return (
    PROPERTIES.has(words[index]?.normal ?? "") &&
    hasTag(words[index + 1], "Value") &&
    (previous === undefined || /[,;:]/.test(previous.after))
  );
}

/** "cooking class", "messages stuck": a verb form that is a noun because of the word after it. */
function isNounBefore(word: Word, next: Word | undefined): boolean {
  if (hasTag(word, "Gerund"))
    return hasTag(next, "Noun") && !hasTag(next, "Pronoun") && !isDeterminer(next) && /^\p{Ll}/u.test(next?.text ?? "");
  // "The cables cross the road": a plural before its verb.
  const isPlural = word.normal.endsWith("s") && !hasTag(word, "Infinitive", "Gerund") && hasTag(next, "Infinitive");
  if (isPlural && hasTag(word, "PresentTense") && !HELPERS.has(word.normal) && word.after === " ") return true;
  const isHelper = HELPERS.has(word.normal) || hasTag(word, "PastTense");
  return !isHelper && hasTag(word, "PresentTense") && hasTag(next, "PastTense", "Copula", "Modal");
}

const HELPERS = setOf("have has had do does did get gets");

function subjectBefore(part: Word[], verb: number): Word[] {
  let end = verb;
  while (end > 0 && (hasTag(part[end - 1], "Adverb", "Negative") || part[end - 1]?.isDate)) end--;
  let start = 0;
  while (start < end && (isOpening(part[start]) || isMonthAfterOpening(part, start))) start++;
  const comma = part.slice(start, end).findLastIndex(({ after }) => after.includes(","));
  const subject = part.slice(start + comma + 1, end);
  // "So far it is fine", "tomorrow she leaves": the pronoun is the whole subject.
  const isAfterWords = NOMINATIVES.has(subject.at(-1)?.normal ?? "") && subject.at(-2)?.normal !== "and";
  return isAfterWords ? subject.slice(-1) : subject;
}

const NOMINATIVES = setOf("i we he she they it");

/** "from January Mark leads it": a month, although it could be a name. */
function isMonthAfterOpening(part: Word[], index: number): boolean {
  return MONTHS.has(part[index]?.normal ?? "") && OPENINGS.has(part[index - 1]?.normal ?? "");
}

function isOpening(word: Word | undefined): boolean {
  return (
    word !== undefined &&
    (word.isDate || JOINS.has(word.normal) || hasTag(word, "Adverb", "Expression") || OPENINGS.has(word.normal))
  );
}

const OPENINGS = setOf(
  "since from until as by when if after before in on now well ok okay oh yes no yeah yep nope also",
);
