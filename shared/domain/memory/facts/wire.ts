import * as z from "zod";
import { CARDINALITIES, FACT_ACTS, FACT_STATES, NO_SLOT, STANDING_DECISIONS } from "../../../language/slots/fact.ts";
import { FACT_CATEGORIES } from "../../../language/statements/schemas.ts";
import { filledText, moment } from "../../../runtime/schemas/fields.ts";
import { Provenance } from "../../../runtime/schemas/provenance.ts";
import { MAX_NAME_LENGTH, MAX_VALUE_LENGTH } from "./records.ts";

/** A fact as the API returns it. */
export const Fact = z.object({
  id: z.string(),
  subject: z.string().describe("`user`: the user of the memory; otherwise an entity that the memory names."),
  attribute: z.string(),
  value: z.string(),
  status: z.enum(FACT_STATES),
  act: z.enum(FACT_ACTS).describe("The act of the statement; `state` asserts a current value."),
  observed_at: z.string().describe("When it was said or happened."),
  valid_from: z.string(),
  valid_to: z.string().optional().describe("Exclusive; absent while it holds."),
  confidence: z.number(),
  category: z.enum(FACT_CATEGORIES).describe("Kind of statement, as in the `facts` of a memory."),
  content: z.string().describe("The words of the memory that state it."),
  memory_id: z.string(),
  provenance: Provenance.describe(
    "Who wrote the words, by which door; `derived_from` is the memory. Nothing changes it.",
  ),
  span: z
    .object({ start: z.int(), end: z.int() })
    .describe("The range of these words in the memory's content, in UTF-16 units."),
  user_id: z.string().optional().describe("The memory's user."),
  supersedes: z.string().optional().describe("The fact before it."),
  superseded_by: z.string().optional().describe("The fact that replaced it."),
  decision: z.enum(STANDING_DECISIONS).optional().describe("The decision of a user."),
  version: z.int().describe("The number of decisions about the fact."),
});

const name = filledText(MAX_NAME_LENGTH);
/** Keeps the precision of the input. */
const date = z.union([z.iso.datetime({ offset: true }), z.iso.date()], "use ISO 8601, such as 2026-01-31");

/** The fields that a correction may contain. */
export const correctionFields = {
  subject: name.optional(),
  attribute: name.optional(),
  value: filledText(MAX_VALUE_LENGTH).optional(),
  valid_from: date.nullable().optional(),
  valid_to: date.nullable().optional(),
};

const MAX_DATE_LENGTH = 64;

const rowName = z.string().max(MAX_NAME_LENGTH);
const rowValue = z.string().max(MAX_VALUE_LENGTH);
const rowDate = z.string().max(MAX_DATE_LENGTH);

/** The standing decisions about a fact, in a row of a file. */
export const CarriedDecisionRow = z
  .object({
    fact: z
      .object({
        subject: rowName,
        attribute: rowName,
        cardinality: z.enum([...CARDINALITIES, NO_SLOT]),
        value: rowValue,
        act: z.enum(FACT_ACTS),
        replaces: rowValue.optional(),
        span: z.object({ start: z.int().min(0), end: z.int().min(0) }),
        valid_from: rowDate.optional(),
        valid_to: rowDate.optional(),
      })
      .describe("As the content states it. Decisions about other facts are ignored."),
    corrected: z.object(correctionFields).optional().describe("The corrected value."),
    decision: z.enum(STANDING_DECISIONS).optional(),
    at: moment.describe("The time of the last decision."),
  })
  .refine(({ corrected, decision }) => corrected ?? decision, "give `corrected` or `decision`");
