import * as z from "zod";
import { CORRECTABLE, DECISIONS } from "../../shared/domain/memory/facts/decisions.ts";
import { MAX_NAME_LENGTH } from "../../shared/domain/memory/facts/records.ts";
import { correctionFields, Fact } from "../../shared/domain/memory/facts/wire.ts";
import { FACT_STATES } from "../../shared/language/slots/fact.ts";
import { filledText, label, moment, Pagination, page } from "../../shared/runtime/schemas/fields.ts";

export { Fact };

const name = filledText(MAX_NAME_LENGTH);

export const ListFacts = z.object({
  user_id: label.optional(),
  subject: name.optional(),
  attribute: name.optional(),
  status: z.enum(FACT_STATES).optional(),
  as_of: moment.optional().describe("Facts that were true at this time, as known now."),
  ...page(20, 100),
});

export const FactList = z.object({ facts: z.array(Fact), pagination: Pagination });

/** A fact with its decisions, and all facts of its slot in order. */
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

export const CorrectFact = z
  .object(correctionFields)
  .refine(
    (given) => Object.values(given).some((value) => value !== undefined),
    `give ${CORRECTABLE.slice(0, -1).join(", ")} or ${CORRECTABLE.at(-1)}`,
  );
