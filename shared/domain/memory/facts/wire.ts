import * as z from "zod";
import { FACT_CATEGORIES } from "../extraction/schemas.ts";
import { FACT_ACTS, FACT_STATES, STANDING_DECISIONS } from "./fact.ts";

/** A fact as the API returns it. */
export const Fact = z.object({
  id: z.string(),
  subject: z
    .string()
    .meta({ description: "`user`: the user of the memory; otherwise an entity that the memory names." }),
  attribute: z.string(),
  value: z.string(),
  status: z.enum(FACT_STATES),
  act: z.enum(FACT_ACTS).meta({ description: "The act of the statement; `state` asserts a current value." }),
  observed_at: z.string().meta({ description: "When it was said or happened." }),
  valid_from: z.string(),
  valid_to: z.string().optional().meta({ description: "Exclusive; absent while it holds." }),
  confidence: z.number(),
  category: z.enum(FACT_CATEGORIES).meta({ description: "Kind of statement, as in the `facts` of a memory." }),
  content: z.string().meta({ description: "The words of the memory that state it." }),
  memory_id: z.string(),
  span: z
    .object({ start: z.int(), end: z.int() })
    .meta({ description: "The range of these words in the memory's content, in UTF-16 units." }),
  user_id: z.string().optional().meta({ description: "The memory's user." }),
  supersedes: z.string().optional().meta({ description: "The fact before it." }),
  superseded_by: z.string().optional().meta({ description: "The fact that replaced it." }),
  decision: z.enum(STANDING_DECISIONS).optional().meta({ description: "The decision of a user." }),
  version: z.int().meta({ description: "The number of decisions about the fact." }),
});
