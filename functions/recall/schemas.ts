import * as z from "zod";
import { eventTime, label, occurredRange, storedObject } from "../../shared/http/fields.ts";
import { Profile } from "../../shared/profiles/wire.ts";
import { TOKENIZERS } from "../../shared/recall/tokenizers.ts";
import { MAX_QUERY_LENGTH } from "../../shared/retrieval/settings.ts";
import { asOf, searchedAt } from "../../shared/retrieval/wire.ts";

const MAX_TOKENS = 100_000;
const DEFAULT_TOKENS = 1000;

/** Any string, or none: what is wrong with it is INVALID_QUERY, as with searches. */
const query = z.string().catch("").meta({ type: "string", minLength: 1, maxLength: MAX_QUERY_LENGTH });

const ofWhom = (what: string) => label.optional().meta({ description: `${what}; \`*\` for all that you may read.` });

export const Recall = z
  .object({
    query,
    user_id: ofWhom("The user whose memories are recalled"),
    agent_id: ofWhom("What this agent may see, or, with a name of your own, what was stored under it"),
    session_id: ofWhom("The session or run that the memories are of"),
    max_tokens: z
      .int()
      .min(1)
      .max(MAX_TOKENS)
      .default(DEFAULT_TOKENS)
      .meta({ description: "Most tokens of `context`." }),
    tokenizer: z
      .enum(TOKENIZERS)
      .default("o200k_base")
      .meta({ description: "The vocabulary that tokens are counted in." }),
    ...occurredRange,
    as_of: asOf,
    now: searchedAt,
    include: z
      .array(z.enum(["why"]))
      .max(1)
      .default([])
      .meta({ description: "`why` explains each item in words." }),
  })
  .meta({ required: ["query"] });

const Why = z.object({
  words: z.number().meta({ description: "Share of the query's information that the words carry, 0..1." }),
  meaning: z.number().meta({ description: "How near it is in meaning, 0..1." }),
  path: z.enum(["found", "context", "successor", "instruction"]).meta({
    description:
      "`context`: the line that follows it in its session needs it. `successor`: it says what holds instead of what was found.",
  }),
  time: z.string().meta({ description: "When it happened or was said." }),
  score: z.number(),
  text: z.string().optional().meta({ description: "The same in words." }),
});

const Item = z.object({
  label: z.string().meta({ description: "What the line of `context` is cited by, such as `[1]`." }),
  memory_id: z.string(),
  fact_id: z.string().optional().meta({ description: "The fact of the memory that the query is about." }),
  content: z.string(),
  metadata: storedObject,
  ...eventTime,
  score: z.number(),
  why: Why,
});

export const Recalled = z.object({
  context: z.string().meta({ description: "Ready for a prompt: one line an item, oldest first, under their days." }),
  items: z.array(Item).meta({ description: "Best first." }),
  profile: Profile.meta({ description: "What concerns the query of what the user said of themselves and asked for." }),
  tokens: z.int().meta({ description: "Of `context`." }),
  confident: z.boolean().meta({ description: "False where nothing that is known answers the query." }),
  recall_id: z.string().optional().meta({
    description: "`GET /recall/{id}` explains this answer for a day. Absent while the disk is full.",
  }),
});

export const Explained = z.object({
  recall_id: z.string(),
  created_at: z.string(),
  max_tokens: z.int(),
  tokens: z.int(),
  confident: z.boolean(),
  items: z.array(Item).meta({ description: "Those that may still be read, best first, as they are now." }),
  missing: z.int().meta({ description: "How many may not be read any more." }),
});

const PROFILE_TYPES = ["user", "agent", "entity"] as const;
export type ProfileType = (typeof PROFILE_TYPES)[number];

export const ReadProfile = z.object({
  type: z.enum(PROFILE_TYPES).default("user").meta({
    description:
      "What the id is of. Of an agent: what users said in memories of it, or stored under it by a name of your own. Of an entity: what they said of it.",
  }),
  format: z
    .enum(["json", "text"])
    .optional()
    .meta({ description: "Where it is left out, `Accept` decides: `text/plain` and `text/markdown` answer text." }),
});

export const UserProfile = z.object({
  user_id: z.string().optional().meta({ description: "Of a user's profile." }),
  type: z.enum(PROFILE_TYPES),
  id: z.string(),
  ...Profile.shape,
  updated_at: z.string().optional().meta({
    description: "When the newest of it was said; absent where nothing is known.",
  }),
});

export const EraseProfile = z.object({
  erase: z.literal("true").describe("Says that everything stored of the user is to be erased, which nothing undoes"),
});

export const ErasureBegun = z.object({
  user_id: z.string(),
  job_id: z.string(),
  status: z.literal("erasing"),
});
