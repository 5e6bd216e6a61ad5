import * as z from "zod";
import { eventTimeOf, type Timed } from "../../kernel/event-time.ts";
import { DateAnnotation } from "../../language/dates/schema.ts";
import { OMISSIONS } from "../../language/statements/schemas.ts";
import { eventTime, storedObject } from "../../runtime/schemas/fields.ts";
import { Provenance } from "../../runtime/schemas/provenance.ts";
import { TIERS } from "../compression/tiers.ts";

export const EntityReference = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  relationship_type: z.string().optional(),
  strength: z.number().optional(),
});

/** The processing of the content, or its progress. */
export const Processing = z.object({
  /** failed: the workers gave up; skipped: nothing was stored, because the memory `duplicate_of` states the same. */
  status: z.enum(["done", "queued", "failed", "skipped"]),
  /** The provider of the model that read the content; absent before. */
  provider: z.string().optional(),
  model: z.string().optional(),
  /** A model was asked and the built-in rules answered at least once. */
  fallback: z.boolean().optional(),
  /** The job of the workers. */
  job_id: z.string().optional(),
  duplicate_of: z.string().optional(),
});

export const MemoryFact = z.object({
  id: z.string(),
  content: z.string(),
  confidence: z.number(),
  category: z.string(),
  dates: z.array(DateAnnotation).optional(),
  fact_ids: z.array(z.string()).optional().describe("The facts that were read from it: see `/facts`."),
});

/** Sentences that were not stored, in responses. */
export const LeftOutList = z
  .array(z.object({ text: z.string(), reason: z.enum(OMISSIONS) }))
  .describe("Sentences, parts of messages and fields that were not stored, with the reason; the first 100.");

/** A memory in the API's form. */
export const Memory = z.object({
  id: z.string(),
  content: z.string(),
  /** The content is lost or damaged in the store; `content` is empty. */
  content_missing: z.literal(true).optional(),
  user_id: z.string().optional(),
  category: z.string().optional(),
  type: z.string().optional(),
  speaker: z.string().optional().describe("Who said it in a conversation, if not the user."),
  in_reply_to: z.string().optional().describe("The question that it answers in a few words, as asked."),
  quote: z
    .string()
    .optional()
    .describe("The words of the message that it rests on, as sent, if a language model wrote the content."),
  metadata: storedObject,
  expire_at: z.string().optional(),
  ...eventTime,
  created_at: z.string(),
  updated_at: z.string(),
  entities: z.array(EntityReference),
  entities_left_out: z
    .int()
    .optional()
    .describe("How many new entities it was stored without, because the organization has as many as its plan allows."),
  facts: z.array(MemoryFact),
  compression: z.object({
    original_tokens: z.number().int(),
    compressed_tokens: z.number().int(),
    reduction_percentage: z.number(),
  }),
  processing: Processing,
  /** `working` after each change; the sweep moves it from there. */
  tier: z.enum(TIERS),
  version: z.number().int(),
  left_out: LeftOutList.optional(),
  provenance: Provenance.optional(),
  repeats: z.int().optional().describe("How often the same statement was repeated without being stored again."),
  repeated_at: z.string().optional(),
});

/** Returns a memory with its event time for responses. */
export function presentMemory<Shown extends Timed>(memory: Shown, now: number) {
  return { ...memory, ...eventTimeOf(memory, now) };
}

export const Feedback = z.object({
  id: z.string(),
  memory_id: z.string(),
  /** 1 (useless) to 5 (very useful). */
  rating: z.number().int(),
  comment: z.string().optional(),
  category: z.string().optional(),
  created_at: z.string(),
});
