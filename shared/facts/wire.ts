import * as z from "zod";
import { FACT_CATEGORIES } from "../memory/extraction/schemas.ts";
import { FACT_ACTS, FACT_STATES } from "./fact.ts";

/** A fact in the words of the API. */
export const Fact = z.object({
  id: z.string(),
  subject: z
    .string()
    .meta({ description: "`user`: the user that the memory is about; else whatever the memory names." }),
  attribute: z.string(),
  value: z.string(),
  status: z.enum(FACT_STATES),
  act: z.enum(FACT_ACTS).meta({ description: "What the statement does: `state` where it tells a value that holds." }),
  observed_at: z.string().meta({ description: "When it was said or happened." }),
  valid_from: z.string(),
  valid_to: z.string().optional().meta({ description: "Exclusive; absent while it holds." }),
  confidence: z.number(),
  category: z.enum(FACT_CATEGORIES).meta({ description: "As of the facts that a memory lists." }),
  content: z.string().meta({ description: "The words of the memory that state it." }),
  memory_id: z.string(),
  span: z
    .object({ start: z.int(), end: z.int() })
    .meta({ description: "Where these words are in the memory's content, in UTF-16 units." }),
  user_id: z.string().optional().meta({ description: "The memory's user." }),
  supersedes: z.string().optional().meta({ description: "The fact before it." }),
  superseded_by: z.string().optional().meta({ description: "The fact that took its place." }),
  decision: z.enum(["retracted", "restored"]).optional().meta({ description: "What somebody decided over the rules." }),
  version: z.int().meta({ description: "Counts decisions about it." }),
});
