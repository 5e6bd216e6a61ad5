import * as z from "zod";
import { moment } from "../../../runtime/schemas/fields.ts";
import { correctionFields } from "./correction-fields.ts";
import { CARDINALITIES, FACT_ACTS, STANDING_DECISIONS } from "./fact.ts";
import { MAX_NAME_LENGTH, MAX_VALUE_LENGTH } from "./records.ts";

const MAX_DATE_LENGTH = 64;

const name = z.string().max(MAX_NAME_LENGTH);
const value = z.string().max(MAX_VALUE_LENGTH);
const date = z.string().max(MAX_DATE_LENGTH);
const place = z.int().min(0);

/** The standing decisions about a fact, in a row of a file. */
export const CarriedDecisionRow = z
  .object({
    fact: z
      .object({
        subject: name,
        attribute: name,
        cardinality: z.enum(CARDINALITIES),
        value,
        act: z.enum(FACT_ACTS),
        replaces: value.optional(),
        span: z.object({ start: place, end: place }),
        valid_from: date.optional(),
        valid_to: date.optional(),
      })
      .describe("As the content states it. Decisions about other facts are ignored."),
    corrected: z.object(correctionFields).optional().describe("The corrected value."),
    decision: z.enum(STANDING_DECISIONS).optional(),
    at: moment.describe("The time of the last decision."),
  })
  .refine(({ corrected, decision }) => corrected ?? decision, "give `corrected` or `decision`");
