import * as z from "zod";
import { metadata, text } from "../http/fields.ts";
import { AGENT_STATES } from "./records.ts";

const MAX_SYSTEM_PROMPT_LENGTH = 32_000;
const MAX_TOKENS = 1_000_000;
const MAX_RETENTION_DAYS = 36_500;

export const agentConfig = z
  .object({
    temperature: z.number().min(0).max(2),
    max_tokens: z.int().min(1).max(MAX_TOKENS),
    system_prompt: text(MAX_SYSTEM_PROMPT_LENGTH),
  })
  .partial();

/** `retention_days`: how long memories live that the agent stores without an end of their own. */
export const memorySettings = z.object({
  enabled: z.boolean(),
  retention_days: z.int().min(1).max(MAX_RETENTION_DAYS).optional(),
  compression_enabled: z.boolean(),
});

/** What every whole answer tells of an agent. */
export const agentFields = {
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  model: z.string(),
  config: agentConfig,
  memory_settings: memorySettings,
  metadata,
  department: z.string().optional(),
  status: z.enum(AGENT_STATES),
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
};

/** An agent in the words of the API. */
export const Agent = z.object({ ...agentFields, skills: z.array(z.string()) });
