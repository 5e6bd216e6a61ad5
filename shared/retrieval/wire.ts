import { moment } from "../http/fields.ts";

/** The moment that a search is made at, in epoch milliseconds once it is read; the clock's where it is left out. */
export const searchedAt = moment
  .transform((now) => Date.parse(now))
  .optional()
  .meta({ description: "The moment that the question is asked at; the clock's where it is left out." });
