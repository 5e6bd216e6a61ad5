import { setOf } from "../../kernel/strings.ts";
import type { Word } from "./words.ts";

/** Openings of a correction. */
const CORRECTION_OPENINGS = ["correction", "i meant", "i mean", "i misspoke", "my mistake", "scratch that"];
/** Openings that only introduce a statement. */
const INTRODUCTIONS = [
  "it turns out",
  "turns out",
  "the thing is",
  "thing is",
  "the point is",
  "good news",
  "bad news",
  "by the way",
  "just so you know",
  "in particular",
  "in fact",
  "in general",
  "in short",
  "of course",
  "remember",
  "please remember",
  "can you remember",
  "could you remember",
  "can you please remember",
  "could you please remember",
  "keep in mind",
  "please note",
  "for the record",
  "remind me",
  "don't forget",
];
const OPENINGS = [...CORRECTION_OPENINGS, ...INTRODUCTIONS].map((opening) => ({
  words: opening.split(" "),
  isCorrection: CORRECTION_OPENINGS.includes(opening),
}));
/** An opening begins within this many words of the sentence, after a comma or words such as these. */
const OPENING_WORDS = 4;
const BEFORE_OPENINGS = setOf("and but or so oh ah well no yes yeah ok okay sorry wait hey also anyway");

/**
 * Returns the words after an opening. "Sorry, I meant the flight is at 10" is a correction; an opening such as "turns
 * out" only introduces the statement.
 */
export function withoutOpening(words: Word[]): { statement: Word[]; isCorrection: boolean } {
  for (let index = 0; index < Math.min(OPENING_WORDS, words.length); index++) {
    const before = words[index - 1];
    if (before !== undefined && !/[,;:.!?–—-]/.test(before.after) && !BEFORE_OPENINGS.has(before.normal)) continue;
    const opening = OPENINGS.find((each) => each.words.every((word, at) => words[index + at]?.normal === word));
    const rest = words.slice(index + (opening?.words.length ?? 0));
    if (opening === undefined || rest.length === 0) continue;
    const { isCorrection } = opening;
    return { statement: rest[0]?.normal === "that" ? rest.slice(1) : rest, isCorrection };
  }
  return { statement: words, isCorrection: false };
}

const COMMENTS = setOf("afraid told sure");
/** After a comment at the start, these make it a statement: "I'm afraid of dogs". */
const ABOUT = setOf("of about to by at with for");

/** Removes a comment of the speaker's: "The Gower's off, I'm afraid." */
export function withoutComment(words: Word[]): Word[] {
  const start = words.findIndex(
    ({ normal }, index) =>
      normal === "i" && words[index + 1]?.normal === "am" && COMMENTS.has(words[index + 2]?.normal ?? ""),
  );
  const end = start + COMMENT_WORDS;
  if (start === -1 || words.length === COMMENT_WORDS || ABOUT.has(words[end]?.normal ?? "")) return words;
  const isAside = start === 0 || words[start - 1]?.after.includes(",") === true;
  return isAside ? [...words.slice(0, start), ...words.slice(end)] : words;
}

const COMMENT_WORDS = 3;
