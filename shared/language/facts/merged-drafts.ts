import { normalizedName } from "../../kernel/text/normalized-name.ts";
import { termSet } from "../../kernel/text/text.ts";
import { type FactDraft, INSTRUCTION, USER } from "../slots/fact.ts";
import { slotKey } from "../slots/slot-key.ts";
import { KIN, ROLES } from "../slots/slots.ts";
import { DENIED } from "./mentions.ts";

/** What a model read of a text. */
export interface ReadText {
  /** The text as far as the model read it. */
  text: string;
  /** Its facts that are more likely right than not. */
  drafts: readonly FactDraft[];
  /** The least confidence of a fact that the rules did not read. */
  least: number;
  /** The values that it marked, sure or not. */
  marked: readonly { value: string; slot: string }[];
}

/**
 * Maximum confidence of what the rules read and the model is not sure of: if it marks the value in the same slot, and if not. The
 * first is listed, and no profile shows it; on voices that neither was made for, a quarter of it is as marked, and a tenth of the rest.
 */
const MARKED = 0.6;
const UNSHARED = 0.4;
/** Least confidence of what both read: of 80 such values on voices that neither was made for, 72 are as marked. */
const AGREED = 0.9;

/**
 * Returns the facts of the model and of the rules. What both read has the model's value, which ends where the statement does.
 * Of other facts of the rules it is less sure, except behind the text that the model read.
 */
export function mergedDrafts(rules: readonly FactDraft[], read: ReadText): FactDraft[] {
  const bySlot = Map.groupBy(read.drafts, ({ subject, attribute }) => slotKey(subject, personOr(attribute)));
  const isBorneOut = borneOutBy(read);
  const taken = new Set<FactDraft>();
  const own = rules.map((rule) => {
    const stated = normalizedName(rule.value);
    const same = (bySlot.get(slotKey(rule.subject, personOr(markedSlot(rule.attribute)))) ?? []).filter(
      ({ act, value }) => {
        const words = normalizedName(value);
        return rule.act === act && (stated.includes(words) || words.includes(stated));
      },
    );
    for (const draft of same) taken.add(draft);
    const [first] = same;
    // An end must name what it ends, and an instruction its condition: the longer value says more.
    const isWhole = rule.attribute === INSTRUCTION || rule.act === "end" || rule.act === "cancel";
    if (first !== undefined && !isWhole)
      return { ...rule, value: first.value, confidence: Math.max(AGREED, rule.confidence, first.confidence) };
    if (first !== undefined || rule.span.start >= read.text.length) return rule;
    return { ...rule, confidence: Math.min(rule.confidence, isBorneOut(rule) ? MARKED : UNSHARED) };
  });
  return [...own, ...read.drafts.filter((draft) => draft.confidence >= read.least && !taken.has(draft))];
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

/** Returns a test for facts of the rules. Takes time linear in the text and its facts. */
function borneOutBy({ text, marked }: ReadText): (rule: FactDraft) => boolean {
  const slotsOf = new Map<string, Set<string>>();
  for (const { value, slot } of marked) {
    for (const term of termSet(value)) slotsOf.set(term, (slotsOf.get(term) ?? new Set()).add(slot));
  }
  const said = termSet(text);
  return ({ subject, attribute, value, act }) => {
    const terms = [...termSet(value)];
    // A value in other words than the text ("cancelled") belongs to a thing that the text names.
    if (!terms.some((term) => said.has(term))) {
      const thing = [...termSet(`${subject === USER ? "" : subject} ${attribute.split("_of ")[1] ?? ""}`)];
      return thing.length === 0 || thing.some((term) => slotsOf.has(term));
    }
    const slots = new Set(terms.flatMap((term) => [...(slotsOf.get(term) ?? [])]));
    if (act === "end" || act === "cancel") return slots.size > 0;
    const own = personOr(markedSlot(attribute));
    return [...slots].some((slot) => personOr(slot) === own || DENIED.get(slot) === attribute);
  };
}
