import * as z from "zod";
import { Profile } from "../../shared/domain/retrieval/profiles/wire.ts";
import { LEFT_OUT_REASONS } from "../../shared/domain/retrieval/recall/compose.ts";
import { TOKENIZERS } from "../../shared/domain/retrieval/recall/tokenizers.ts";
import { MAX_QUERY_LENGTH } from "../../shared/domain/retrieval/settings.ts";
import { asOf, searchedAt, withoutVector } from "../../shared/domain/retrieval/wire.ts";
import { isObject } from "../../shared/kernel/objects.ts";
import {
  eventTime,
  label,
  occurredRange,
  Pagination,
  page,
  storedObject,
} from "../../shared/runtime/schemas/fields.ts";

const MAX_TOKENS = 100_000;
const DEFAULT_TOKENS = 1000;
/** Each is a clause of the engines' queries. */
const MAX_WITHIN = 10;
const MAX_WITHIN_LENGTH = 256;
const INCLUDABLE = ["why", "tokens", "left_out", "baseline"] as const;

/** Accepts any value, because an invalid query is answered with INVALID_QUERY, as for searches. */
const query = z.string().catch("").meta({ type: "string", minLength: 1, maxLength: MAX_QUERY_LENGTH });

const ofWhom = (what: string) => label.optional().describe(`${what}; \`*\` for everything that you can read.`);

function areNamed(value: unknown): boolean {
  const texts = isObject(value) ? Object.entries(value).flat() : undefined;
  const isText = (text: unknown) => typeof text === "string" && text !== "" && text.length <= MAX_WITHIN_LENGTH;
  return texts !== undefined && texts.length <= 2 * MAX_WITHIN && texts.every(isText);
}

export const Recall = z
  .object({
    query,
    user_id: ofWhom("The user whose memories are recalled"),
    agent_id: ofWhom("The agent whose visible memories are recalled, or your own name of an agent that stored them"),
    session_id: ofWhom("The session or run that the memories are of"),
    within: z
      // Not a record, because that would drop a key such as `__proto__` together with its filter.
      .custom<Record<string, string>>(areNamed, `must be an object with at most ${MAX_WITHIN} texts`)
      .optional()
      .describe(
        "Values of metadata, such as that of a project: leaves out memories with another value of the same name. Those without the name are kept.",
      )
      .meta({
        type: "object",
        propertyNames: { minLength: 1, maxLength: MAX_WITHIN_LENGTH },
        additionalProperties: { type: "string", minLength: 1, maxLength: MAX_WITHIN_LENGTH },
        maxProperties: MAX_WITHIN,
        examples: [{ project_id: "6dbe2ac6b8a9f6a8" }],
      }),
    max_tokens: z
      .int()
      .min(1)
      .max(MAX_TOKENS)
      .default(DEFAULT_TOKENS)
      .describe("Maximum number of tokens of `context`."),
    min_relevance: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe("Minimum `score` of the items. The context ends where nothing is relevant, whatever its budget."),
    tokenizer: z.enum(TOKENIZERS).default("o200k_base").describe("The vocabulary that tokens are counted in."),
    ...occurredRange,
    as_of: asOf,
    now: searchedAt,
    include: z
      .array(z.enum(INCLUDABLE))
      .max(INCLUDABLE.length)
      .default([])
      .describe(
        "`why` explains each item in words, `tokens` counts those of its line, `left_out` explains what the search found but is not in the block, `baseline` scores up to 20 random memories.",
      ),
  })
  .meta({ required: ["query"] });

export const RecalledWhy = z.object({
  words: z.number().describe("Share of the query's information that the words carry, 0..1."),
  meaning: z.number().describe("Similarity of meaning, 0..1."),
  path: z
    .enum(["found", "context", "successor", "instruction"])
    .describe(
      "`context`: a neighbour that the next line of its session needs. `successor`: the statement that replaced a result, or that holds in what the query asks about.",
    ),
  time: z.string().describe("When it happened or was said."),
  score: z.number(),
  text: z.string().optional().describe("The explanation in words."),
});

export const RecalledItem = z.object({
  label: z.string().describe("The citation label of the line in `context`, such as `[1]`."),
  memory_id: z.string(),
  fact_id: z.string().optional().describe("The fact of the memory that the query is about."),
  content: z.string(),
  metadata: storedObject,
  writer: z
    .object({ id: z.string(), agent_id: z.string().optional() })
    .optional()
    .describe("Who stored it: the user or API key, and the agent of the key. Absent for chunks of sources."),
  ...eventTime,
  score: z.number(),
  ratings: z
    .object({ count: z.int(), mean: z.number().describe("1 (useless) to 5 (very useful).") })
    .optional()
    .describe("How people rated the memory, which changes its rank; absent without any rating."),
  tokens: z
    .int()
    .optional()
    .describe("The number of tokens of its line with the label; of a recall that includes `tokens`."),
  why: RecalledWhy,
});

const LeftOut = z.object({
  memory_id: z.string(),
  content: z.string(),
  ...eventTime,
  score: z.number(),
  reason: z
    .enum(LEFT_OUT_REASONS)
    .describe(
      "`superseded`: it no longer holds. `later`: it was said after `as_of`. `repeated`: a line of the block says the same. `no_room`: it did not fit into `max_tokens`. `weak`: it is about the query too little.",
    ),
});

const Spread = z.object({
  median: z.number().describe("Half of them get at most this."),
  highest: z.number().describe("The best of them gets this."),
});

const Baseline = z.object({
  memories: z
    .int()
    .describe("The number of random memories: at most 20 of those that were searched, none of them a line."),
  score: Spread.describe("Their `score` for the query."),
  meaning: Spread.describe("Their similarity of meaning, as in `why`."),
});

const DerivedLine = z.object({
  pattern_id: z.string(),
  text: z
    .string()
    .describe("The pattern in one line.")
    .meta({ examples: ["flew + Lisbon: stated on 4 days, 2 Mar 2026 to 8 Jul 2026"] }),
  confidence: z.number(),
});

export const Recalled = z.object({
  context: z.string().describe("Text for a prompt: one line per item, grouped by day, oldest first."),
  items: z.array(RecalledItem).describe("Best first."),
  derived: z
    .array(DerivedLine.extend({ label: z.string().describe("The citation label of the line in `context`.") }))
    .describe("The patterns that the query is about: counted from several memories, not said by anybody."),
  left_out: z
    .array(LeftOut)
    .optional()
    .describe("The best memories that are not in the block, at most 10; of a recall that includes `left_out`."),
  baseline: Baseline.optional().describe(
    "What random memories get for the query, to compare the items with; of a recall that includes `baseline`. Absent if there are no others.",
  ),
  profile: Profile.describe("The facts, preferences and instructions of the user that are relevant for the query."),
  tokens: z.int().describe("Number of tokens of `context`."),
  confident: z.boolean().describe("false if nothing known answers the query."),
  without_vector: withoutVector,
  recall_id: z
    .string()
    .optional()
    .describe("`GET /recall/{id}` explains this answer for a day. Absent while the disk is full."),
});

export const Explained = z.object({
  recall_id: z.string(),
  created_at: z.string(),
  max_tokens: z.int(),
  tokens: z.int(),
  confident: z.boolean(),
  items: z.array(RecalledItem).describe("The items that can still be read, best first, in their current state."),
  missing: z.int().describe("The number of items that can no longer be read."),
});

export const ListRecalls = z.object(page(20, 100));

export const RecallList = z.object({
  recalls: z
    .array(
      z.object({
        recall_id: z.string(),
        user_id: z.string().optional().describe("The user whose memories were recalled, or `*`."),
        created_at: z.string(),
        max_tokens: z.int().describe("The size limit that it was made with."),
        tokens: z.int(),
        confident: z.boolean(),
        lines: z.int().describe("The number of lines of the block."),
      }),
    )
    .describe("Newest first."),
  pagination: Pagination,
});

const PROFILE_TYPES = ["user", "agent", "entity"] as const;
export type ProfileType = (typeof PROFILE_TYPES)[number];

export const ReadProfile = z.object({
  type: z
    .enum(PROFILE_TYPES)
    .default("user")
    .describe(
      "The type of the id. For an agent: statements of users in the agent's memories. For an entity: statements of users about it.",
    ),
  format: z
    .enum(["json", "text"])
    .optional()
    .describe("If absent, `Accept` decides: `text/plain` and `text/markdown` return text."),
});

export const UserProfile = z.object({
  user_id: z.string().optional().describe("Part of a user's profile."),
  type: z.enum(PROFILE_TYPES),
  id: z.string(),
  ...Profile.shape,
  updated_at: z.string().optional().describe("The time of the newest statement; absent if nothing is known."),
  derived: z
    .array(DerivedLine)
    .optional()
    .describe("Part of a user's profile: the strongest patterns, counted from several memories."),
});

export const EraseProfile = z.object({
  erase: z.literal("true").describe("Confirms that all data of the user is to be erased; this cannot be undone"),
});

export const ErasureBegun = z.object({
  user_id: z.string(),
  job_id: z.string(),
  status: z.literal("erasing"),
});
