import * as z from "zod";
import { FACT_STATES } from "../../shared/facts/fact.ts";
import { CORRECTABLE, DECISIONS, MAX_NAME_LENGTH, MAX_VALUE_LENGTH } from "../../shared/facts/records.ts";
import { Fact } from "../../shared/facts/wire.ts";
import { filledText, label, moment, Pagination, page } from "../../shared/http/fields.ts";

const name = filledText(MAX_NAME_LENGTH);
/** Stays as precise as it is given. */
const date = z.union([z.iso.datetime({ offset: true }), z.iso.date()], "use ISO 8601, such as 2026-01-31");

export const ListFacts = z.object({
  user_id: label.optional(),
  subject: name.optional(),
  attribute: name.optional(),
  status: z.enum(FACT_STATES).optional(),
  as_of: moment.optional().meta({ description: "Answers what held then, as it is known now." }),
  ...page(20, 100),
});

export const FactList = z.object({ facts: z.array(Fact), pagination: Pagination });

/** A fact with what was decided about it, and all facts of its slot in their order. */
export const FactWithHistory = Fact.extend({
  decisions: z.array(
    z.object({
      action: z.enum(DECISIONS),
      by: z.string(),
      at: z.string(),
      before: z.partialRecord(z.enum(CORRECTABLE), z.string()).optional(),
    }),
  ),
  history: z.array(Fact),
});

const correction = {
  subject: name.optional(),
  attribute: name.optional(),
  value: filledText(MAX_VALUE_LENGTH).optional(),
  valid_from: date.nullable().optional(),
  valid_to: date.nullable().optional(),
};

export const CorrectFact = z
  .object(correction)
  .refine(
    (given) => Object.values(given).some((value) => value !== undefined),
    `give ${CORRECTABLE.slice(0, -1).join(", ")} or ${CORRECTABLE.at(-1)}`,
  );
