import { setOf } from "../../kernel/strings.ts";
import { normalizedName } from "../../kernel/text/normalized-name.ts";
import { countShared, termSet } from "../../kernel/text/text.ts";
import type { Mention } from "../../ports/fact-reader.ts";
import { type FactDraft, INSTRUCTION } from "../slots/fact.ts";
import { guessed } from "../slots/related-slots.ts";
import { slotKey } from "../slots/slot-key.ts";
import { KIN, ROLES } from "../slots/slots.ts";
import { draftsOfMentions, type MentionsInput } from "./mentions.ts";

/** What a model read of a text. */
export interface ReadText {
  /** The text as far as the model read it. */
  text: string;
  /** The facts of which it is sure. */
  drafts: readonly FactDraft[];
  /** Others that are more likely right than not: they are facts if the rules read them too, or if they end a fact. */
  doubtful: readonly FactDraft[];
  /** The instructions that it marked, sure or not. */
  instructions: readonly string[];
}

/** Mentions that are more likely right than not count where the rules read the same; others are noise rather than doubt. */
const LIKELY = 0.5;

export const isLikely = ({ confidence }: Mention): boolean => confidence >= LIKELY;

/** Whether a mention may become a fact: it is likely, or marks an instruction. */
export const isWorthReading = (mention: Mention): boolean => isLikely(mention) || mention.slot === INSTRUCTION;

/** Returns what a model read of a text by what it found there; `least` is the least confidence of a fact. */
export function readTextOf(mentions: readonly Mention[], input: MentionsInput, least: number): ReadText {
  const { message } = input;
  const likely = Map.groupBy(mentions.filter(isLikely), ({ confidence }) => confidence >= least);
  return {
    text: message.text,
    drafts: draftsOfMentions(likely.get(true) ?? [], input),
    doubtful: draftsOfMentions(likely.get(false) ?? [], input),
    instructions: mentions.flatMap(({ part, start, end, slot }) =>
      slot === INSTRUCTION ? [message[part].slice(start, end)] : [],
    ),
  };
}

/** Maximum confidence of an instruction of the rules that the model only marks: 10 of 13 are as marked, no profile has them. */
const MARKED = 0.6;
/** Least confidence of a rule whose value of a slot with one value counts where it changes that slot. */
const SURE = 0.8;
/** What people keep for life: that it has changed, as the rules alone read, was wrong each time in eight people's years. */
const LASTING = setOf("name birthday from nationality");
/** Least confidence of what both read: of 80 such values on voices that neither was made for, 72 are as marked. */
const AGREED = 0.9;

/**
 * Returns the facts of the model, and of the rules those that the model bears out: on voices that neither was made for,
 * a tenth of the others is right. Of these, plans, ends and a sure value of a slot with one value are guesses. What both
 * read has the model's value, which ends where the statement does. The rules alone read what follows the text of the model.
 */
export function mergedDrafts(rules: readonly FactDraft[], read: ReadText): FactDraft[] {
  const bySlot = Map.groupBy([...read.drafts, ...read.doubtful], ({ subject, attribute }) =>
    slotKey(subject, personOr(attribute)),
  );
  const taken = new Set<FactDraft>();
  const own = rules.flatMap((rule) => {
    const stated = normalizedName(rule.value);
    const same = (bySlot.get(slotKey(rule.subject, personOr(markedSlot(rule.attribute)))) ?? []).filter((draft) => {
      const words = normalizedName(draft.value);
      return isSameAct(rule, draft) && (stated.includes(words) || words.includes(stated));
    });
    for (const draft of same) taken.add(draft);
    const [first] = same;
    // An end must name what it ends, and an instruction its condition: the longer value says more.
    const isWhole = rule.attribute === INSTRUCTION || isEnd(rule);
    if (first !== undefined && !isWhole) return agreed(rule, first);
    if (first !== undefined || rule.span.start >= read.text.length) return rule;
    const isSureOfOne = rule.cardinality === "single" && rule.confidence >= SURE && !LASTING.has(rule.attribute);
    if (isEnd(rule) || rule.act === "plan" || isSureOfOne) return guessed(rule);
    const isMarked =
      rule.attribute === INSTRUCTION &&
      read.instructions.some((marked) => countShared(termSet(marked), termSet(rule.value)) > 0);
    return isMarked ? { ...rule, confidence: Math.min(rule.confidence, MARKED) } : [];
  });
  // A new value of the same text already ends the former one.
  const stated = new Set(
    read.drafts.flatMap((draft) => (isEnd(draft) ? [] : [slotKey(draft.subject, draft.attribute)])),
  );
  const ends = read.doubtful.filter(
    (draft) =>
      isEnd(draft) &&
      draft.value !== "" &&
      !taken.has(draft) &&
      !(draft.cardinality === "single" && stated.has(slotKey(draft.subject, draft.attribute))),
  );
  return [...own, ...read.drafts.filter((draft) => !taken.has(draft)), ...ends.map(guessed)];
}

function agreed({ is_guess: _, ...rule }: FactDraft, { value, confidence }: FactDraft): FactDraft {
  return { ...rule, value, confidence: Math.max(AGREED, rule.confidence, confidence) };
}

function isEnd({ act }: FactDraft): boolean {
  return act === "end" || act === "cancel";
}

/** An interval that the rules read ends what the model reads as an end. */
function isSameAct(rule: FactDraft, { act }: FactDraft): boolean {
  return rule.act === act || (act === "end" && rule.act === "state" && rule.valid_to !== undefined);
}

const PERSON = "person";
const PEOPLE: ReadonlySet<string> = new Set([...ROLES, ...KIN.values(), "contact"]);

/** What somebody is to another is one thing in all slots of people: a dentist is a doctor, and a boss a contact. */
function personOr(attribute: string): string {
  return PEOPLE.has(attribute) ? PERSON : attribute;
}

/** The slot in which the model marks an attribute of the rules: they also read of what something is the favourite. */
function markedSlot(attribute: string): string {
  return attribute.startsWith("favourite_") ? "favourite" : attribute;
}
