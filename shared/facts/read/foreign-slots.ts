import type { Act } from "../fact.ts";

export interface ForeignSlot {
  /** Its group `value` is what the slot holds. */
  pattern: RegExp;
  slot: string;
  act?: Act;
}

/** Patterns of German, French and Spanish, each for a sentence; the first that fits counts. */
export const FOREIGN_SLOTS: readonly ForeignSlot[] = [
  {
    slot: "lives_in",
    pattern:
      /\b(?:ich (?:wohne|lebe)|wir (?:wohnen|leben))(?: \p{L}{2,12}){0,3} in (?:der |dem )?(?<value>\p{Lu}[\p{L}-]{1,40})/iu,
  },
  {
    slot: "lives_in",
    pattern: /\b(?:ich bin|wir sind)(?: \p{L}{2,12}){0,3} nach (?<value>\p{Lu}[\p{L}-]{1,40}) (?:um)?gezogen/iu,
  },
  {
    slot: "works_at",
    pattern: /\bich arbeite(?: \p{L}{2,12}){0,3} (?:bei|für) (?:der |dem )?(?<value>\p{Lu}[\p{L}\d-]{1,40})/iu,
  },
  { slot: "works_as", pattern: /\bich arbeite(?: \p{L}{2,12}){0,2} als (?<value>\p{L}[\p{L}-]{1,40})/iu },
  {
    slot: "allergic_to",
    pattern: /\bich bin(?: \p{L}{2,12}){0,3} allergisch (?:gegen|auf) (?<value>\p{L}[\p{L}-]{1,40})/iu,
  },
  { slot: "name", pattern: /\bich hei(?:ß|ss)e (?<value>\p{Lu}[\p{L}-]{1,40})/iu },
  {
    slot: "lives_in",
    pattern: /\bj(?:e |')(?:n')?(?:habite|vis)(?: \p{L}{2,12}){0,2} (?:à|en|au) (?<value>\p{Lu}[\p{L}-]{1,40})/iu,
  },
  {
    slot: "lives_in",
    pattern: /\b(?:j'ai déménagé|je déménage|nous avons déménagé) à (?<value>\p{Lu}[\p{L}-]{1,40})/iu,
  },
  {
    slot: "works_at",
    pattern: /\bje (?:ne )?travaille(?: \p{L}{2,12}){0,2} (?:chez|pour) (?<value>\p{Lu}[\p{L}\d-]{1,40})/iu,
  },
  { slot: "works_as", pattern: /\bje travaille(?: \p{L}{2,12}){0,2} comme (?<value>\p{L}[\p{L}-]{1,40})/iu },
  {
    slot: "allergic_to",
    pattern:
      /\bje (?:ne )?suis(?: \p{L}{2,12}){0,2} allergique (?:aux|à la|au|à l'|à) ?(?<value>\p{L}[\p{L}-]{1,40})/iu,
  },
  { slot: "name", pattern: /\bje m'appelle (?<value>\p{Lu}[\p{L}-]{1,40})/iu },
  { slot: "lives_in", pattern: /\b(?:vivo|vivimos|resido)(?: \p{L}{2,12}){0,2} en (?<value>\p{Lu}[\p{L}-]{1,40})/iu },
  {
    slot: "lives_in",
    pattern:
      /\b(?:me (?:mudé|he mudado|mudo)|nos mudamos|mudanza(?:,? [\p{L}]{1,12}){0,5},?) a (?<value>\p{Lu}[\p{L}-]{1,40})/iu,
  },
  { slot: "works_at", pattern: /\btrabajo(?: \p{L}{2,12}){0,2} (?:en|para) (?<value>\p{Lu}[\p{L}\d-]{1,40})/u },
  { slot: "works_as", pattern: /\btrabajo(?: \p{L}{2,12}){0,2} (?:como|de) (?<value>\p{L}[\p{L}-]{1,40})/iu },
  { slot: "allergic_to", pattern: /\bsoy alérgic[oa] (?:a los|a las|al|a la|a) (?<value>\p{L}[\p{L}-]{1,40})/iu },
  { slot: "name", pattern: /\bme llamo (?<value>\p{Lu}[\p{L}-]{1,40})/iu },
];
