import { setOf } from "../../kernel/strings.ts";
import { allWords } from "../languages/lists.ts";
import { USER } from "../slots/fact.ts";
import { hasTag } from "../statements/tagging.ts";
import type { Clause } from "./clauses.ts";
import { FIRST_PERSON, type Gender, type Subject, type Topic } from "./topic.ts";
import type { Word } from "./words.ts";

/** Returns whom "he" or "she" means: the person mentioned last, or the last one of the pronoun's gender. */
export function personMeant(pronoun: string, topic: Topic): Subject | undefined {
  const gender = FEMININE.has(pronoun) ? "female" : "male";
  const isUnsure = topic.gender === undefined && topic.isOneOfMany === true;
  const name = !isUnsure && (topic.gender ?? gender) === gender ? topic.person : topic[gender];
  return name === undefined || name.includes(" and ") ? undefined : { name, isPerson: true, isKnown: true, gender };
}

/** Remembers a person to whom later pronouns refer. */
export function rememberPerson(topic: Topic, name: string | undefined, gender: Gender | undefined): void {
  const isAnother = "person" in topic && (name === undefined || name !== topic.person);
  topic.isOneOfMany = gender === undefined && (isAnother || topic.isOneOfMany === true);
  topic.gender = gender;
  topic.person = name;
  if (gender !== undefined && name !== undefined) topic[gender] = name;
}

const FEMININE = setOf("she her hers");

/** Returns the gender that a person's name, title or relation says. */
export function genderOf(words: Word[]): Gender | undefined {
  const genders = words.map((word) =>
    hasTag(word, "FemaleName") || WOMEN.has(word.normal)
      ? "female"
      : hasTag(word, "MaleName") || MEN.has(word.normal)
        ? "male"
        : undefined,
  );
  return genders.find((gender) => gender !== undefined);
}

const WOMEN = setOf(
  `woman lady girl mrs ms miss ${allWords(({ names }) => names?.womensTitles)} wife girlfriend fiancée daughter sister mother mum mom niece aunt grandmother`,
);
const MEN = setOf(
  `man lad boy guy bloke mr ${allWords(({ names }) => names?.mensTitles)} husband boyfriend fiancé son brother father dad nephew uncle grandfather`,
);

/** Remembers the person whom "they" means after a clause; forgets it if the clause mentions others. */
export function rememberThey(topic: Topic, { subject: phrase, words }: Clause, subject: Subject | undefined): void {
  const isPronoun = phrase.length === 1 && hasTag(phrase[0], "Pronoun");
  // A capital letter may only start the sentence: "Heart is fine. They raised the dose."
  const isOne =
    subject?.isPerson === true &&
    (subject.isKnown === true || subject.name === USER) &&
    !phrase.some(({ normal }) => normal === "and" || FIRST_PERSON.has(normal));
  if (words.some((word) => !phrase.includes(word) && mayBeThey(word))) topic.they = undefined;
  else if (!isPronoun && phrase.length > 0) topic.they = isOne ? subject : undefined;
}

/** Whether "they" may mean the word: several things or people, an organization, or another name. */
function mayBeThey(word: Word): boolean {
  if (hasTag(word, "Plural", "Organization", "Person") || GROUPS.has(word.normal)) return !word.isDate;
  return /^\p{Lu}/u.test(word.text) && hasTag(word, "ProperNoun") && !hasTag(word, "Place") && !word.isDate;
}

const GROUPS = setOf("team company family band couple staff crew board council government firm people");
