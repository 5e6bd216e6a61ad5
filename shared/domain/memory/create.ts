import { timestamp } from "../../kernel/clock.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { FactDraft } from "../../language/slots/fact.ts";
import { retryOnConflict, tryWrite } from "../../ports/conflicts.ts";
import { ConditionFailedError } from "../../ports/errors.ts";
import type { Write } from "../../ports/record-store.ts";
import type { Context } from "../../runtime/context.ts";
import { enqueueJob } from "../../runtime/jobs/queue.ts";
import { insertJob } from "../../runtime/jobs/records.ts";
import { occurredAt } from "../../runtime/schemas/fields.ts";
import { countActivity } from "../identity/activity.ts";
import { admit, auditDetection } from "./admit-text.ts";
import { claimantIn, claimContent } from "./claims.ts";
import { contentKey, storeContent } from "./content.ts";
import { confirmSame, findKnown, timeSaidOf } from "./duplicates.ts";
import { BY_LANGUAGE_MODEL, NOT_TO_READ, withFactIds, writeWithFacts } from "./facts/records.ts";
import { type MemoryJob, newMemoryJob } from "./jobs.ts";
import type { Memory, Origin } from "./memory.ts";
import { memoryKey } from "./memory-keys.ts";
import { findMemory, insertMemory } from "./records.ts";
import {
  type DatedReading,
  leaveForLater,
  loadProcessingSettings,
  type UnderstandOptions,
  understand,
  understandRead,
} from "./understand.ts";
import { isByUser } from "./writer.ts";

export interface CreateOptions extends UnderstandOptions {
  /** Stores nothing if a memory of the same user has the same statement. */
  skip_duplicates?: boolean;
}

export interface MemoryDraft
  extends Partial<Pick<Memory, "metadata">>,
    Pick<Memory, "content" | "user_id" | "category" | "categories" | "type" | "labels" | "occurred_at" | "expire_at">,
    Pick<Memory, "speaker" | "in_reply_to" | "quote" | "follows" | "sent">,
    Origin {
  /** Set if the same draft may be repeated: it is stored once under that id, and an existing memory is returned. */
  id?: string;
  options?: CreateOptions;
  /** What was read from the content as a part of its message; then it is not read again. */
  reading?: DatedReading;
  /** What a language model read in the content, which are its own words; the rules then read no facts. */
  drafts?: FactDraft[];
}

export interface CreationTerms {
  /** Extract synchronously, regardless of the settings. */
  now?: boolean;
  /** Additional writes of the transaction. */
  extraWrites?: (memory: Memory) => Write[];
}

/** Maximum attempts to store unique content while other requests claim and release it. */
const MAX_ATTEMPTS = 8;

/**
 * Stores a text as version 1 and extracts from it, now or in a worker, depending on the settings. If duplicates are
 * skipped, returns an existing one with a note in `processing`. Throws CONFLICT if others keep storing and deleting it,
 * VALIDATION_ERROR if the text has secrets and the policy refuses them.
 */
export async function createMemory(
  ctx: Context,
  given: MemoryDraft,
  { now = false, extraWrites = () => [] }: CreationTerms = {},
): Promise<Memory> {
  const { text: admitted, leftOut, detection } = await admit(ctx, given);
  const withAudit = (memory: Memory) => [...extraWrites(memory), ...auditDetection(ctx, detection, memory.id)];
  const memory = await createAdmitted(ctx, admitted, { now, extraWrites: withAudit });
  return leftOut.length === 0 ? memory : { ...memory, left_out: leftOut };
}

async function createAdmitted(ctx: Context, given: MemoryDraft, { now, extraWrites }: Required<CreationTerms>) {
  const withTime = withEventTime(given);
  const draft = ctx.viewer === undefined ? withTime : await withAgentDefaults(ctx, ctx.viewer, withTime);
  return retryOnConflict(() => tryToCreate(ctx, draft, { now, extraWrites }), {
    attempts: MAX_ATTEMPTS,
    isTransient: () => draft.options?.skip_duplicates === true,
    exhausted: () =>
      new ServiceError("CONFLICT", "The same content is being stored and deleted by other requests. Try again."),
  });
}

/** A draft may contain its event time only in its metadata, under the same name. */
function withEventTime(draft: MemoryDraft): MemoryDraft {
  const occurred_at = draft.occurred_at ?? occurredAt.safeParse(draft.metadata?.occurred_at).data;
  return { ...draft, ...(occurred_at !== undefined && { occurred_at }) };
}

/** Returns the draft with defaults from the agent's memory settings. */
async function withAgentDefaults({ ports, org, clock, findAgent }: Context, agent: string, draft: MemoryDraft) {
  const { memory_settings } = (await findAgent(ports.records, org, agent)) ?? {};
  const { retention_days, compression_enabled = true } = memory_settings ?? {};
  const end = retention_days === undefined ? undefined : timestamp(clock() + retention_days * DAY_MS);
  return { ...draft, expire_at: draft.expire_at ?? end, options: { compress: compression_enabled, ...draft.options } };
}

/** Throws ConditionFailedError if a claim blocked the content and its memory was deleted meanwhile. */
async function tryToCreate(ctx: Context, draft: MemoryDraft, { now, extraWrites }: Required<CreationTerms>) {
  const isUnique = draft.options?.skip_duplicates === true;
  const occurred_at = draft.occurred_at ?? timestamp(ctx.clock());
  const said_of = isUnique ? await timeSaidOf(draft.content, occurred_at) : undefined;
  const { duplicate, former } = isUnique ? await findKnown(ctx, { ...draft, occurred_at, said_of }) : {};
  // A repeated draft finds its own memory and does not count as a repetition.
  if (duplicate)
    return asSkipped(duplicate.id === draft.id ? duplicate : await countRepetition(ctx, duplicate, draft.id));
  const { config } = await loadProcessingSettings(ctx);
  const { memory, job } = await prepare(ctx, { ...draft, said_of }, config.performance.async_processing && !now);
  const claim = isUnique ? [claimContent(memory, ctx.clock(), former)] : [];
  const content = await storeContent(ctx, contentKey(memory, memory.content), memory.content);
  const otherWrites = [...(job ? [insertJob(job)] : []), ...extraWrites(memory)];
  try {
    await writeWithFacts(ctx.ports.records, ...claim, ...insertMemory(memory, content), ...otherWrites);
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    const stored = draft.id === undefined ? undefined : await findMemory(ctx, draft.id);
    if (stored) return stored;
    if (isUnique && "content_blob" in content) await ctx.ports.blobs.delete(content.content_blob);
    // Another request stored the same content meanwhile.
    const claimant = isUnique ? claimantIn(error.existing) : undefined;
    const other = claimant && (await findMemory(ctx, claimant));
    if (!other) throw error;
    return asSkipped(other);
  }
  if (job) await enqueueJob(ctx, job);
  countActivity(ctx, "memories_created");
  return memory;
}

/** Records a repetition if a model considers a draft equal to a memory and the rules agree; returns that memory. */
export async function recordRepetition(ctx: Context, draft: MemoryDraft, id: string): Promise<Memory | undefined> {
  const { user_id, content, sent, occurred_at = timestamp(ctx.clock()) } = draft;
  const same = await confirmSame(ctx, { user_id, content, sent, said_of: undefined, occurred_at }, id);
  return same && countRepetition(ctx, same, draft.id);
}

/** Counts a repeated statement, and its time. A repeated draft counts once. */
async function countRepetition({ ports, org, clock }: Context, memory: Memory, draft_id: string | undefined) {
  const repeated_at = timestamp(clock());
  const repetition = { repeated_at, ...(draft_id !== undefined && { repeated_by: draft_id }) };
  const update: Write = {
    update: memoryKey(org, memory.id),
    set: repetition,
    add: { repeats: 1, revision: 1 },
    condition: draft_id === undefined ? "present" : { kind: "memory", repeated_by: { not: draft_id } },
  };
  const isCounted = await tryWrite({ ports }, update);
  return isCounted ? { ...memory, repeats: (memory.repeats ?? 0) + 1, repeated_at } : memory;
}

function asSkipped(memory: Memory): Memory {
  return { ...memory, processing: { ...memory.processing, status: "skipped", duplicate_of: memory.id } };
}

async function prepare(
  ctx: Context,
  {
    id = ctx.ids("memory"),
    options = {},
    metadata = {},
    reading,
    drafts,
    door,
    derived_from,
    ...fields
  }: MemoryDraft & Pick<Memory, "said_of">,
  isDeferred: boolean,
): Promise<{ memory: Memory; job: MemoryJob | undefined }> {
  const now = timestamp(ctx.clock());
  const { skip_duplicates, ...steps } = options;
  const job =
    isDeferred && reading === undefined
      ? newMemoryJob(ctx, ctx.principal.id, { memory_id: id, options: steps })
      : undefined;
  const agent_id = ctx.viewer;
  const created_by = ctx.principal.id;
  const text = { ...fields, agent_id, metadata, created_by, stored_at: now };
  const understood = job
    ? await leaveForLater(text.content, job.id)
    : reading
      ? await understandRead(ctx, text, reading, steps)
      : await understand(ctx, text, steps);
  const read = drafts && { observed: { at: fields.occurred_at ?? now, drafts, reader: BY_LANGUAGE_MODEL } };
  const known = { ...fields, ...understood, ...read, id, org: ctx.org, metadata, created_by, agent_id };
  const claimant = skip_duplicates ? { is_claimant: true as const } : {};
  const unread = options.extract_facts === false ? { facts_reader: NOT_TO_READ } : {};
  return { memory: firstVersion({ ...known, ...claimant, ...unread }, { door, derived_from }, now), job };
}

const INITIAL_STATE = { tier: "working", version: 1, revision: 1, feedback_count: 0, feedback_sum: 0 } as const;

type NewMemory = Omit<Memory, "created_at" | "updated_at" | "provenance" | keyof typeof INITIAL_STATE>;

export function firstVersion(memory: NewMemory, { door, derived_from }: Origin, now: string): Memory {
  const foreign = isByUser(memory) ? {} : { is_foreign: true as const };
  const { created_by: written_by, agent_id } = memory;
  const provenance = {
    written_by,
    ...(agent_id !== undefined && { agent_id }),
    door,
    ...(derived_from !== undefined && { derived_from }),
  };
  const times = { created_at: now, updated_at: now };
  return withFactIds({ ...memory, ...foreign, provenance, ...times, ...INITIAL_STATE });
}
