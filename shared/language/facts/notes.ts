import { setOf } from "../../kernel/strings.ts";
import { allWords } from "../languages/lists.ts";
import { cardinalityOf, slotsByNoun } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import { finiteVerb } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { whenOf } from "./events.ts";
import { isProperty, propertyName, propertyOf, slotOfThing } from "./properties.ts";
import { quantityOf } from "./quantities.ts";
import type { Speaker } from "./topic.ts";
import { onwards, type Validity } from "./validity.ts";
import { isDeterminer, isRegularDay, textBetween, trimEdges, type Word, withoutDeterminer } from "./words.ts";

/** "Key: value" at the start of a line. The key has up to five words, without punctuation. */
const KEY_VALUE = /^([^\s:;,.!?=][^:;,.!?=]{0,50}?)(?:: | = | ?\.{3,80} )(\S.{0,280})$/su;
const FULL_STOP = /(?<=[^.])\.$/u;
const MAX_KEY_WORDS = 5;
const NO_KEYS = setOf(allWords(({ outlines }) => outlines?.noKeys));

/** Reads a note with a name and a value: "Locker code: 4471". `relation` is what the list's heading calls the values. */
export function readKeyValues(text: string, tagged: Word[], speaker: Speaker, relation?: string): Draft[] {
  const match = KEY_VALUE.exec(text);
  const [, key = "", value = ""] = match ?? [];
  const words = key.toLowerCase().split(/\s+/);
  if (key === "" || words.length > MAX_KEY_WORDS || NO_KEYS.has(words[0] ?? "")) return [];
  const tokens = tagged.filter(({ end }) => end <= key.length);
  const verb = finiteVerb(tokens);
  if (tokens.length === 0 || hasTag(tokens[0], "Preposition", "Conjunction")) return [];
  if (relation === undefined && words.length > 1 && verb !== -1 && !hasTag(tokens[verb], "Gerund")) return [];
  const property = propertyOf(tokens, key, { ...speaker, topic: {} });
  const common = { value: value.trim().replace(FULL_STOP, ""), act: "state", confidence: CONFIDENCE.property } as const;
  const isTimeProperty = tokens.some(({ normal }) => TIME_PROPERTIES.has(normal));
  const when = isTimeProperty ? undefined : whenOf(thingOf(key), text, tagged.slice(tokens.length), speaker);
  if (when !== undefined) return [when];
  if (relation !== undefined) return [draftOf({ ...common, ...slotOfThing(relation, key, speaker) })];
  const isName =
    tokens.some((word) => hasTag(word, "Person", "FirstName", "Acronym")) && /^\p{Lu}/u.test(key) && words.length <= 2;
  const own = SLOTS_BY_KEY.get(words.join(" "));
  if (own !== undefined && !isName) return ownValues(own, common.value, speaker);
  if (property?.property !== undefined)
    return [draftOf({ ...common, subject: property.name, attribute: property.property })];
  const said = tagged.slice(tokens.length);
  if (said.length > MAX_NAME_WORDS && finiteVerb(said) !== -1) return [];
  return [
    isName
      ? draftOf({ ...common, subject: key, attribute: "note", cardinality: "multiple" })
      : draftOf({ ...common, subject: speaker.name, attribute: words.join("_"), cardinality: "single" }),
  ];
}

/** Returns the facts of a list of values, one for each in a slot with many values: "Allergies: peanuts, latex". */
function ownValues(attribute: string, value: string, { name }: Speaker): Draft[] {
  const values = cardinalityOf(attribute) === "single" ? [value] : value.split(/\s*(?:[,;]|\band\b)\s*/u);
  return values
    .filter((each) => each !== "" && !NOTHING.test(each))
    .map((each) => draftOf({ subject: name, attribute, value: each, act: "state", confidence: CONFIDENCE.property }));
}

const NOTHING = /^(?:none|no|nothing|n\/?a|-+|keine?|aucune?|ninguna?)$/iu;

/** Slots of the speaker by the keys of notes. */
const SLOTS_BY_KEY = slotsByNoun({
  lives_in: "city town home residence location",
  works_as: "occupation profession",
  works_at: "employer company workplace",
  allergic_to: "allergies allergy",
  diet: "diet",
  speaks: "languages",
  likes: "likes hobbies interests",
  dislikes: "dislikes",
  pet: "pets pet",
  partner: "partner wife husband girlfriend boyfriend spouse",
  child: "children kids",
});

/** A longer value with a verb is a sentence: "Second: the boss is leaving". */
const MAX_NAME_WORDS = 2;

/** Properties whose value is a time. */
const TIME_PROPERTIES = setOf("birthday deadline schedule rota shift born");

/** Returns the thing that a key names, as written within a sentence: "Submission date" is about the submission. */
function thingOf(key: string): string {
  const thing = key.replace(/(?<=\S) (?:date|day|time|times|schedule)$/i, "");
  return /^\p{Lu}\p{Ll}/u.test(thing) ? thing.charAt(0).toLowerCase() + thing.slice(1) : thing;
}

/** Reads pairs of property and value: "locker 31, number 212, code 7740" gives the locker's number and code. */
export function readNote(words: Word[], text: string, speaker: Speaker, validity: Validity, before: Word[]): Draft[] {
  return words.flatMap((property, index): Draft[] => {
    const value = words[index + 1];
    if (!isProperty(property) || /[,;:]/.test(property.after) || value === undefined || !isValue(value)) return [];
    const thing =
      speaker.topic.thing ?? kindOf(words[index - 1]) ?? nounBefore([...before, ...words.slice(0, index)], text);
    if (thing === undefined) return [];
    speaker.topic.thing = thing;
    return [
      draftOf({
        ...slotOfThing(propertyName([property]), thing, speaker),
        value: textBetween(text, trimEdges(valueAt(words, index + 1))),
        act: "state",
        validity: onwards(validity),
        confidence: CONFIDENCE.property,
      }),
    ];
  });
}

/** "They've put the ramipril up, 5 now", "it's back where it was, 5": the new value of the property that has changed. */
export function readNow(words: Word[], text: string, { topic: { property } }: Speaker): Draft[] {
  if (property?.property === undefined) return [];
  const isNow = words[0]?.normal === "now" || words.at(-1)?.normal === "now";
  if (!isNow && !words.every((word) => hasTag(word, "Value", "Unit"))) return [];
  const quantity = quantityOf(words, text);
  if (quantity === undefined) return [];
  return [draftOf({ subject: property.name, attribute: property.property, value: quantity.value, act: "state" })];
}

/** Reads the number of a person's place: "Room 31, by the stairs". The person is the one whom the text is about. */
export function readNumbered([noun, number]: Word[], { name, topic }: Speaker): Draft[] {
  if (noun === undefined || number === undefined || !NUMBERED.has(noun.normal) || noun.after !== " ") return [];
  if (!/^\p{Lu}?\d/u.test(number.text) || number.isDate) return [];
  const common = { act: "state", cardinality: "single", confidence: CONFIDENCE.property } as const;
  const attribute = noun.normal === "ward" ? "assigned_to" : noun.normal;
  const value = attribute === noun.normal ? number.text : `${noun.text} ${number.text}`;
  return [draftOf({ ...common, subject: topic.person ?? name, attribute, value })];
}

const NUMBERED = setOf("room ward bay bed desk locker gate platform line");

/** Reads the recurring time of a thing without a verb: "Yoga, the old mill, Mondays at 7". */
export function readTimes(words: Word[], text: string, speaker: Speaker): Draft[] {
  const day = words.findIndex(isRegularDay);
  const end = words.findIndex(({ after }) => after.includes(","));
  const start = hasTag(words[0], "Conjunction") ? 1 : 0;
  const thing = withoutDeterminer(trimEdges(words.slice(start, end === -1 || end >= day ? Math.max(day, 0) : end + 1)));
  const isThing = thing.every(
    (word) => hasTag(word, "Noun", "Adjective", "Gerund") && !hasTag(word, "Pronoun", "Date", "Value"),
  );
  if (thing.length === 0 || thing.length > MAX_THING_WORDS || !isThing) return [];
  const when = whenOf(textBetween(text, thing), text, words.slice(day), speaker);
  return when === undefined ? [] : [when];
}

const MAX_THING_WORDS = 3;

/** Returns the words of a value: "1.2 million", "40 euros". */
function valueAt(words: Word[], start: number): Word[] {
  let end = start + 1;
  while (words[end - 1]?.after === " " && hasTag(words[end], "Value", "Unit", "Money")) end++;
  return words.slice(start, end);
}

/** Whether a word is a value: "number one" is a rank. */
function isValue(word: Word | undefined): boolean {
  return word !== undefined && word.normal !== "one" && (hasTag(word, "Value") || /\d/.test(word.text));
}

/** Returns the word before a property that says what kind it is: "frame number GZ88". */
function kindOf(word: Word | undefined): string | undefined {
  const isKind =
    word?.after === " " &&
    !hasTag(word, "Determiner", "Preposition", "Conjunction", "Pronoun", "Possessive", "Value", "Adverb", "Copula");
  return isKind && !word.isDate ? word.text : undefined;
}

function nounBefore(words: Word[], text: string): string | undefined {
  const isThing = (word: Word) =>
    hasTag(word, "Noun") &&
    !isProperty(word) &&
    !isDeterminer(word) &&
    !word.isDate &&
    !hasTag(word, "Value", "Pronoun");
  const withoutNumber = words.findLastIndex((word, index) => isThing(word) && !isValue(words[index + 1]));
  const last = withoutNumber === -1 ? words.findLastIndex(isThing) : withoutNumber;
  let first = last;
  while (
    first > 0 &&
    words[first - 1]?.end === (words[first]?.start ?? 0) - 1 &&
    HYPHEN.test(words[first - 1]?.after ?? "")
  )
    first--;
  return last === -1 ? undefined : textBetween(text, words.slice(first, last + 1));
}

const HYPHEN = /^[-_]/;
