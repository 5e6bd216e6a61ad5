/** How a verb affects its slot: the value holds during the action, begins with it, or ends with it. */
export type Effect = "state" | "start" | "end";

export interface GrammarVerb {
  /** First-person, third-person and past forms, as they are written, separated by slashes. */
  forms: string;
  slot: string;
  /** Prepositions, also contracted with articles, that precede the value; if absent, the value is the verb's object. */
  via?: string;
  /** A word between the verb and the preposition: "allergisch" in "bin allergisch gegen". */
  with?: string;
  effect?: Effect;
  /** The value is a name, one word, or a number before this unit. */
  value?: "name" | "word" | { unit: string };
  /** The slot of the negated verb: someone who does not like something dislikes it. */
  negated?: string;
}

/** The grammar of a language, as far as the reader needs it. Word lists are separated by spaces, in lower case. */
export interface Grammar {
  /** First-person pronouns; empty if the verb form is enough. */
  firstPerson: string;
  /** Other pronouns, which are neither names nor values. */
  pronouns: string;
  my: string;
  /** "new" before a noun. */
  newAdjectives: string;
  articles: string;
  indefinite: string;
  and: string;
  not: string;
  /** Pairs of words that say, in this order, that something is over. */
  noLonger: readonly string[];
  /** Words that mark a clause as a wish, a question or an assumption. */
  hypothetical: string;
  /** Adverbs that may occur within a clause and belong to no value. */
  adverbs: string;
  since: string;
  until: string;
  /** Present-tense forms of "is"; `isCalled` has those of "is called". */
  is: string;
  isCalled: string;
  /** The plural form of "is", and the plural ending of the noun before it. */
  pluralIs: string;
  pluralEnding: RegExp;
  /** The start of a recurring time: "donnerstags", "a las 8". */
  schedule: RegExp;
  have: string;
  please: string;
  lasting: string;
  /** Lower-case parts of names: "Frankfurt am Main". */
  joins: string;
  /** Third-person pronouns of one person. */
  third: string;
  /** Words for relatives that are used like names: "Mama". */
  relatives: string;
  /** Nouns that a number identifies: "Zimmer 12". */
  numbered: string;
  /** Says that somebody moves house; the address may follow in another clause or sentence. */
  moves: RegExp;
  /** Forms for a move that is over, separated by `|`. */
  pastMoves: string;
  /** An address, or a place after a preposition, at the start of a clause. */
  address: RegExp;
  /** Nouns for people and animals, by the slot that they fill for the person who has them. */
  kin: Readonly<Record<string, string>>;
  verbs: readonly GrammarVerb[];
  /** Nouns that announce a new value of a slot, by that slot: "Umzug". */
  nouns: Readonly<Record<string, string>>;
}
