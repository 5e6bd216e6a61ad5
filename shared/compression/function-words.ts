/**
 * English words a reader can restore or do without, by what dropping one costs next to a content word (1 to 8.6).
 * Words that change what a sentence claims (not, never, can, might, before, because, all, only) are on no list.
 */
const GRADES: { salience: number; words: string }[] = [
  {
    salience: 0.05,
    words: `a an the am is are was were be been being have has had having do does did doing will shall it its that there here
      so very really just quite too also then well oh hey hi hello wow ok okay hmm um uh haha lol gosh ah aww huh
      actually basically literally honestly definitely totally im ive id youre youve theyre weve hes shes thats theres`,
  },
  {
    salience: 0.3,
    words:
      "of at by for with about into to in on from as and or this these those such like up out off over around through",
  },
  {
    salience: 0.5,
    words: `i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
      they them their theirs themselves who whom whose what which when where how why`,
  },
];

/** Salience of each word that may be dropped on its own; keys are in the form of `words` (lower case, no apostrophe). */
export const FUNCTION_WORDS: ReadonlyMap<string, number> = new Map(
  GRADES.flatMap(({ salience, words }) => words.split(/\s+/).map((word): [string, number] => [word, salience])),
);
