import { timestamp } from "../kernel/clock.ts";
import type { Context } from "../platform/context.ts";
import type { JsonObject } from "../platform/ports.ts";
import { contentKey, storeContent } from "./content.ts";
import type { Memory } from "./memory.ts";
import { insertMemory } from "./records.ts";
import { type UnderstandOptions, understand } from "./understand.ts";

/** What is known of a memory before it is stored. */
export interface MemoryDraft {
  content: string;
  user_id?: string;
  category?: string;
  type?: string;
  metadata?: JsonObject;
  /** ISO, in the future. */
  expire_at?: string;
  options?: UnderstandOptions;
}

/** Understands a text and stores it as version 1, with its entity edges, in one transaction. */
export async function createMemory(ctx: Context, draft: MemoryDraft): Promise<Memory> {
  const id = ctx.ids("memory");
  const now = timestamp(ctx.clock());
  const { options, metadata = {}, ...fields } = draft;
  const understood = await understand(ctx, { ...fields, metadata, occurred_at: now }, options);
  const memory: Memory = {
    ...fields,
    ...understood,
    id,
    org: ctx.org,
    metadata,
    created_at: now,
    updated_at: now,
    created_by: ctx.principal.id,
    tier: "working",
    version: 1,
    revision: 1,
    feedback_count: 0,
    feedback_sum: 0,
  };
  const stored = await storeContent(ctx, contentKey(memory), memory.content);
  await ctx.ports.records.write(...insertMemory(memory, stored));
  return memory;
}
