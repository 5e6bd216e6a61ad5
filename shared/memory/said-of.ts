import { readPassage } from "./extraction/passage.ts";
import { hasTag, loadTagger, type Token } from "./extraction/tagging.ts";

/** Longer texts are documents, of which the same content is the same whenever it comes. */
const LONGEST_STATEMENT = 400;
const DAY_LENGTH = "2026-11-22".length;

/**
 * The time that a statement is of, where the same words of another time say something else: the dates that it names, or the
 * day of what happened ("I had a migraine"). Undefined for what holds on ("I live in Paris"). Of languages whose tenses are
 * not read every statement is taken for a happening, so that none is lost.
 */
export async function timeSaidOf(content: string, occurred_at: string): Promise<string | undefined> {
  if (content.length > LONGEST_STATEMENT) return undefined;
  const passage = await readPassage({ content, occurred_at });
  const dates = passage.sentences.flatMap((sentence) => sentence.dates);
  const named = dates.filter(({ kind }) => kind === "point" || kind === "range").map(({ value }) => value);
  if (named.length > 0) return named.join(" ");
  const tag = await loadTagger();
  const holdsOn = passage.sentences.every((sentence) => sentence.isEnglish && !isPast(tag(sentence)));
  return holdsOn ? undefined : new Date(occurred_at).toISOString().slice(0, DAY_LENGTH);
}

/** By its first verb: "had", "went", "was". */
function isPast(tokens: Token[]): boolean {
  return hasTag(
    tokens.find((token) => hasTag(token, "Verb", "Copula")),
    "PastTense",
  );
}
