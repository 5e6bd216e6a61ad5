import { compareTexts } from "../../kernel/strings.ts";
import { findMemoryRecords, type RecordReader } from "../memory/records.ts";
import { daysOf, MIN_DAYS } from "./pattern.ts";
import { findStoredPattern, type Pattern, storedPatterns } from "./records.ts";

export const PATTERN_STATES = ["active", "declined"] as const;
export type PatternState = (typeof PATTERN_STATES)[number];

/** Returns a user's patterns in a state, as far as the reader may see their memories; the strongest come first. */
export async function listPatterns(ctx: RecordReader, user: string, state: PatternState): Promise<Pattern[]> {
  const stored = (await storedPatterns(ctx, user)).filter(
    (pattern) => stateOf(pattern) === state && pattern.label !== "",
  );
  const seen = await seenBy(ctx, stored);
  return seen.sort((one, other) => daysOf(other) - daysOf(one) || compareTexts(one.id, other.id));
}

/** Returns a pattern; undefined if there is none, or if the reader may not see enough of its memories. */
export async function findPattern(ctx: RecordReader, id: string): Promise<Pattern | undefined> {
  const stored = await findStoredPattern(ctx, id);
  return stored && (await seenBy(ctx, [stored]))[0];
}

export function stateOf({ declined_at }: Pick<Pattern, "declined_at">): PatternState {
  return declined_at === undefined ? "active" : "declined";
}

/**
 * Returns patterns as they follow from the memories that exist now and that the reader may see: others are not counted.
 * An agent's count has no memories beyond the listed ones. Patterns of too few days are left out, and observations of
 * which a memory is missing: their sentence may tell what it says. One round trip.
 */
export async function seenBy(ctx: RecordReader, patterns: Pattern[]): Promise<Pattern[]> {
  const ids = [...new Set(patterns.flatMap(({ evidence }) => evidence.map(({ memory_id }) => memory_id)))];
  const found = ids.length === 0 ? [] : await findMemoryRecords(ctx, ids);
  const readable = new Set(found.map(({ id }) => String(id)));
  return patterns
    .map((pattern) => ({
      ...pattern,
      evidence: pattern.evidence.filter(({ memory_id }) => readable.has(memory_id)),
      earlier: ctx.viewer === undefined ? pattern.earlier : 0,
    }))
    .filter((pattern, index) =>
      pattern.type === "observation"
        ? pattern.evidence.length === patterns[index]?.evidence.length
        : daysOf(pattern) >= MIN_DAYS,
    );
}
