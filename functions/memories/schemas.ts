import * as z from "zod";
import { CompressionModeName } from "../../shared/domain/compression/settings.ts";
import type { EventFilter } from "../../shared/domain/memory/event-list.ts";
import { INFERENCE_CATEGORIES } from "../../shared/domain/memory/inference.ts";
import { EntityReference, Feedback, Memory, MemoryFact, Processing } from "../../shared/domain/memory/wire.ts";
import { searchedAt } from "../../shared/domain/retrieval/wire.ts";
import { FACT_STATES } from "../../shared/language/slots/fact.ts";
import {
  batchOf,
  each,
  eventTime,
  filledText,
  label,
  metadata,
  moment,
  occurredAt,
  occurredRange,
  optionalQueryFlag,
  Pagination,
  page,
  pageWithCursor,
  storedObject,
  storedUserId,
  text,
} from "../../shared/runtime/schemas/fields.ts";

const MAX_CONTENT_LENGTH = 100_000;
const MAX_BATCH = 100;
const MAX_PROMPT_LENGTH = 2000;

export { EntityReference, Feedback, Memory, MemoryFact, Processing };

/** The state in the search index, which only a read of one memory returns. */
export const Indexed = z.object({
  index: z.object({
    pending: z
      .boolean()
      .nullable()
      .describe(
        "Whether the memory's current vector is still missing from the index. Null if search is not available.",
      ),
  }),
});

const suggestion = z.object({ value: z.string(), confidence: z.number() }).optional();

export const ReadMemory = z.object({
  suggest: optionalQueryFlag.describe("Suggest a category and a type in `suggested` if the memory has none."),
  user_id: label
    .optional()
    .describe(
      "The memory's user, who alone sees what `[REDACTED:…]` stands for; the memories of others are not found.",
    ),
});

export const WaitForReading = z.object({
  wait: optionalQueryFlag.describe(
    "Answer only after the model that reads facts has read what was stored, at most 5 seconds later. Without such a model, the answer comes at once.",
  ),
});

/** Suggested labels; no filter, list or count uses them. */
export const Suggested = z.object({ category: suggestion, type: suggestion });

export const IndexedMemory = Memory.extend({ ...Indexed.shape, suggested: Suggested.optional() });

const content = filledText(MAX_CONTENT_LENGTH);

/** Defaults come from the stored settings; duplicates are stored unless they are to be skipped. */
export const CreateOptions = z
  .object({
    extract_facts: z.boolean(),
    extract_entities: z.boolean(),
    compress: z.boolean(),
    compression_mode: CompressionModeName,
    skip_duplicates: z.boolean(),
  })
  .partial();

export const CreateMemory = z.object({
  content,
  user_id: storedUserId.optional(),
  category: label.optional(),
  type: label.optional(),
  metadata: metadata.optional(),
  occurred_at: occurredAt.optional().describe("When it happened or was said, past or future; the default is now."),
  expire_at: moment.optional(),
  options: CreateOptions.optional(),
});

const change = {
  content: content.optional(),
  metadata: metadata.optional(),
  occurred_at: occurredAt.optional(),
  expire_at: moment.nullable().optional(),
};

const NAMES_NOTHING = `give ${Object.keys(change)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ")}`;

/** A new version must change something. */
const namesChange = (given: { [name in keyof typeof change]?: unknown }) =>
  Object.keys(change).some((name) => given[name as keyof typeof change] !== undefined);

export const UpdateMemory = z.object(change).refine(namesChange, NAMES_NOTHING);

export const Processed = z.object({
  memory: z.object({ id: z.string(), content: z.string(), processed_at: z.string() }),
  processing: Processing.extend({
    facts_extracted: z.int(),
    entities_extracted: z.int(),
    entities_left_out: Memory.shape.entities_left_out,
    compression_applied: z.boolean(),
    token_reduction: z.number(),
  }),
});

export const InferFromMemory = z.object({
  memory_id: z.string(),
  prompt: filledText(MAX_PROMPT_LENGTH),
  context_limit: z.int().min(0).max(50).default(10),
  now: searchedAt,
});

/** A memory that supports an inference, or one of its facts with its interval. */
export const InferenceEvidence = z.object({
  memory_id: z.string(),
  fact_id: z.string().optional(),
  status: z.enum(FACT_STATES).optional(),
  valid_from: z.string().optional(),
  valid_to: z.string().optional(),
});

export const Inferences = z.object({
  inferences: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      confidence: z.number(),
      category: z.enum(INFERENCE_CATEGORIES),
      rests_on: z.array(InferenceEvidence),
    }),
  ),
  context_used: z.int(),
  processing: Processing.pick({ provider: true, model: true, fallback: true }),
});

const filter = {
  user_id: label.optional(),
  category: label.optional(),
  type: label.optional(),
  created_after: moment.optional(),
  created_before: moment.optional(),
  ...occurredRange,
} satisfies { [name in keyof EventFilter]: z.ZodType };

export const ListMemories = z.object({
  ...filter,
  entity_id: z.string().optional().describe("Memories that mention this entity."),
  ...pageWithCursor(20, 100),
  sort: z.string().default("created_at desc"),
});

/** Fields that only a single memory's answer has: they are large, or few clients need them for a whole page. */
export const NOT_IN_LISTS = [
  "quote",
  "expire_at",
  "entities",
  "entities_left_out",
  "facts",
  "compression",
  "processing",
  "left_out",
  "provenance",
  "repeats",
  "repeated_at",
] as const satisfies (keyof typeof Memory.shape)[];

export const MemoryList = z.object({
  memories: z.array(Memory.omit(each(true, ...NOT_IN_LISTS))),
  pagination: Pagination,
});

export const Deleted = z.object({ id: z.string(), deleted_at: z.string() });

/** `options` are the default for memories without their own. */
export const CreateBatch = z.object({
  memories: batchOf("CreateMemory", MAX_BATCH),
  options: CreateOptions.optional(),
});

export const ItemError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});

export const BatchFailure = z.object({
  index: z.int(),
  id: z.string().optional(),
  error: ItemError,
});

export const BatchCreated = z.object({
  created: z.array(
    z.object({
      index: z.int(),
      id: z.string(),
      content: z.string(),
      /** For a skipped one, id and content are those of the memory with the same statement. */
      status: z.enum(["created", "queued", "skipped"]),
      duplicate_of: z.string().optional(),
    }),
  ),
  failed: z.array(BatchFailure),
});

export const UpdateBatch = z.object({ updates: batchOf("UpdateItem", MAX_BATCH) });

export const UpdateItem = z.object({ id: z.string(), ...change }).refine(namesChange, NAMES_NOTHING);

export const BatchUpdated = z.object({
  updated: z.array(z.object({ index: z.int(), id: z.string(), version: z.int(), updated_at: z.string() })),
  failed: z.array(BatchFailure),
});

/** A deletion filter must name something, and only known filters, so that a typo does not widen it. */
export const DeletionFilter = z
  .strictObject(filter)
  .refine((given) => Object.values(given).some((value) => value !== undefined), "name at least one filter");

export const DeleteBatch = z
  .object({ ids: z.array(z.string()).min(1).max(MAX_BATCH).optional(), filters: DeletionFilter.optional() })
  .refine(({ ids, filters }) => (ids === undefined) !== (filters === undefined), "give either ids or filters");

export const BulkDelete = z.object({
  filters: DeletionFilter,
  confirm: z.literal(true, "must be true: this deletes every memory that matches"),
});

export const MemoriesDeleted = z.object({
  deleted_count: z.int(),
  deleted_ids: z.array(z.string()),
  failed: z.array(BatchFailure),
  has_more: z.boolean(),
});

const counts = z.record(z.string(), z.int());

export const Stats = z.object({
  total_count: z.int(),
  by_category: counts,
  by_type: counts,
  by_user: counts,
  compression_stats: z.object({
    total_tokens_original: z.int(),
    total_tokens_compressed: z.int(),
    compression_ratio: z.number(),
  }),
  processing_stats: z.object({ avg_processing_time_ms: z.number(), memories_processed_today: z.int() }),
});

export const ListVersions = z.object(page(20, 100));

export const VersionList = z.object({
  memory_id: z.string(),
  versions: z.array(
    z.object({
      version: z.int(),
      content: z.string(),
      content_missing: z.literal(true).optional(),
      metadata: storedObject,
      ...eventTime,
      created_at: z.string(),
      changes: z.array(z.string()),
      changed_by: z
        .string()
        .describe("The key or user whose request made it; `unknown` for versions that an earlier release stored."),
      reason: z.string().optional(),
    }),
  ),
  pagination: Pagination,
});

const reason = text(1000).optional();

export const RestoreMemory = z.object({ version: z.int().min(1), reason });

export const ExpireMemory = z.object({ expire_at: moment.optional(), reason });

export const Expiry = z.object({
  id: z.string(),
  expire_at: z.string(),
  expired: z.boolean(),
  reason: z.string().optional(),
  version: z.int(),
});

export const LinkEntity = z.object({
  relationship_type: label.default("related_to"),
  strength: z.number().min(0).max(1).default(1),
});

export const Link = z.object({
  memory_id: z.string(),
  entity_id: z.string(),
  relationship_type: z.string(),
  strength: z.number(),
  created_at: z.string(),
});

export const MemoryEntities = z.object({
  memory_id: z.string(),
  entities: z.array(EntityReference),
  pagination: Pagination,
});

export const GiveFeedback = z.object({
  rating: z.int().min(1).max(5),
  comment: text(2000).optional(),
  category: label.optional(),
});

export const ListFeedback = z.object(page(20, 100));

export const FeedbackList = z.object({ memory_id: z.string(), feedback: z.array(Feedback), pagination: Pagination });

export const FeedbackUndone = z.object({ id: z.string(), memory_id: z.string(), undone_at: z.string() });

export const CreateEntity = z.object({ name: filledText(200), type: filledText(64) });

export const Entity = z.object({ id: z.string(), name: z.string(), type: z.string() });

export const EntityWithMentions = Entity.extend({ memory_count: z.int() });

export const ListEntities = z.object({ q: text(200).optional(), type: label.optional(), ...page(20, 100) });

export const EntityList = z.object({ entities: z.array(Entity), pagination: Pagination });

export const ListMemoryUsers = z.object({
  q: z.string().max(256).default("").describe("Only users whose id starts with this."),
  ...page(20, 100),
});

export const MemoryUserList = z.object({
  users: z.array(
    z.object({
      id: z.string().describe("The `user_id` that memories are stored under."),
      memories: z.int().describe("Memories stored under it."),
      facts: z.int().describe("Facts read from these memories, whatever their status; counted up to 1000."),
      last_seen: z.string().optional().describe("When the newest memory was stored."),
    }),
  ),
  pagination: Pagination,
});
