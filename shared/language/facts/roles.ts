import { setOf } from "../../kernel/strings.ts";
import { ROLES } from "../slots/slots.ts";
import { type Draft, draftOf } from "./draft.ts";
import { owning, SYNONYMS } from "./properties.ts";
import { onwards } from "./validity.ts";
import type { Said } from "./verb-slots.ts";
import { textBetween, trimEdges, type Word, withoutDeterminer } from "./words.ts";

const QUALITIES = setOf("main new current principal acting interim primary official real first");
const INDEFINITE = setOf("a an one some another");
const CHIEF = /^c[efiopt]o$/;
const MAX_ROLE_WORDS = 4;

/**
 * Reads who holds a role that one person holds at a time: "Mark becomes main supervisor", "Dagny is the CTO of
 * Larkwire". The role is a property of the person or thing it serves, as in "my supervisor is Mark", so the slot is the
 * same.
 */
export function readRole(said: Said, predicate: Word[]): Draft | undefined {
  const { text, subject, isPerson, speaker, group, validity, day } = said;
  if (!isPerson || subject === speaker.name || group.isHypothetical || group.isWished) return undefined;
  const [first] = predicate;
  if (first === undefined || INDEFINITE.has(first.normal)) return undefined;
  const found = roleAt(predicate);
  if (found === undefined) return undefined;
  const thing = textBetween(text, withoutDeterminer(trimEdges(found.ofWhat)));
  const role = SYNONYMS.get(found.role) ?? found.role;
  const isPast = group.tense === "past" && group.lemma === "be" && !group.isPerfect;
  return draftOf({
    subject: thing === "" ? speaker.name : owning(thing, speaker),
    attribute: thing === "" ? role : `${role}_of ${thing}`,
    value: subject,
    act: group.isNegated || group.isOver ? "end" : "state",
    validity: isPast ? { ...validity, to: validity.to ?? day } : onwards(validity),
  });
}

/** Returns the role at the start of a predicate, and the words that say what it is the role of. */
function roleAt(predicate: Word[]): { role: string; ofWhat: Word[] } | undefined {
  for (const [index, { normal, after }] of predicate.slice(0, MAX_ROLE_WORDS).entries()) {
    if (ROLES.has(normal) || CHIEF.test(normal)) {
      const next = predicate[index + 1]?.normal;
      const isOf = (next === "of" || next === "for") && !after.includes(",");
      const end = predicate.findIndex((word, other) => other > index + 1 && (word.isDate || word.after.includes(",")));
      const ofWhat = isOf ? predicate.slice(index + 2, end === -1 ? undefined : end + 1) : [];
      const of = ofWhat.some(isNameLike)
        ? ofWhat
        : predicate.slice(1, index).filter(({ normal: word }) => !QUALITIES.has(word));
      return { role: normal, ofWhat: of };
    }
    const startsWithDeterminer = index === 0 && withoutDeterminer(predicate).length < predicate.length;
    if (!startsWithDeterminer && !QUALITIES.has(normal) && !isOfWhat(predicate, index)) return undefined;
  }
  return undefined;
}

/** "my project lead": the noun in between says what the role is for. */
function isOfWhat(predicate: Word[], index: number): boolean {
  const isDetermined = withoutDeterminer(predicate).length < predicate.length;
  return isDetermined && isNameLike(predicate[index] as Word) && !predicate[index]?.after.includes(",");
}

function isNameLike({ text, tags }: Word): boolean {
  return /^\p{Lu}/u.test(text) || tags.has("Noun");
}
