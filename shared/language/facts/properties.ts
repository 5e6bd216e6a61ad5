import { setOf } from "../../kernel/strings.ts";
import { USER } from "../slots/fact.ts";
import { KIN, PROPERTIES, ROLES, slotsByNoun } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import { FIRST_PERSON_POSSESSIVES, POSSESSIVE, type Speaker, type Subject } from "./topic.ts";
import { isDeterminer, textBetween, type Word, withoutDeterminer } from "./words.ts";

/** Things that people own one of at a time, with the slot. */
const OWNED = slotsByNoun({ drives: "car van bike motorbike scooter" });
const QUALITIES = setOf("new old current main other latest monthly next former second first own real actual");
/** Prepositions between a property and what it belongs to: "the rent on the shop". */
const OF_WHAT = setOf("of for on");
/** Prepositions between such a property and its place: "the rent at the shop". */
const WHERE = setOf("at in");
const AT_PLACES = setOf("rent price cost fee salary budget temperature rate capacity code password pin key");
export const MOMENTS = setOf("moment time end start beginning minute morning evening meantime");
/** Words after a property that name its form: "phone number" means the phone. */
const FORMS = setOf("number address id name code");
/** Names of properties in slots, by their synonyms. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mobile: "phone",
    "e-mail": "email",
    mail: "email",
    colour: "color",
    flavour: "flavor",
    dosage: "dose",
    combination: "code",
    pin: "code",
    passcode: "code",
    cost: "price",
    fee: "price",
    advisor: "supervisor",
    rota: "schedule",
    shift: "schedule",
    ownership: "owner",
    boss: "manager",
    job: "works_as",
    employer: "works_at",
    major: "studies",
  }),
);

/** Returns the property that words name: "my favourite colour", "the port of route-planner", "locker code". */
export function propertyOf(words: Word[], text: string, speaker: Speaker): Subject | undefined {
  const of = words.findIndex(
    ({ normal }, index) =>
      isProperty(words[index - 1]) &&
      (OF_WHAT.has(normal) ||
        (WHERE.has(normal) && AT_PLACES.has(words[index - 1]?.normal ?? "") && isPlace(words, index + 1))),
  );
  if (of !== -1) return propertyOfThing(words[of - 1], words.slice(of + 1), text, speaker);
  const last = words.at(-1);
  const owner = words.findIndex(
    (word) => hasTag(word, "Possessive") && !hasTag(word, "Pronoun") && /['’]s?$/.test(word.text),
  );
  const own = FIRST_PERSON_POSSESSIVES.has(words[0]?.normal ?? "");
  const favourite = words.findIndex(({ normal }) => normal === "favourite" || normal === "favorite");
  if (last === undefined) return undefined;
  const possessor = owner !== -1 ? nameOf(words.slice(0, owner + 1), text) : own ? speaker.name : undefined;
  if (favourite !== -1 && favourite < words.length - 1 && possessor !== undefined) {
    if (words[favourite + 1]?.normal === "one") return undefined;
    const kind = words.slice(favourite + 1).map(({ normal }) => SYNONYMS.get(normal) ?? normal);
    return { name: possessor, property: `favourite_${kind.join("_")}`, isPerson: false };
  }
  const owned = own && words.length === 2 ? OWNED.get(last.normal) : undefined;
  if (owned !== undefined) return { name: speaker.name, property: owned, isPerson: false };
  if (!isProperty(last)) return undefined;
  const between = words
    .slice(owner !== -1 ? owner + 1 : 0, -1)
    .filter(
      (word) => !isDeterminer(word) && !QUALITIES.has(word.normal) && !(isProperty(word) && FORMS.has(last.normal)),
    );
  if (between.some((word) => hasTag(word, "Preposition", "Copula"))) return undefined;
  if (last.normal === "name" && between.length === 1 && between[0]?.normal === USER)
    return { name: possessor ?? speaker.name, property: "username", isPerson: false };
  if (between.length === 0 && owner > 0 && isThing(words.slice(0, owner + 1)))
    return {
      name: owning(possessor ?? "", speaker),
      property: `${propertyName(words)}_of ${possessor}`,
      isPerson: false,
    };
  if (between.length > 0) return propertyOfThing(last, between, text, speaker, possessor);
  if (possessor !== undefined) return { name: possessor, property: propertyName(words), isPerson: false };
  const thing = speaker.topic.thing;
  return thing === undefined || ROLES.has(thing.toLowerCase())
    ? { name: speaker.name, property: propertyName(words), isPerson: false }
    : { name: owning(thing, speaker), property: `${propertyName(words)}_of ${thing}`, isPerson: false };
}

/** Whether a place begins at an index: "the shop", but not "the moment". */
function isPlace(words: Word[], from: number): boolean {
  return isDeterminer(words[from]) && from < words.length - 1 && !MOMENTS.has(words.at(-1)?.normal ?? "");
}

/** Whether the owner of a property is a thing, not a person: "The shop's". */
function isThing(words: Word[]): boolean {
  return withoutDeterminer(words).every(
    (word) =>
      /^\p{Ll}/u.test(word.text) && !hasTag(word, "Person", "Pronoun", "Actor") && !KIN.has(withoutPossessive(word)),
  );
}

function withoutPossessive({ normal }: Word): string {
  return normal.replace(POSSESSIVE, "");
}

function propertyOfThing(
  property: Word | undefined,
  words: Word[],
  text: string,
  speaker: Speaker,
  possessor?: string,
): Subject | undefined {
  const named = textBetween(text, withoutDeterminer(words));
  const isCommon = words[0]?.start === 0 && !words.some((word) => hasTag(word, "ProperNoun", "Acronym"));
  const thing = isCommon ? named.charAt(0).toLowerCase() + named.slice(1) : named;
  if (property === undefined || thing === "") return undefined;
  const own = FIRST_PERSON_POSSESSIVES.has(words[0]?.normal ?? "") ? speaker.name : undefined;
  const attribute = `${SYNONYMS.get(property.normal) ?? property.normal}_of ${thing}`;
  return { name: possessor ?? own ?? owning(thing, speaker), property: attribute, isPerson: false };
}

/** Returns the subject of a thing's slots: USER if the user speaks of a thing without a name, otherwise the thing. */
export function owning(thing: string, { name }: Speaker): string {
  return name !== USER || /[\p{Lu}\d_-]/u.test(thing) ? thing : USER;
}

/** Returns the slot of a thing's property, with its subject. */
export function slotOfThing(property: string, thing: string, speaker: Speaker) {
  return { subject: owning(thing, speaker), attribute: `${property}_of ${thing}` };
}

export function isProperty(word: Word | undefined): boolean {
  return word !== undefined && (PROPERTIES.has(word.normal) || word.normal === "ownership") && !hasTag(word, "Copula");
}

/** Returns the name of a property in slots: "phone" for "phone number", "email" for "email address". */
export function propertyName(words: Word[]): string {
  const property = words.find(isProperty);
  const name = property?.normal ?? "";
  return SYNONYMS.get(name) ?? name;
}

function nameOf(words: Word[], text: string): string {
  return textBetween(text, withoutDeterminer(words)).replace(/['’]s?$/, "");
}
