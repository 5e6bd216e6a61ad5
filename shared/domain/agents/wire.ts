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

/** A group in the API's form. */
export const Group = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  /** `load_balancing` is one of LOAD_BALANCING; another name from an earlier release counts as `priority`. */
  config: z.object({ load_balancing: z.string(), fallback_enabled: z.boolean(), timeout_ms: z.int() }).partial(),
  skills: z.array(z.string()),
  member_count: z.int(),
  metadata: storedObject,
  department: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
});
