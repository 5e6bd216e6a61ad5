import * as z from "zod";
import { TIERS } from "../compression/tiers.ts";
import { eventTime, storedObject } from "../http/fields.ts";
import { eventTimeOf } from "../kernel/event-time.ts";
import { DateAnnotation } from "./dates/schema.ts";
import type { Memory as StoredMemory } from "./memory.ts";

export const EntityReference = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  relationship_type: z.string().optional(),
  strength: z.number().optional(),
});

/** How the content was understood, or how far that has come. */
export const Processing = z.object({
  /** queued: the workers will do it; failed: they gave up; skipped: nothing was stored, `duplicate_of` says it already. */
  status: z.enum(["done", "queued", "failed", "skipped"]),
  /** Who read it; absent where nobody was to, or has yet. */
  provider: z.string().optional(),
  model: z.string().optional(),
  /** A model was asked and the built-in rules had to answer. */
  fallback: z.boolean().optional(),
  job_id: z.string().optional(),
  duplicate_of: z.string().optional(),
});

/** A memory in the words of the API. */
export const Memory = z.object({
  id: z.string(),
  content: z.string(),
  /** The content is lost or damaged in the store, and empty here. */
  content_missing: z.literal(true).optional(),
  user_id: z.string().optional(),
  category: z.string().optional(),
  type: z.string().optional(),
  metadata: storedObject,
  expire_at: z.string().optional(),
  ...eventTime,
  created_at: z.string(),
  updated_at: z.string(),
  entities: z.array(EntityReference),
  facts: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      confidence: z.number(),
      category: z.string(),
      dates: z.array(DateAnnotation).optional(),
    }),
  ),
  compression: z.object({
    original_tokens: z.number().int(),
    compressed_tokens: z.number().int(),
    reduction_percentage: z.number(),
  }),
  processing: Processing,
  tier: z.enum(TIERS),
  version: z.number().int(),
  repeats: z.int().optional().meta({ description: "How often it was said again, and not stored again." }),
  repeated_at: z.string().optional(),
});

/** A memory with what answers say of it besides. */
export function presentMemory<Shown extends Pick<StoredMemory, "occurred_at" | "created_at">>(
  memory: Shown,
  now: number,
) {
  return { ...memory, ...eventTimeOf(memory, now) };
}
