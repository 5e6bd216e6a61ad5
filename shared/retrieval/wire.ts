import * as z from "zod";
import { moment } from "../http/fields.ts";

/** The moment that a search is made at, in epoch milliseconds once it is read; the clock's where it is left out. */
export const searchedAt = moment
  .transform((now) => Date.parse(now))
  .optional()
  .meta({ description: "The moment that the question is asked at; the clock's where it is left out." });

/** What a search is asked of truth over time; `as_of` is in epoch milliseconds once it is read. */
export const asOf = moment
  .transform((at) => Date.parse(at))
  .optional()
  .meta({ description: "Answer what held at this moment." });

export const supersededBy = z.string().optional().meta({
  description: "The memory that says what holds instead; what is superseded comes after it.",
});
