import * as z from "zod";
import { storedObject } from "../../runtime/schemas/fields.ts";
import { AGENT_STATES } from "./records.ts";

/** Agent fields of every complete response; retention is in days, forever if absent. */
export const agentFields = {
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  model: z.string(),
  config: z.object({ temperature: z.number(), max_tokens: z.int(), system_prompt: z.string() }).partial(),
  memory_settings: z.object({
    enabled: z.boolean(),
    retention_days: z.int().optional(),
    compression_enabled: z.boolean(),
  }),
  metadata: storedObject,
  department: z.string().optional(),
  status: z.enum(AGENT_STATES),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
};

/** An agent in the API's form. */
export const Agent = z.object({ ...agentFields, skills: z.array(z.string()) });
