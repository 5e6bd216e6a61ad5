import { setOf } from "../../../../kernel/strings.ts";
import { analyse } from "../../../../kernel/text/text.ts";
import type { Sentence } from "../../extraction/passage.ts";
import { hasTag } from "../../extraction/tagging.ts";
import type { Act } from "../fact.ts";
import type { Clause } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import type { Speaker, Subject } from "./topic.ts";
import { type DatePrefixes, type Validity, validityOf } from "./validity.ts";
import { isInQuotes, type Word } from "./words.ts";

/** A clause of a sentence, or the whole sentence if its clauses are not known. */
export interface Part {
  /** Character range in the sentence; `end` is exclusive. */
  start: number;
  end: number;
  /** The rules found facts in it, or need not: it is a single word. */
  isRead: boolean;
  /** It states the value of a slot; a later value replaces it. */
  isInSlot: boolean;
  /** Whom it is about, or undefined if a pronoun does not say whom; absent without a verb. */
  person?: string | undefined;
}

/** A sentence of a statement, and what the rules found in it. */
export interface ReadSentence {
  text: string;
  parts: Part[];
  /** For each clause with a verb: the period of a past event, or undefined for a lasting state. */
  times: (Validity | undefined)[];
  /** Its first date that is neither the day of the statement nor a day of the week. */
  date: StatedDate | undefined;
  /** End of its validity, if it states only an end: "until end of April". */
  until: string | undefined;
}

interface StatedDate extends Validity {
  /** It is a day or a range of days, not a month or a year. */
  isDay: boolean;
}

/** Statements under a condition, and about what they do not name: "if it rains …", "She passed", "says it was great". */
const POINTING =
  /^(?:(?:and|but|so|oh|also) )?(?:(?:if|unless|she|he|says|said|reckons|thinks)\b|(?:it|they|this|that|these|those)\b(?!.*\b(?:i|me|my|we|us|our)\b))/isu;
/** The same in German, where a small letter shows that no noun follows: "Die hat gelacht". */
const POINTING_IN_GERMAN = /^(?:(?:[Uu]nd|[Aa]ber) )?(?:[Dd]er|[Dd]ie|[Dd]as|[Ss]ie|[Ee]r|[Ee]s) \p{Ll}/u;

/** Minimum number of terms; shorter texts say too little to be a fact. Other languages keep their function words. */
const MIN_TERMS = 3;
const MIN_FOREIGN_TERMS = 4;

const FIRST_PERSON = /(?<![\p{L}'’])(?:i|we|me|my|mine|us|our|ours|myself|ourselves)(?!\p{L})/iu;
/** The same in German, French and Spanish. */
const FOREIGN_FIRST_PERSON =
  /(?<!\p{L})(?:ich|mich|mir|mein(?:e[mnrs]?)?|wir|uns|unser(?:e[mnrs]?)?|je|j['’]|me|m['’]|moi|mon|ma|mes|nous|notre|nos|yo|mis?|conmigo|nosotr[oa]s|nuestr[oa]s?)(?!\p{L})/iu;

/**
 * Returns the texts of a statement that the rules could not parse, as facts without an attribute. `isWhole` is true if
 * the text is the whole statement. A text with half of a quotation is somebody else's.
 */
export function unreadFacts(
  sentences: ReadSentence[],
  { speaker, isEnglish, day }: { speaker: string; isEnglish: boolean; day: string | undefined },
): { draft: Draft; text: string; isWhole: boolean }[] {
  const { act, validity } = actAndValidity(sentences, day);
  const confidence = isEnglish ? CONFIDENCE.statement : CONFIDENCE.foreign;
  const common = { attribute: "", act, cardinality: "open", confidence, validity } as const;
  const firstPerson = isEnglish ? FIRST_PERSON : FOREIGN_FIRST_PERSON;
  return unreadTexts(sentences)
    .filter(
      ({ text }) =>
        !isInQuotes(text, false) &&
        !(isEnglish && POINTING.test(text)) &&
        !POINTING_IN_GERMAN.test(text) &&
        // "A mail from Ruth, keep it for me:" introduces what follows.
        !text.endsWith(":"),
    )
    .filter(({ text }) => analyse(text).length >= (isEnglish ? MIN_TERMS : MIN_FOREIGN_TERMS))
    .flatMap(({ text, isWhole, parts }) => {
      const subject = firstPerson.test(text) ? speaker : subjectOfParts(parts, speaker);
      return subject === undefined ? [] : [{ draft: draftOf({ ...common, subject, value: text }), text, isWhole }];
    });
}

/**
 * Returns whom a clause with a verb is about: the speaker if it has no subject, or is about a thing; undefined if a
 * pronoun does not say whom. `lead` is a name before a comma: "Jean, a friend of mum's, keeps parrots".
 */
export function personOf(
  { subject: phrase, verb, words }: Clause,
  subject: Subject | undefined,
  { name }: Speaker,
  lead: string | undefined,
): Pick<Part, "person"> {
  if (verb === -1) return {};
  if (phrase.length === 0) return { person: lead ?? name };
  if (PERSONAL.has(phrase[0]?.normal ?? "") && subject === undefined) return { person: lead };
  // "Good stuff: …": the tagger takes "stuff" for a verb, of which one person cannot be the subject.
  const isPerson = subject?.isPerson === true && (subject.isKnown === true || !hasTag(words[verb], "Infinitive"));
  return { person: isPerson ? subject.name.replace(/['’](?:d|ll|ve)$/, "") : name };
}

const PERSONAL = setOf("he she his her their");

/** Returns the noun before the first comma of a sentence. */
export function leadingNoun({ verb, words: [first] }: Clause): string | undefined {
  const isNoun = hasTag(first, "Noun") && !hasTag(first, "Gerund", "Date", "Pronoun", "Plural");
  return verb === -1 && isNoun && first?.after.includes(",") ? first.text : undefined;
}

/** Returns whom the first clause with a verb is about; the speaker if there is none. */
function subjectOfParts(parts: Part[], speaker: string): string | undefined {
  const first = parts.find((part) => "person" in part);
  return first === undefined ? speaker : first.person;
}

/**
 * Returns the whole text if no clause states the value of a slot. Otherwise returns the unread texts before, between
 * and after such clauses: a second fact with the slot's value would remain current after the value has changed.
 */
function unreadTexts(sentences: ReadSentence[]): { text: string; isWhole: boolean; parts: Part[] }[] {
  if (!sentences.some(({ parts }) => parts.some(({ isInSlot }) => isInSlot))) {
    const all = sentences.flatMap(({ parts }) => parts);
    return [{ text: sentences.map(({ text }) => text).join(" "), isWhole: true, parts: all }];
  }
  interface Run {
    texts: string[];
    parts: Part[];
    isRead: boolean;
  }
  const newRun = (): Run => ({ texts: [], parts: [], isRead: true });
  const runs: Run[] = [];
  let run = newRun();
  for (const { text, parts } of sentences) {
    let first = 0;
    for (const [index, part] of parts.entries()) {
      if (part.isInSlot) {
        runs.push(run);
        run = newRun();
        first = index + 1;
        continue;
      }
      run.isRead &&= part.isRead;
      run.parts.push(part);
      if (parts[index + 1]?.isInSlot === false) continue;
      const isLast = index === parts.length - 1;
      run.texts.push(text.slice(first === 0 ? 0 : parts[first]?.start, isLast ? text.length : part.end));
    }
  }
  return [...runs, run]
    .filter(({ isRead }) => !isRead)
    .map(({ texts, parts }) => ({ text: texts.join(" "), isWhole: false, parts }));
}

/** Words of a clause that says what holds after something has happened: "she paid it back, so nobody is out of pocket". */
const NOW =
  /(?<!\p{L})(?:now|so|still|since|till|until|nowadays|these days|jetzt|noch|seit|maintenant|encore|depuis|ahora|todavía|desde)(?!\p{L})/iu;

/** Returns whether a statement is a state or a plan, and the period for which it holds. */
function actAndValidity(sentences: ReadSentence[], day: string | undefined): { act: Act; validity: Validity } {
  const times = sentences.flatMap((sentence) => sentence.times);
  // The first clause decides, unless a word of another one says what holds now: "The nurse gave me a sticker, as she does".
  const deciding = sentences.flatMap((sentence) =>
    NOW.test(sentence.text) ? sentence.times : sentence.times.slice(0, 1),
  );
  const dates = sentences.flatMap(({ date }) => date ?? []);
  const past = times.length === 0 ? pastDate(dates, day) : pastOf(deciding, day);
  if (past !== undefined) return { act: "state", validity: past };
  const hasOneClause = times.length <= 1;
  const future = day === undefined || !hasOneClause ? undefined : dates.find(({ from = "" }) => from > day);
  if (future === undefined) {
    const until = sentences.map((sentence) => sentence.until).find((end) => end !== undefined);
    return { act: "state", validity: { to: until, isOpenEnded: false } };
  }
  const { isDay, ...validity } = future;
  // "We move in June" holds from June on, "the surgery is on 4 August" only on that day.
  if (!isDay || future.isOpenEnded)
    return { act: "state", validity: future.isOpenEnded ? validity : { ...validity, to: undefined } };
  return { act: "plan", validity };
}

/** Returns the date of a statement without a verb if the date is past: "big storm in Leeds on 12 March". */
function pastDate([date]: StatedDate[], day: string | undefined): Validity | undefined {
  const isOver = date?.isDay === true && !date.isOpenEnded && day !== undefined && (date.to ?? day) <= day;
  return isOver ? date : undefined;
}

/** Returns the period in which a statement happened; undefined if a clause is not about the past. */
function pastOf(times: (Validity | undefined)[], day: string | undefined): Validity | undefined {
  const dated = times.find((time) => time?.from !== undefined) ?? times[0];
  if (dated === undefined || times.includes(undefined)) return undefined;
  if (dated.isOpenEnded) return { from: day, to: day, isOpenEnded: false };
  const isLater = day !== undefined && dated.to !== undefined && dated.to > day;
  return { from: isLater ? day : (dated.from ?? day), to: isLater ? day : (dated.to ?? day), isOpenEnded: false };
}

/** Precisions of a date that is a day or a range of days. */
const DAY_PRECISIONS = setOf("day range hour minute");
const RELATIVE_DAYS = setOf("tomorrow yesterday morgen gestern mañana ayer demain hier");

/** Returns the first date of a sentence that is neither a weekday nor the day of the statement. */
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
      (/\d/u.test(text) || RELATIVE_DAYS.has(text.toLowerCase()) || !DAY_PRECISIONS.has(precision)),
  );
  if (date === undefined) return undefined;
  const validity = validityOf(words, [date], prefixes);
  return validity.from === undefined ? undefined : { ...validity, isDay: DAY_PRECISIONS.has(date.precision) };
}
