import type { ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import { createMemory } from "../../shared/domain/memory/create.ts";
import { listByEvent } from "../../shared/domain/memory/event-list.ts";
import type { Memory } from "../../shared/domain/memory/memory.ts";
import { revealHits, revealTo } from "../../shared/domain/memory/reveal-secrets.ts";
import { deleteMemory, getMemory, reviseMemory } from "../../shared/domain/memory/revise.ts";
import { currentFirst } from "../../shared/domain/retrieval/current-first.ts";
import { profileOf } from "../../shared/domain/retrieval/profiles/profile.ts";
import { profileFacts } from "../../shared/domain/retrieval/profiles/profile-facts.ts";
import { recall } from "../../shared/domain/retrieval/recall/recall.ts";
import { confineTo } from "../../shared/domain/retrieval/recall/scope.ts";
import { showable } from "../../shared/domain/retrieval/relevance.ts";
import { retrieve } from "../../shared/domain/retrieval/retrieve.ts";
import { runSearch } from "../../shared/domain/retrieval/run-search.ts";
import { dateOf } from "../../shared/kernel/clock.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import { asDataBlock, asItem, asLine } from "../../shared/kernel/text/prompt-text.ts";
import type { Permission } from "../../shared/runtime/access/permissions.ts";
import type { LimitedOperation } from "../../shared/runtime/access/plans.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { ALL, label, metadata, moment, storedUserId } from "../../shared/runtime/schemas/fields.ts";
import { answerFrom } from "./answer.ts";
import { correct } from "./correct.ts";
import type * as schemas from "./schemas.ts";

export type Scope = z.output<typeof schemas.Scope>;

/** A tool's answer: text for the model, and the same content as structured data. */
export interface ToolAnswer {
  text: string;
  data: Record<string, unknown>;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  description: string;
  permission: Permission;
  /** The plan's limit that a call counts against. */
  limit: LimitedOperation;
  /** Without a user, it is about the connection's or the key's. */
  isPersonal?: true;
  input: Input;
  annotations: ToolAnnotations;
  run(ctx: Context, given: z.output<Input>): Promise<ToolAnswer>;
}

const MAX_FOUND = 50;
const MAX_LISTED = 100;
const MAX_TOKENS = 8_000;
const MAX_TAGS = 50;

const userId = z.string().min(1).max(256).optional().describe("Default: the user of this connection");
/** For a tool that only reads: `*`, or no user, means every user whom the caller may read. */
const anyUserId = z
  .string()
  .min(1)
  .max(256)
  .optional()
  .describe("Default: everybody whom this connection may read")
  .transform((user) => (user === ALL ? undefined : user));
const id = z.string().min(1).max(256);
const query = z.string().min(1).max(1000);
const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
const CHANGES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

type Shown = {
  id: string;
  content: string;
  occurred_at?: string | undefined;
  score?: number;
  superseded_by?: string | undefined;
};

export const TOOLS: Record<string, Tool> = {
  remember: tool({
    description:
      "Store a fact, a preference, a decision or an event that should be known later: one a call, in the user's words, names instead of pronouns.",
    permission: "memory:write",
    limit: "create_memory",
    input: z.strictObject({
      content: z.string().min(1).max(100_000),
      user_id: storedUserId.optional().describe("Default: the user of this connection"),
      occurred_at: moment.optional().describe("ISO 8601, if not now"),
      category: label.optional(),
      tags: z.array(label).max(MAX_TAGS).optional().describe("Kept in the metadata"),
      metadata: metadata.optional().meta({ type: "object" }),
    }),
    annotations: ADDS,
    isPersonal: true,
    async run(ctx, { tags, ...draft }) {
      const stored = await createMemory(ctx, {
        ...draft,
        door: "mcp",
        ...(tags && { metadata: { ...draft.metadata, tags } }),
      });
      const { id: memoryId, processing, left_out } = stored;
      const notStored = left_out?.map(({ text }) => asLine(text)).join(", ");
      const text = `Stored as ${memoryId}${notStored === undefined ? "." : `, without secrets: ${notStored}.`}`;
      return { text, data: { id: memoryId, status: processing.status, ...(left_out && { left_out }) } };
    },
  }),
  recall: tool({
    description:
      "What is known for a question, within a token budget. If nothing answers it with confidence, say that you do not know.",
    permission: "search:read",
    limit: "basic_search",
    input: z.strictObject({
      query,
      user_id: userId,
      agent_id: z.string().min(1).max(256).optional(),
      max_tokens: z.int().min(50).max(MAX_TOKENS).default(800),
      as_of: moment.optional().describe("ISO 8601: what was true then"),
      answer: z.boolean().default(false).describe("Also answer in words, if the service has a language model"),
    }),
    isPersonal: true,
    annotations: READS,
    run: async (ctx, { query: asked, max_tokens: maxTokens, as_of, answer: isAnswerWanted, ...scope }) => {
      const { ctx: reader, filters } = confineTo(ctx, scope);
      const asOf = as_of === undefined ? undefined : Date.parse(as_of);
      const recalled = await runSearch(ctx, "semantic", asked, async ({ query, signal }) => {
        const found = await recall(reader, { query, filters, maxTokens, tokenizer: "o200k_base", asOf, signal });
        const { context, confident, tokens } = found;
        const items = found.items.map(({ label, memory_id, document }) => {
          return { label, memory_id, content: asLine(document.content) };
        });
        const text = `${confident ? "" : "Nothing that is known answers this with confidence.\n"}${asDataBlock(context)}`;
        const answer = { text, data: { context, confident, tokens, items } };
        return { answer, shown: found.items.flatMap(({ hit }) => hit ?? []) };
      });
      if (!isAnswerWanted || !recalled.data.confident) return recalled;
      const ids = recalled.data.items.map(({ memory_id }) => memory_id);
      const answered = await answerFrom(reader, asked, ids);
      if (!answered) return { ...recalled, text: `There is no answer in words.\n${recalled.text}` };
      const text = `A language model answers from what is known: ${answered.answer}\n${recalled.text}`;
      return { text, data: { ...recalled.data, ...answered } };
    },
  }),
  search: tool({
    description: "Find memories by words and meaning, best first, with their ids.",
    permission: "search:read",
    limit: "basic_search",
    input: z.strictObject({
      query,
      user_id: anyUserId,
      limit: z.int().min(1).max(MAX_FOUND).default(10),
      current_only: z.boolean().default(false).describe("Leave out what no longer holds"),
    }),
    annotations: READS,
    run: (ctx, { query: asked, user_id, limit, current_only: currentOnly }) =>
      runSearch(ctx, "semantic", asked, async ({ query, defaults, signal }) => {
        const filters = user_id === undefined ? {} : { user_id: [user_id] };
        const found = await retrieve(ctx, { query, filters, depth: limit, signal });
        const { ranked: allHits, slots } = found;
        const options = { query, allHits, slots, currentOnly, filters, signal };
        const relevant = showable(ctx.ports.embedder, found, { threshold: undefined, defaults });
        const best = (await currentFirst(ctx, relevant, options)).slice(0, limit);
        const shown = await revealHits(ctx, filters, best);
        const results = shown.map(({ document: { content, occurred_at }, ...hit }) => ({
          id: hit.id,
          content: asLine(content),
          occurred_at,
          score: hit.score,
          superseded_by: hit.superseded_by,
        }));
        return { answer: { text: asDataBlock(results.map(toLine).join("\n")), data: { results } }, shown };
      }),
  }),
  get: tool({
    description: "One memory by its id.",
    permission: "memory:read",
    limit: "read_memory",
    input: z.strictObject({ id }),
    annotations: READS,
    async run(ctx, given) {
      const memory = await getMemory(ctx, given.id);
      return { text: asDataBlock(asItem(memory.content)), data: shownOf(memory) };
    },
  }),
  update: tool({
    description:
      "Change the text of a memory that was stored wrongly. If something has changed since, call remember instead.",
    permission: "memory:write",
    limit: "update_memory",
    input: z.strictObject({ id, content: z.string().min(1).max(100_000) }),
    annotations: CHANGES,
    async run(ctx, given) {
      const memory = await reviseMemory(ctx, given.id, { content: given.content }, { door: "mcp" });
      return { text: `Changed ${memory.id} to version ${memory.version}.`, data: shownOf(memory) };
    },
  }),
  correct: tool({
    description:
      "Say that something known is wrong, by the id of its memory or fact. With `value`, what is right; without, it was never true.",
    permission: "memory:write",
    limit: "update_memory",
    input: z.strictObject({ id, value: z.string().min(1).max(1000).optional() }),
    annotations: CHANGES,
    async run(ctx, given) {
      const fact = await correct(ctx, given);
      const { id: factId, memory_id, subject, attribute, value, status } = fact;
      const text = `${asLine(`${subject}, ${attribute}: ${value}`)} (${status})`;
      return { text: asDataBlock(text), data: { id: factId, memory_id, subject, attribute, value, status } };
    },
  }),
  forget: tool({
    description: "Delete a memory for good. Ask the user first.",
    permission: "memory:delete",
    limit: "delete_memory",
    input: z.strictObject({ id }),
    annotations: CHANGES,
    async run(ctx, given) {
      const deleted = await deleteMemory(ctx, given.id);
      return { text: `Deleted ${deleted.id}.`, data: deleted };
    },
  }),
  list: tool({
    description: "List memories, newest first.",
    permission: "memory:read",
    limit: "read_memory",
    input: z.strictObject({
      user_id: anyUserId,
      limit: z.int().min(1).max(MAX_LISTED).default(20),
      offset: z.int().min(0).max(10_000).default(0),
    }),
    annotations: READS,
    async run(ctx, { limit, offset, ...filter }) {
      const found = await listByEvent(ctx, filter, { field: "created_at", descending: true }, { limit, offset });
      const { has_next } = pagination({ limit, offset }, found.total, found.hasNext);
      const memories = revealTo(filter.user_id, found.memories).map(shownOf);
      return { text: asDataBlock(memories.map(toLine).join("\n")), data: { memories, has_next } };
    },
  }),
  profile: tool({
    description: "What a user said about themselves: facts, preferences, instructions, plans, people, recent changes.",
    permission: "memory:read",
    limit: "read_memory",
    input: z.strictObject({ user_id: userId }),
    isPersonal: true,
    annotations: READS,
    async run(ctx, { user_id = "" }) {
      const { text } = profileOf(await profileFacts(ctx, user_id), ctx.clock());
      return { text: asDataBlock(text), data: { user_id, text } };
    },
  }),
};

/** The names of tools in hosted mem0, by their names here. */
export const ALIASES: Record<string, string> = {
  remember: "add_memory",
  search: "search_memories",
  list: "get_memories",
  get: "get_memory",
  update: "update_memory",
  forget: "delete_memory",
};

function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}

function shownOf({ id: memoryId, content, occurred_at }: Memory): Shown {
  return { id: memoryId, content: asItem(content), occurred_at };
}

function toLine({ id: memoryId, content, occurred_at, superseded_by }: Shown): string {
  const time = occurred_at === undefined ? "" : ` ${dateOf(occurred_at)}`;
  return `[${memoryId}${time}]${superseded_by === undefined ? "" : " (no longer holds)"} ${asLine(content)}`;
}
