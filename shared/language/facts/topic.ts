import { setOf } from "../../kernel/strings.ts";
import type { Language } from "../languages/detect.ts";
import type { Draft } from "./draft.ts";

export type Gender = "male" | "female";

/** The person and the thing that a text mentioned last; pronouns refer to them. */
export interface Topic {
  person?: string | undefined;
  /** Gender of this person, as far as name, title or relation says. */
  gender?: Gender | undefined;
  /** Their gender is unknown, and the text mentions others: "she" may be any of them. */
  isOneOfMany?: boolean;
  /** The last man and the last woman whom the text mentioned. */
  male?: string;
  female?: string;
  /** The person whom the sentence before is about, who may be the subject that the next one leaves out. */
  previousPerson?: string | undefined;
  /** One person whom "they" means, because the text mentions nobody else: "The user lives here and they like it". */
  they?: Subject | undefined;
  thing?: string | undefined;
  /** The property that the sentence has changed so far: "rotated the password, it's …". */
  property?: Subject | undefined;
  /** The last thing that was said to take place at a time. */
  event?: string | undefined;
  /** The last value that was stated of a slot with one value at a time. */
  stated?: Draft | undefined;
  /** The language of the last sentence in another language than English. */
  language?: Language | undefined;
  /** A person who is moving to a destination that is not stated yet. */
  mover?: string | undefined;
}

export interface Speaker {
  /** USER, "assistant" or a name. */
  name: string;
  /** Names that others use for the user, in lower case: the full name and its first part. */
  userNames?: ReadonlySet<string>;
  topic: Topic;
}

/** The subject of a clause: a person, a thing, or a property of one. */
export interface Subject {
  name: string;
  /** "port_of route-planner", "favourite_colour". */
  property?: string;
  /** The relation of a person to the speaker: "sister". */
  kin?: string;
  /** Only the relation is stated, not the name: "my sister". */
  isUnnamed?: boolean;
  isPerson: boolean;
  /** For a thing: the name of its owner. */
  owner?: string;
  /** A thing of the speaker: "my gym". */
  isOwned?: boolean;
  /** The tagger knows the name, so "he" and "she" may refer to it. */
  isKnown?: boolean;
  gender?: Gender | undefined;
  /** A person by their role: "the landlord". */
  isActor?: boolean;
  /** Several things, which "it" does not mean. */
  isPlural?: boolean;
}

export const FIRST_PERSON = setOf("i we me us myself ourselves");
export const FIRST_PERSON_POSSESSIVES = setOf("my our mine ours");
export const POSSESSIVE = /['’]s?$/;
