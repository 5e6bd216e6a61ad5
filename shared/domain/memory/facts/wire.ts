import * as z from "zod";
import { FACT_CATEGORIES } from "../extraction/schemas.ts";
import { FACT_ACTS, FACT_STATES, STANDING_DECISIONS } from "./fact.ts";

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
  span: z
    .object({ start: z.int(), end: z.int() })
    .describe("The range of these words in the memory's content, in UTF-16 units."),
  user_id: z.string().optional().describe("The memory's user."),
  supersedes: z.string().optional().describe("The fact before it."),
  superseded_by: z.string().optional().describe("The fact that replaced it."),
  decision: z.enum(STANDING_DECISIONS).optional().describe("The decision of a user."),
  version: z.int().describe("The number of decisions about the fact."),
});
