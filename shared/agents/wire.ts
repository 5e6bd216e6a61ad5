import * as z from "zod";
import { storedObject } from "../http/fields.ts";
import { AGENT_STATES } from "./records.ts";

/** What every whole answer tells of an agent. */
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

/** An agent in the words of the API. */
export const Agent = z.object({ ...agentFields, skills: z.array(z.string()) });
