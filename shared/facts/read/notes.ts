import { hasTag } from "../../memory/extraction/tagging.ts";
import { finiteVerb } from "./clauses.ts";
import { CONFIDENCE, type Draft, draftOf } from "./draft.ts";
import { isProperty, owning, propertyOf, type Speaker } from "./subjects.ts";
import type { Validity } from "./validity.ts";
import { textBetween, trimEdges, type Word } from "./words.ts";

/** "Key: value", at the beginning of a line: up to five words, without a mark in them. */
const KEY_VALUE = /^([^\s:;,.!?=][^:;,.!?=]{0,50}?)(?:: | = | ?\.{3,80} )(\S.{0,280})$/su;
const MAX_KEY_WORDS = 5;
const NO_KEYS = new Set(
  "note ps fyi btw update correction news edit changed actually first second also anyway and but so".split(" "),
);

/** A note of a name and a value: "Locker code: 4471". */
export function readKeyValues(text: string, tagged: Word[], speaker: Speaker): Draft[] {
  const match = KEY_VALUE.exec(text);
  const [, key = "", value = ""] = match ?? [];
  const words = key.toLowerCase().split(/\s+/);
  if (key === "" || words.length > MAX_KEY_WORDS || NO_KEYS.has(words[0] ?? "")) return [];
  const tokens = tagged.filter(({ end }) => end <= key.length);
  const verb = finiteVerb(tokens);
  if (tokens.length === 0 || (verb !== -1 && !hasTag(tokens[verb], "Gerund"))) return [];
  const isNote = finiteVerb(tagged.slice(tokens.length)) === -1;
  const property = propertyOf(tokens, key, { ...speaker, topic: {} });
  const common = { value: value.trim(), act: "state", confidence: CONFIDENCE.property } as const;
  if (property?.property !== undefined)
    return [draftOf({ ...common, subject: property.name, attribute: property.property })];
  if (!isNote) return [];
  const isName =
    tokens.some((word) => hasTag(word, "ProperNoun", "Person")) && /^\p{Lu}/u.test(key) && words.length <= 2;
  return [
    isName
      ? draftOf({ ...common, subject: key, attribute: "note", cardinality: "open" })
      : draftOf({ ...common, subject: owning(key, speaker), attribute: key.toLowerCase(), cardinality: "single" }),
  ];
}

/** What a part without a verb says: "locker 31, code 7740" gives the locker's code. */
export function readNote(words: Word[], text: string, speaker: Speaker, validity: Validity, before: Word[]): Draft[] {
  const place = words.findIndex((word, at) => isProperty(word) && !/[,;:]/.test(word.after) && isValue(words[at + 1]));
  const property = words[place];
  if (property === undefined) return [];
  const thing = speaker.topic.thing ?? nounBefore([...before, ...words.slice(0, place)], text);
  const value = textBetween(text, trimEdges(words.slice(place + 1, place + 2)));
  if (thing === undefined) return [];
  speaker.topic.thing = thing;
  return [
    draftOf({
      subject: owning(thing, speaker),
      attribute: `${property.normal}_of ${thing}`,
      value,
      act: "state",
      validity: { ...validity, to: undefined },
      confidence: CONFIDENCE.property,
    }),
  ];
}

function isValue(word: Word | undefined): boolean {
  return word !== undefined && (hasTag(word, "Value") || /\d/.test(word.text));
}

function nounBefore(words: Word[], text: string): string | undefined {
  const last = words.findLastIndex(
    (word, place) =>
      hasTag(word, "Noun") &&
      !isValue(words[place + 1]) &&
      !isProperty(word) &&
      !word.isDate &&
      !hasTag(word, "Value", "Pronoun"),
  );
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
