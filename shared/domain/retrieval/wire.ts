import * as z from "zod";
import { moment } from "../../runtime/schemas/fields.ts";

/** The time of a search, in epoch milliseconds after parsing; by default the clock's. */
export const searchedAt = moment
  .transform((now) => Date.parse(now))
  .optional()
  .describe("The time at which the question is asked; the default is now.");

/** The time whose valid facts a search requests: `as_of`, in epoch milliseconds after parsing. */
export const asOf = moment
  .transform((at) => Date.parse(at))
  .optional()
  .describe("Answer with what was true at this time.");

export const withoutVector = z
  .literal(true)
  .optional()
  .describe(
    "The query got no vector, because the embedder is being loaded, failed or was late: words alone found the memories.",
  );

/** Returns the field of an answer that only words found. */
export function vectorState({ isByWords }: { isByWords: boolean }): { without_vector?: true } {
  return isByWords ? { without_vector: true } : {};
}

export const supersededBy = z
  .string()
  .optional()
  .describe("The memory that replaces this statement; superseded results rank after it.");
