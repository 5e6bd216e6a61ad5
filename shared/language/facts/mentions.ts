import { setOf } from "../../kernel/strings.ts";
import type { Mention, MentionAct, MessageToRead } from "../../ports/fact-reader.ts";
import { allWords } from "../languages/lists.ts";
import { type Act, type FactDraft, INSTRUCTION, USER } from "../slots/fact.ts";
import { relatedSlots } from "../slots/related-slots.ts";
import { cardinalityOf, PROPERTIES } from "../slots/slots.ts";
import type { Passage, Sentence } from "../statements/passage.ts";
import { SOMEBODY_ELSE, THE_ASSISTANT, UNNAMED_SPEAKER } from "../statements/speakers.ts";
import { OwnVoice } from "../statements/voice/voices.ts";
import { type Draft, draftOf } from "./draft.ts";
import { SYNONYMS } from "./properties.ts";
import { type DatePrefixes, notBefore, onwards, type Validity, validityOf } from "./validity.ts";

/** Words before a date that make it a start or an end, in the languages of the reader. */
const PREFIXES: DatePrefixes = {
  since: setOf(allWords(({ mentions }) => mentions?.since)),
  until: setOf(allWords(({ mentions }) => mentions?.until)),
};
/** Possessives of the speaker and articles, which are no part of a subject's name. */
const DETERMINERS = setOf(allWords(({ mentions }) => mentions?.determiners));
/** What somebody does not do, by what they do; other denials end the value. */
export const DENIED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    likes: "dislikes",
    eats: "does_not_eat",
    drinks: "does_not_drink",
    owns: "does_not_own",
    drives: "does_not_drive",
    uses: "does_not_use",
    takes: "does_not_take",
    speaks: "does_not_speak",
    plays: "does_not_play",
  }),
);
const ACTS: Record<MentionAct, Act> = {
  state: "state",
  past: "state",
  end: "end",
  plan: "plan",
  cancel: "cancel",
  correct: "correct",
  not: "state",
};
/** The slot of what happens on a day. */
const EVENT = "event";
/** The slot of intentions, of which a reader marks only that they hold or end. */
const PLAN = "plan";
/** The slot of values that belong to a thing or a name of a property: "the wifi password is …". */
const PROPERTY = "property";
const OF_THING = /^(.+?) (?:of|for|at|in|on) (?:the )?(.+)$/iu;

export interface MentionsInput {
  message: MessageToRead;
  /** The sentences of the text with their dates. */
  passage: Pick<Passage, "sentences">;
  /** ISO date of the message. */
  day: string;
  userNames: ReadonlySet<string>;
}

/**
 * Returns draft facts for what a reader found in a message. Words of others are left out, and a subject that is only a
 * pronoun. Takes time linear in the message and its mentions.
 */
export function draftsOfMentions(found: readonly Mention[], input: MentionsInput): FactDraft[] {
  const { message, passage } = input;
  const mentions = found.map(planned);
  const voice = new OwnVoice(message.text);
  const sentences = passage.sentences.filter(({ isContext }) => !isContext);
  return mentions.flatMap((mention) => {
    const start = mention.part === "text" ? mention.start : 0;
    const sentence = sentences.findLast(({ span }) => span.start <= start) ?? sentences[0];
    if (sentence === undefined || !isOwn(sentence, voice, start)) return [];
    const draft = draftOfMention(mention, sentence, mentions, input);
    if (draft === undefined) return [];
    const placed = { ...draft, span: sentence.span };
    return [placed, ...relatedSlots(placed)];
  });
}

/** An intention that holds is planned; one that ends, or is none, is called off. */
function planned(mention: Mention): Mention {
  if (mention.slot !== PLAN) return mention;
  if (mention.act === "state") return { ...mention, act: "plan" };
  return mention.act === "end" || mention.act === "not" ? { ...mention, act: "cancel" } : mention;
}

/** Whether the user, or a speaker with a name, says what stands at a position. */
export function isOwn({ speaker }: Sentence, voice: OwnVoice, start: number): boolean {
  if (speaker === SOMEBODY_ELSE || speaker === THE_ASSISTANT) return false;
  return speaker !== UNNAMED_SPEAKER || voice.foreignAt(start) === undefined;
}

function draftOfMention(
  mention: Mention,
  sentence: Sentence,
  mentions: readonly Mention[],
  { message, day, userNames }: MentionsInput,
): Draft | undefined {
  const { part, start, end, act, confidence } = mention;
  const speaker = sentence.speaker === UNNAMED_SPEAKER ? USER : sentence.speaker;
  const named = mention.subject === undefined ? undefined : withoutDeterminers(mention.subject);
  if (named !== undefined && !/[\p{L}\p{N}]/u.test(named)) return undefined;
  // Only the user instructs the assistant.
  if (mention.slot === INSTRUCTION && speaker !== USER) return undefined;
  const of = subjectSlotOf(mention.slot, named, speaker, userNames);
  if (of === undefined) return undefined;
  const denied = act === "not" ? DENIED.get(of.attribute) : undefined;
  const validity = validityFor(mention, sentence, mentions, day);
  const attribute = denied ?? of.attribute;
  return draftOf({
    subject: of.subject,
    attribute,
    value: message[part].slice(start, end),
    act: act === "not" && denied === undefined ? "end" : actOf(mention, attribute, validity, day),
    validity,
    confidence,
  });
}

/** An event to come is a plan. */
function actOf({ act, slot }: Mention, attribute: string, validity: Validity, day: string): Act {
  const isToCome = act === "state" && slot === EVENT && validity.from !== undefined && validity.from >= day;
  return isToCome ? "plan" : fromItsDay(ACTS[act], attribute, validity);
}

/** A dated plan for what one has one of holds from its day on. */
export function fromItsDay(act: Act, attribute: string, { from }: Validity): Act {
  return act === "plan" && from !== undefined && cardinalityOf(attribute) === "single" ? "state" : act;
}

/** Returns subject and attribute of a value; undefined for a property that nothing names. */
function subjectSlotOf(slot: string, named: string | undefined, speaker: string, userNames: ReadonlySet<string>) {
  if (slot === PROPERTY) return named === undefined ? undefined : propertyNamed(named, speaker);
  if (named === undefined || userNames.has(named.toLowerCase())) return { subject: speaker, attribute: slot };
  return { subject: named, attribute: slot };
}

/** Returns the slot of a property by its words: "port of geo-cache" and "wifi password" belong to a thing, "rent" to the user. */
function propertyNamed(words: string, speaker: string) {
  const [, property = "", thing = ""] = OF_THING.exec(words) ?? [];
  if (thing !== "") return ofThing(property.toLowerCase(), thing, speaker);
  const last = words.slice(words.lastIndexOf(" ") + 1).toLowerCase();
  const before = words.slice(0, Math.max(0, words.length - last.length - 1)).trim();
  if (before !== "" && PROPERTIES.has(last)) return ofThing(last, before, speaker);
  return {
    subject: speaker,
    attribute: (SYNONYMS.get(words.toLowerCase()) ?? words.toLowerCase()).replaceAll(" ", "_"),
  };
}

function ofThing(property: string, thing: string, speaker: string) {
  const isNamed = /[\p{Lu}\d_-]/u.test(thing);
  const attribute = `${SYNONYMS.get(property) ?? property.replaceAll(" ", "_")}_of ${thing}`;
  return { subject: speaker === USER && isNamed ? thing : speaker, attribute };
}

/** "my sister" is called "sister". */
export function withoutDeterminers(subject: string): string {
  const words = subject.replace(/['’]s?$/u, "").split(/\s+/u);
  const first = words.findIndex((word) => !DETERMINERS.has(word.toLowerCase()));
  return words.slice(Math.max(0, first)).join(" ");
}

/** Returns when a value holds by the dates that stand nearer to it than to the other values of its sentence. */
function validityFor(mention: Mention, sentence: Sentence, mentions: readonly Mention[], day: string): Validity {
  const { text, span, dates } = sentence;
  const others = mentions.filter(
    (other) => other.part === "text" && other !== mention && other.end > span.start && other.start < span.end,
  );
  const own = dates.filter((date) => {
    const distance = ({ start, end }: Mention) =>
      Math.max(start - span.start - date.end, date.start - (end - span.start), 0);
    return mention.part === "before" || others.every((other) => distance(mention) <= distance(other));
  });
  const words = Array.from(text.matchAll(/[\p{L}\p{N}'’]+/gu), ({ 0: word, index }) => {
    return { normal: word.toLowerCase(), start: index, end: index + word.length };
  });
  const found = validityOf(words, own, PREFIXES);
  const isAhead = found.from !== undefined && found.from >= day;
  if (mention.act === "plan") return mention.slot === PLAN && isAhead ? found : notBefore(found, day);
  if (mention.act === "past") return { ...found, to: found.to !== undefined && found.to <= day ? found.to : day };
  if (mention.act === "end" || mention.act === "cancel") return found;
  // An event is over after its day.
  if (mention.slot === EVENT) return isAhead ? onwards(found) : found;
  // A date to come belongs to something else that the sentence says.
  if (found.from !== undefined && found.from > day) return { isOpenEnded: false };
  return found.isOpenEnded ? found : onwards(found);
}
