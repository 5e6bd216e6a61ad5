/** How a verb acts on its slot: the value holds while it is done, begins with it, or ends with it. */
type Effect = "state" | "start" | "end";

export interface ForeignVerb {
  /** Forms of the first person, as they are written; of the third person in `others`. */
  forms: string;
  others?: string;
  /** Forms that tell of a time that is over. */
  past?: string;
  slot: string;
  /** Prepositions with their articles that the value follows; without any, the value is the verb's object. */
  via?: string;
  /** A word that stands between the verb and the preposition: "allergisch" of "bin allergisch gegen". */
  with?: string;
  effect?: Effect;
  /** The value is a name, one word, or a number before this unit. */
  value?: "name" | "word" | { unit: string };
  /** The slot of the negated verb: who does not like something dislikes it. */
  negated?: string;
}

/** What the reader must know of a language; words of a list stand apart by spaces, in lower case. */
export interface ForeignGrammar {
  /** Pronouns of the first person; empty where the verb's form is enough. */
  first: string;
  /** Other pronouns, which are neither names nor values. */
  pronouns: string;
  my: string;
  /** "new", before a noun. */
  fresh: string;
  articles: string;
  indefinite: string;
  and: string;
  not: string;
  /** Words that, each behind the one before, say that something is over. */
  over: readonly (readonly [string, string])[];
  /** A clause with one of them says what is wished, asked or assumed. */
  unreal: string;
  /** Adverbs that may stand within a clause and belong to no value. */
  adverbs: string;
  since: string;
  until: string;
  /** "is" and "is called", of the present; the second where it is another word. */
  is: string;
  isCalled: string;
  /** The form of "is" of several things, and how their noun then ends. */
  areMany: string;
  pluralEnding: RegExp;
  /** How a recurring time begins: "donnerstags", "a las 8". */
  schedule: RegExp;
  have: string;
  please: string;
  lasting: string;
  /** Parts of names in lower case: "Frankfurt am Main". */
  joins: string;
  /** People and animals, with the slot of whoever has them. */
  kin: Readonly<Record<string, string>>;
  verbs: readonly ForeignVerb[];
}
