import * as z from "zod";
import { filledText, inQuery, metadata, optionalQueryFlag } from "../../../shared/runtime/schemas/fields.ts";
import { expirationDate, MAX_CONTENT_LENGTH, messageList } from "../common/messages.ts";
import { about, aboutInQuery } from "../common/names.ts";
import { AddAnswer, CompatAdded, CompatChange, CompatHit, CompatMemory, CompatSearch } from "../memories/schemas.ts";

/** Maximum memories in an answer, and their default number, as in mem0's server. */
export const MAX_LISTED = 1000;
export const DEFAULT_LISTED = 20;

const ignored = z.unknown().optional().meta({ description: "Accepted for mem0 clients; has no effect." });

export const SelfHostedAdd = z.object({
  messages: messageList,
  ...about,
  metadata: metadata.nullish(),
  expiration_date: expirationDate.nullish(),
  infer: z.boolean().nullish().describe("true: extract memories; false: store each message as it is."),
  memory_type: ignored,
  prompt: z.string().max(20_000).nullish().describe("What to store and what not."),
});

export const SelfHostedAdded = z.object({
  results: z.array(CompatAdded.pick({ id: true, memory: true, event: true, previous_memory: true })),
  event_id: z.string().describe("What became of the messages: GET /v1/event/{event_id}."),
  status: AddAnswer.shape.status.describe("PENDING if a worker stores the rest; `results` is then empty."),
});

export const SelfHostedMemory = CompatMemory.pick({
  id: true,
  memory: true,
  hash: true,
  user_id: true,
  agent_id: true,
  run_id: true,
  metadata: true,
  expiration_date: true,
  created_at: true,
  updated_at: true,
});

export const SelfHostedList = z.object({
  ...aboutInQuery,
  top_k: inQuery(z.int().min(1).max(MAX_LISTED)).optional(),
  show_expired: optionalQueryFlag.describe("Include expired memories that are not deleted yet."),
});

export const SelfHostedListed = z.object({ results: z.array(SelfHostedMemory) });

export const SelfHostedSearch = z.object({
  query: CompatSearch.shape.query,
  ...about,
  filters: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe("Filters as of /v3; any other name is a field of the metadata."),
  top_k: z.int().min(1).max(MAX_LISTED).nullish().meta({ default: DEFAULT_LISTED }),
  threshold: CompatSearch.shape.threshold,
  explain: z.boolean().nullish().describe("Add the parts of each score."),
  show_expired: CompatSearch.shape.show_expired,
  rerank: CompatSearch.shape.rerank,
  fields: ignored,
});

export const SelfHostedFound = z.object({
  results: z.array(SelfHostedMemory.extend({ score: z.number(), score_breakdown: CompatHit.shape.score_breakdown })),
});

export const SelfHostedChange = z
  .object({
    text: filledText(MAX_CONTENT_LENGTH).nullish(),
    metadata: metadata.nullish(),
    expiration_date: CompatChange.shape.expiration_date,
  })
  .refine(
    ({ text, metadata: changed, expiration_date }) => Boolean(text ?? changed) || expiration_date !== undefined,
    "give text, metadata or expiration_date",
  );

export const SelfHostedDeletion = z.object(aboutInQuery);

export const SelfHostedDeleted = z.object({
  message: z.string(),
  event_id: z.string().describe("The job that deletes the rest in the background, if one request is not enough."),
});

export const SelfHostedReset = z.object({
  confirm: z.literal(true, "must be true: this deletes every memory of the organization"),
});

export const SelfHostedHistory = z.array(
  z.object({
    id: z.string(),
    memory_id: z.string(),
    old_memory: z.string().nullable(),
    new_memory: z.string().nullable(),
    event: z.enum(["ADD", "UPDATE", "DELETE"]),
    created_at: z.string(),
    updated_at: z.string(),
    is_deleted: z.boolean().describe("Whether this version ended the memory."),
    actor_id: z.null().describe("Always null."),
    role: z.null().describe("Always null."),
  }),
);

export const SelfHostedMessage = z.object({ message: z.string() });
