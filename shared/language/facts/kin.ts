import { setOf } from "../../kernel/strings.ts";
import { USER } from "../slots/fact.ts";
import { KIN } from "../slots/slots.ts";
import { hasTag } from "../statements/tagging.ts";
import { type Draft, draftOf } from "./draft.ts";
import { isNamed, objectOf } from "./phrases.ts";
import { rememberPerson } from "./pronouns.ts";
import type { Speaker, Subject } from "./topic.ts";
import type { Said } from "./verb-slots.ts";
import { isDeterminer, textBetween, trimEdges, type Word } from "./words.ts";

const OWN = setOf("my our");

/** Whether a noun names an animal that people keep. */
export function isPet(noun: string): boolean {
  return KIN.get(noun.toLowerCase()) === "pet";
}

/** "My sister Jana works …" also says that Jana is the sister. */
export function kinOf({ kin, name, isUnnamed }: Subject, { name: speaker }: Speaker): Draft[] {
  const slot = kin === undefined || isUnnamed ? undefined : KIN.get(kin);
  return slot === undefined
    ? []
    : [draftOf({ subject: speaker, attribute: slot, value: `${name} (${kin})`, act: "state" })];
}

/** "Our dog is called Rex", "my sister's name is Jana": the name says whom the speaker has. */
export function withNamedKin(drafts: Draft[], subject: Subject, phrase: Word[], speaker: Speaker): Draft[] {
  const { person = "" } = speaker.topic;
  return drafts.map((draft): Draft => {
    const { attribute, act, subject: named, value } = draft;
    const isSubject = named === subject.name;
    const kin = (isSubject ? subject.kin : undefined) ?? named.toLowerCase().split(" ").at(-1) ?? "";
    const slot = KIN.get(kin);
    const isOwn = (isSubject && OWN.has(phrase[0]?.normal ?? "")) || isPet(kin) || named === person;
    if (attribute !== "name" || act !== "state" || slot === undefined || !isOwn) return draft;
    const owner = ownerOf(person, kin) ?? ownerOf(named, kin) ?? speaker.name;
    return draftOf({ subject: owner, attribute: slot, value: `${value} (${kin})`, act });
  });
}

/** Returns the owner in a name such as "Maria's son", or undefined. */
function ownerOf(name: string, kin: string): string | undefined {
  const suffix = `'s ${kin}`;
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** "We named her Miso": the name of the person or animal that the text mentioned last. */
export function readNaming({ group, predicate, speaker, text, validity }: Said): Draft | undefined {
  const [whom, ...name] = trimEdges(predicate.words.slice(0, predicate.objectEnd));
  const { person } = speaker.topic;
  const isNaming =
    NAMING_VERBS.has(group.lemma) && !group.isPassive && !group.isNegated && !group.isHypothetical && !group.isWished;
  if (!isNaming || person === undefined || !PRONOUNS.has(whom?.normal ?? "") || !isNamed(name)) return undefined;
  return draftOf({ subject: person, attribute: "name", value: textBetween(text, name), act: "state", validity });
}

const NAMING_VERBS = setOf("name call rename christen");
const PRONOUNS = setOf("him her it");

/** "Miso is our cat", "Jana is my older sister". */
export function readIsKin({ subject, group, speaker, text }: Said, words: Word[]): Draft | undefined {
  const last = words.at(-1);
  const slot = KIN.get(last?.normal ?? "");
  if (slot === undefined || !OWN.has(words[0]?.normal ?? "") || words.length > MAX_WORDS) return undefined;
  const isPlain = words.slice(1, -1).every((word) => hasTag(word, "Adjective", "Comparative", "Superlative"));
  if (!isPlain || !/^\p{Lu}/u.test(subject) || group.isHypothetical || group.isWished) return undefined;
  const value = `${subject} (${textBetween(text, words.slice(-1))})`;
  const isOver = group.isNegated || group.isOver;
  return draftOf({ subject: speaker.name, attribute: slot, value, act: isOver ? "end" : "state" });
}

const MAX_WORDS = 4;

/** "I have a dog called Rex", "she has two sons", "we have a cat and a rabbit". */
export function readHaving(said: Said): Draft[] {
  const { text, subject, group, predicate, validity } = said;
  if (group.isPerfect || group.isHypothetical) return [];
  const act = group.isNegated || group.isOver ? "end" : "state";
  const common = { subject, act, validity: { ...validity, from: undefined } } as const;
  const parts = partsOf(objectOf(predicate)).map((words) => ({ words, value: textBetween(text, words) }));
  return parts.flatMap(({ words, value }) => {
    if (words[0]?.normal === "no") return denied(words.slice(1), said);
    const [, allergy] = ALLERGY.exec(value) ?? [];
    if (allergy !== undefined) return [draftOf({ ...common, attribute: "allergic_to", value: allergy })];
    if (CONDITIONS.test(value)) return [draftOf({ ...common, attribute: "condition", value })];
    const slot = KIN.get(kinIn(words) ?? "");
    return slot === undefined ? [] : [draftOf({ ...common, attribute: slot, value })];
  });
}

/** "I have no aunt called Odile" */
function denied(words: Word[], { text, subject, validity }: Said): Draft[] {
  const slot = KIN.get(kinIn(words) ?? "");
  const value = textBetween(text, words);
  return slot === undefined ? [] : [draftOf({ subject, attribute: slot, value, act: "end", validity })];
}

/** "a nut allergy" */
const ALLERGY = /^(?:an? )?(?:severe |bad |mild )?(\p{L}+(?: \p{L}+)?) allergy$/iu;
/** Illnesses that last. */
const CONDITIONS =
  /\b(?:diabetes|asthma|epilepsy|arthritis|migraines?|hypertension|eczema|psoriasis|endometriosis|crohn['’]s|colitis|coeliac disease|celiac disease|parkinson['’]s|multiple sclerosis|glaucoma|gout|adhd|autism|anaemia|anemia|sleep apnoea|tinnitus|lupus|hiv|copd)\b/iu;

/** Splits "a cat and a rabbit", but not "two dogs, Rex and Bella". */
function partsOf(object: Word[]): Word[][] {
  const parts: Word[][] = [];
  let from = 0;
  for (const [index, word] of object.entries()) {
    const previous = object[index - 1];
    const isJoined = previous?.normal === "and" || previous?.after.includes(",") === true;
    if (!isJoined || !(isDeterminer(word) || hasTag(word, "Value"))) continue;
    parts.push(trimEdges(object.slice(from, index)));
    from = index;
  }
  return [...parts, object.slice(from)].filter(({ length }) => length > 0);
}

function kinIn(words: Word[]): string | undefined {
  return words
    .filter((word, index) => !isModifier(word, words[index + 1]))
    .flatMap(({ normal }) => [normal, normal.replace(/s$/, "")])
    .find((noun) => KIN.has(noun));
}

/** "a dentist appointment", "a dog bed" */
function isModifier({ after }: Word, next: Word | undefined): boolean {
  return after === " " && hasTag(next, "Noun") && /^\p{Ll}/u.test(next?.text ?? "") && !hasTag(next, "Pronoun");
}

/** Remembers whom "he" and "she" mean after "I have a dog", "she has a son called Ben": one person or animal. */
export function rememberKin([draft, ...others]: Draft[], { topic }: Speaker): void {
  if (draft?.act !== "state" || others.length > 0 || !KINDS.has(draft.attribute)) return;
  const kin = draft.value
    .toLowerCase()
    .split(NO_LETTERS)
    .find((noun) => KIN.has(noun));
  if (kin === undefined || draft.value.endsWith(")")) return;
  const name = CALLED.exec(draft.value)?.[1];
  rememberPerson(topic, name ?? (draft.subject === USER ? kin : `${draft.subject}'s ${kin}`), undefined);
}

const KINDS: ReadonlySet<string> = new Set(KIN.values());
const NO_LETTERS = /[^\p{L}]+/u;
const CALLED = / (?:called|named) (\S.*)$/u;
