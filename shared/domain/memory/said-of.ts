import { readPassage } from "./extraction/passage.ts";
import { hasTag, loadTagger, type Token } from "./extraction/tagging.ts";

/** Longer texts are documents: the same content at another time is still the same. */
const MAX_STATEMENT_LENGTH = 400;
const DAY_LENGTH = "2026-11-22".length;

/**
 * Returns the time of a statement if the same words at another time mean something else: the dates that it names, or
 * the day of an event ("I had a migraine"). Undefined for a lasting state ("I live in Paris") and for a document.
 * Statements in languages whose tenses are not analysed count as events, so that none is lost.
 */
export async function timeSaidOf(content: string, occurred_at: string): Promise<string | undefined> {
  if (content.length > MAX_STATEMENT_LENGTH) return undefined;
  const passage = await readPassage({ content, occurred_at });
  const dates = passage.sentences.flatMap((sentence) => sentence.dates);
  const named = dates.filter(({ kind }) => kind === "point" || kind === "range").map(({ value }) => value);
  if (named.length > 0) return named.join(" ");
  const tag = await loadTagger();
  const holdsOn = passage.sentences.every((sentence) => sentence.isEnglish && !isPast(tag(sentence)));
  return holdsOn ? undefined : new Date(occurred_at).toISOString().slice(0, DAY_LENGTH);
}

/** Whether the first verb is in the past tense: "had", "went", "was". */
function isPast(tokens: Token[]): boolean {
  return hasTag(
    tokens.find((token) => hasTag(token, "Verb", "Copula")),
    "PastTense",
  );
}
