import { stem, type Word, words } from "../../kernel/text/text.ts";
import { FOREIGN_GRAMMARS } from "../facts/foreign-lexicon.ts";
import { type Language, languageOf } from "../languages/detect.ts";
import type { Effect } from "../languages/grammar.ts";
import { PREDICATE_SLOTS, ROLES, SINGLE, SLOTS_BY_NOUN, VEHICLES, VERB_SLOTS } from "../slots/slots.ts";

/** The meaning of a word for a single-valued slot. */
export interface Meaning {
  attribute: string;
  /** "change" is for a noun, which says that the slot changes. */
  effect: Effect | "change";
  /** The meaning applies only if one of these prepositions, or a name, follows. */
  via?: readonly string[];
  /**
   * The meaning applies only with a name or with nothing after it: "joined Acme", "got married"; or with a word that
   * this pattern matches.
   */
  needsName?: true | RegExp;
}

const verbs = new Map<string, Meaning[]>();
const predicates = new Map<string, Meaning[]>();
const foreign = new Map<Language, Map<string, Meaning[]>>();

function add(to: Map<string, Meaning[]>, word: string, meaning: Meaning): void {
  to.set(word, [...(to.get(word) ?? []), meaning]);
}

const ofUsers = VERB_SLOTS.filter(
  (slot) => SINGLE.has(slot.slot) && !(slot.isInverse || slot.isOfObject || slot.isProperty),
);
for (const { verbs: lemmas, slot: attribute, effect, via, value } of ofUsers) {
  for (const lemma of lemmas.split(" ")) {
    const [verb = "", ...particles] = lemma.split("_");
    const needsName: Meaning["needsName"] = value instanceof RegExp ? value : value === undefined ? undefined : true;
    const condition = via === "object" ? { needsName } : { via };
    add(verbs, [stem(verb), ...particles].join(" "), { attribute, effect, ...condition });
  }
}
for (const { opens, slot: attribute, followsOpening } of PREDICATE_SLOTS) {
  if (followsOpening || !SINGLE.has(attribute)) continue;
  for (const word of opens.split("|")) add(predicates, word, { attribute, effect: "start" });
}
for (const { language, verbs: verbForms, nouns } of FOREIGN_GRAMMARS) {
  const meanings = new Map<string, Meaning[]>();
  for (const { forms, slot: attribute, effect = "state", via, with: partner, value } of verbForms) {
    // "bin allergisch", "bin 30 Jahre alt": the verb alone is not specific enough.
    if (!SINGLE.has(attribute) || partner !== undefined || typeof value === "object") continue;
    const condition = via === undefined ? {} : { via: folded(via) };
    for (const form of folded(forms)) add(meanings, form, { attribute, effect, ...condition });
  }
  for (const [attribute, nounForms] of Object.entries(nouns)) {
    for (const form of folded(nounForms)) add(meanings, form, { attribute, effect: "change" });
  }
  foreign.set(language, meanings);
}

function folded(list: string): string[] {
  return words(list).map(({ folded: word }) => word);
}

/** Returns the meanings of the word at an index for slots; a verb is read with the particle after it. */
export function meaningsAt(text: readonly Word[], index: number, language: Language): Meaning[] {
  const { folded: word = "" } = text[index] ?? {};
  if (language !== "en") return foreign.get(language)?.get(word) ?? [];
  const noun = SLOTS_BY_NOUN.get(word) ?? SLOTS_BY_NOUN.get(stem(word)) ?? (ROLES.has(word) ? [word] : undefined);
  if (noun !== undefined) return noun.map((attribute) => ({ attribute, effect: "change" }));
  if (VEHICLES.test(word)) return [{ attribute: "drives", effect: "change" }];
  const verb = stem(word);
  const particle = verbs.get(`${verb} ${text[index + 1]?.folded ?? ""}`);
  return [...(predicates.get(word) ?? []), ...(particle ?? verbs.get(verb) ?? [])];
}

/** Returns the attributes of the slots that words are about. */
export function attributesIn(text: readonly Word[], language: Language): Set<string> {
  return new Set(text.flatMap((_, index) => meaningsAt(text, index, language).map(({ attribute }) => attribute)));
}

/** Whether a statement says that a value of a slot begins: true for "I moved to Kiel", false for "I live in Kiel". */
export function saysBeginning(content: string, attribute: string): boolean {
  const text = words(content);
  const language = languageOf(content);
  return text.some((_, index) =>
    meaningsAt(text, index, language).some((one) => one.attribute === attribute && one.effect === "start"),
  );
}
