import { findAgent } from "../agents/records.ts";
import { writeWithFacts } from "../facts/records.ts";
import { occurredAt } from "../http/fields.ts";
import { countActivity } from "../identity/activity.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { insertJob } from "../jobs/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Context } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { JsonObject, Write } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { claimantIn, claimContent } from "./claims.ts";
import { contentKey, storeContent } from "./content.ts";
import { confirmSame, findKnown } from "./duplicates.ts";
import { type MemoryJob, newMemoryJob } from "./jobs.ts";
import type { Labels, Memory } from "./memory.ts";
import { findMemory, insertMemory, memoryKey } from "./records.ts";
import { timeSaidOf } from "./said-of.ts";
import { leaveForLater, readSteering, type UnderstandOptions, understand } from "./understand.ts";

export interface CreateOptions extends UnderstandOptions {
  /** Stores nothing where a memory of the same user says the same already. */
  skip_duplicates?: boolean;
}

/** What is known of a memory before it is stored. */
export interface MemoryDraft {
  /** Where the same draft may come again: it is stored once under that id, and what is there already is answered. */
  id?: string;
  content: string;
  user_id?: string;
  category?: string;
  /** `category` is the first of them. */
  categories?: string[];
  type?: string;
  labels?: Labels;
  metadata?: JsonObject;
  /** ISO with its offset; when it happened or was said, if not now. */
  occurred_at?: string;
  /** ISO, in the future. */
  expire_at?: string;
  options?: CreateOptions;
}

/** A draft with the time that its claim is of. */
type ClaimingDraft = MemoryDraft & Pick<Memory, "said_of">;

export interface CreationTerms {
  /** Understands it before it answers, whatever the settings say of the workers. */
  now?: boolean;
  /** What is written with the memory, or nothing. */
  along?: (memory: Memory) => Write[];
}

const DAY_MS = 86_400_000;
/** How often a unique content is tried to be stored that others claim and let go of in turn. */
const MAX_ATTEMPTS = 8;

/**
 * Understands a text, or leaves that to the workers where the settings say so and the caller does not need it `now`, and
 * stores it as version 1, with its entity edges, in one transaction. Where duplicates are to be skipped and there is one,
 * that one is answered, its `processing` saying so. Throws CONFLICT where others keep storing and deleting the content.
 */
export async function createMemory(
  ctx: Context,
  given: MemoryDraft,
  { now = false, along = () => [] }: CreationTerms = {},
): Promise<Memory> {
  const timed = withEventTime(given);
  const draft = ctx.viewer === undefined ? timed : await asAgentStores(ctx, ctx.viewer, timed);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const memory = await tryToCreate(ctx, draft, { now, along });
    if (memory) return memory;
  }
  throw new ServiceError("CONFLICT", "Others keep storing and deleting this content. Try again.");
}

/** A draft that says only in its metadata when it happened, under the same name, happened then. */
function withEventTime(draft: MemoryDraft): MemoryDraft {
  const occurred_at = draft.occurred_at ?? occurredAt.safeParse(draft.metadata?.occurred_at).data;
  return { ...draft, ...(occurred_at !== undefined && { occurred_at }) };
}

/** What a draft leaves open is as the agent's memory settings say. */
async function asAgentStores({ ports, org, clock }: Context, agent: string, draft: MemoryDraft): Promise<MemoryDraft> {
  const { memory_settings } = (await findAgent(ports.records, org, agent)) ?? {};
  const { retention_days, compression_enabled = true } = memory_settings ?? {};
  const end = retention_days === undefined ? undefined : timestamp(clock() + retention_days * DAY_MS);
  return {
    ...draft,
    expire_at: draft.expire_at ?? end,
    options: { compress: compression_enabled, ...draft.options },
  };
}

/** Undefined when a claim to the content was in the way whose memory is gone again. */
async function tryToCreate(
  ctx: Context,
  draft: MemoryDraft,
  { now, along }: Required<CreationTerms>,
): Promise<Memory | undefined> {
  const isUnique = draft.options?.skip_duplicates === true;
  const occurred_at = draft.occurred_at ?? timestamp(ctx.clock());
  const said_of = isUnique ? await timeSaidOf(draft.content, occurred_at) : undefined;
  const { duplicate, former } = isUnique ? await findKnown(ctx, { ...draft, occurred_at, said_of }) : {};
  // A draft that comes again under its id finds what it stored: nobody said it twice.
  if (duplicate) return skipped(duplicate.id === draft.id ? duplicate : await noteRepeat(ctx, duplicate, draft.id));
  const { config } = await readSteering(ctx);
  const { memory, job } = await prepare(ctx, { ...draft, said_of }, config.performance.async_processing && !now);
  const claim = isUnique ? [claimContent(memory, ctx.clock(), former)] : [];
  const content = await storeContent(ctx, contentKey(memory, memory.content), memory.content);
  const besides = [...(job ? [insertJob(job)] : []), ...along(memory)];
  try {
    await writeWithFacts(ctx.ports.records, ...claim, ...insertMemory(memory, content), ...besides);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const stored = draft.id === undefined ? undefined : await findMemory(ctx, draft.id);
    if (stored) return stored;
    if (!isUnique) throw error;
    if ("content_blob" in content) await ctx.ports.blobs.delete(content.content_blob);
    return meetClaimant(ctx, error);
  }
  if (job) await enqueueJob(ctx, job);
  countActivity(ctx, "memories_created");
  return memory;
}

/** Someone stored the same content in the meantime. */
async function meetClaimant(ctx: Context, { existing }: ConditionFailed): Promise<Memory | undefined> {
  const claimant = claimantIn(existing);
  const memory = claimant === undefined ? undefined : await findMemory(ctx, claimant);
  return memory && skipped(memory);
}

/**
 * Notes that a memory was said again, where a model takes a draft for the same and the rules confirm it; answers that memory.
 */
export async function strengthen(ctx: Context, draft: MemoryDraft, id: string): Promise<Memory | undefined> {
  const { user_id, content, occurred_at = timestamp(ctx.clock()) } = draft;
  const same = await confirmSame(ctx, { user_id, content, said_of: undefined, occurred_at }, id);
  return same && noteRepeat(ctx, same, draft.id);
}

/** What is said again is known better: how often, and when last. A draft that comes again counts once. */
async function noteRepeat(
  { ports, org, clock }: Context,
  memory: Memory,
  draft_id: string | undefined,
): Promise<Memory> {
  const repeated_at = timestamp(clock());
  const said = { repeated_at, ...(draft_id !== undefined && { repeated_by: draft_id }) };
  const update: Write = {
    update: memoryKey(org, memory.id),
    set: said,
    add: { repeats: 1, revision: 1 },
    condition: draft_id === undefined ? "present" : { kind: "memory", repeated_by: { not: draft_id } },
  };
  const isNoted = await writeUnlessChanged({ ports }, update);
  return isNoted ? { ...memory, repeats: (memory.repeats ?? 0) + 1, repeated_at } : memory;
}

function skipped(memory: Memory): Memory {
  return { ...memory, processing: { ...memory.processing, status: "skipped", duplicate_of: memory.id } };
}

async function prepare(
  ctx: Context,
  { id = ctx.ids("memory"), options = {}, metadata = {}, ...fields }: ClaimingDraft,
  isForLater: boolean,
): Promise<{ memory: Memory; job: MemoryJob | undefined }> {
  const now = timestamp(ctx.clock());
  const { skip_duplicates, ...steps } = options;
  const job = isForLater ? newMemoryJob(ctx, ctx.principal.id, { memory_id: id, options: steps }) : undefined;
  const agent_id = ctx.viewer;
  const created_by = ctx.principal.id;
  const text = { ...fields, agent_id, metadata, created_by, stored_at: now };
  const understood = job ? await leaveForLater(text.content, job.id) : await understand(ctx, text, steps);
  const known = { ...fields, ...understood, id, org: ctx.org, metadata, created_by, agent_id };
  const claimant = skip_duplicates ? { is_claimant: true as const } : {};
  const memory: Memory = { ...firstVersion(known, now), ...claimant };
  return { memory, job };
}

/** What a memory has of its own, before anything happened to it. */
type Conceived = Omit<
  Memory,
  "created_at" | "updated_at" | "tier" | "version" | "revision" | "feedback_count" | "feedback_sum"
>;

/** A memory as it is first stored. */
export function firstVersion(conceived: Conceived, now: string): Memory {
  return {
    ...conceived,
    created_at: now,
    updated_at: now,
    tier: "working",
    version: 1,
    revision: 1,
    feedback_count: 0,
    feedback_sum: 0,
  };
}
