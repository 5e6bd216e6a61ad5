import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { createMemory } from "../../shared/domain/memory/create.ts";
import { listByEvent } from "../../shared/domain/memory/event-list.ts";
import type { Memory } from "../../shared/domain/memory/memory.ts";
import { deleteMemory, getMemory, reviseMemory } from "../../shared/domain/memory/revise.ts";
import { currentFirst } from "../../shared/domain/retrieval/current-first.ts";
import { knownOfUser } from "../../shared/domain/retrieval/profiles/known-facts.ts";
import { profileOf } from "../../shared/domain/retrieval/profiles/profile.ts";
import { recall } from "../../shared/domain/retrieval/recall/recall.ts";
import { confineTo } from "../../shared/domain/retrieval/recall/scope.ts";
import { showable } from "../../shared/domain/retrieval/relevance.ts";
import { retrieve } from "../../shared/domain/retrieval/retrieve.ts";
import { runSearch } from "../../shared/domain/retrieval/run-search.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import { asDataBlock, asItem, asLine } from "../../shared/kernel/text/prompt-text.ts";
import type { Permission } from "../../shared/runtime/access/permissions.ts";
import type { LimitedOperation } from "../../shared/runtime/access/plans.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { ALL, moment, storedUserId } from "../../shared/runtime/schemas/fields.ts";
import type * as schemas from "./schemas.ts";

export type Scope = z.output<typeof schemas.Scope>;

/** A tool's answer: text for the model, and the same content as structured data. */
export interface ToolAnswer {
  text: string;
  data: Record<string, unknown>;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  title: string;
  description: string;
  permission: Permission;
  /** The plan's limit that a call counts against. */
  limit: LimitedOperation;
  input: Input;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  run(ctx: Context, given: z.output<Input>): Promise<ToolAnswer>;
}

const MAX_FOUND = 50;
const MAX_LISTED = 100;
const MAX_TOKENS = 8_000;
/** Maximum number of facts that a profile is made from. */
const MAX_PROFILE_FACTS = 10_000;

const OF_WHOM = "The user of the memory; leave it out if the connection is limited to one user";
const userId = z.string().min(1).max(256).optional().describe(OF_WHOM);
/** The same for a tool that only reads: `*` means every user whom the caller may read. */
const anyUserId = userId.transform((user) => (user === ALL ? undefined : user));
const id = z.string().min(1).max(256).describe("The memory's id, from another tool's answer");
const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
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

const Shown = z.object({
  id: z.string(),
  content: z.string(),
  occurred_at: z.string().optional(),
  score: z.number().optional(),
  superseded_by: z.string().optional(),
});

export const TOOLS: Record<string, Tool> = {
  remember: tool({
    title: "Remember",
    description:
      "Store something that should be known later: a fact about the user, a preference, a decision, an event. One statement a call, in the user's words, with names instead of pronouns.",
    permission: "memory:write",
    limit: "create_memory",
    input: z.object({
      content: z.string().min(1).max(100_000),
      user_id: storedUserId.optional().describe(OF_WHOM),
      occurred_at: moment.optional().describe("When it happened or was said; the default is now"),
      category: z.string().min(1).max(256).optional(),
    }),
    output: z.object({ id: z.string(), status: z.string() }),
    annotations: ADDS,
    async run(ctx, draft) {
      const stored = await createMemory(ctx, draft);
      const status = stored.processing.status;
      return { text: `Stored as ${stored.id}.`, data: { id: stored.id, status } };
    },
  }),
  recall: tool({
    title: "Recall",
    description:
      "What is known for a question, as a block of lines within a token budget. Superseded statements are included only if the question is about the past. If `confident` is false, nothing answers the question: say that you do not know.",
    permission: "search:read",
    limit: "basic_search",
    input: z.object({
      query: z.string().min(1).max(1000),
      user_id: userId,
      agent_id: z.string().min(1).max(256).optional(),
      max_tokens: z.int().min(50).max(MAX_TOKENS).default(800),
      as_of: moment.optional().describe("Answer with what was true at this time"),
    }),
    output: z.object({
      context: z.string(),
      confident: z.boolean(),
      tokens: z.number(),
      items: z.array(z.object({ label: z.string(), memory_id: z.string(), content: z.string() })),
    }),
    annotations: READS,
    run: (ctx, { query: asked, max_tokens: maxTokens, as_of, ...scope }) => {
      const { ctx: reader, filters } = confineTo(ctx, scope);
      const asOf = as_of === undefined ? undefined : Date.parse(as_of);
      return runSearch(ctx, "semantic", asked, async ({ query, signal }) => {
        const found = await recall(reader, { query, filters, maxTokens, tokenizer: "o200k_base", asOf, signal });
        const { context, confident, tokens } = found;
        const items = found.items.map(({ label, memory_id, document }) => {
          return { label, memory_id, content: asLine(document.content) };
        });
        const text = `${confident ? "" : "Nothing that is known answers this with confidence.\n"}${asDataBlock(context)}`;
        const answer = { text, data: { context, confident, tokens, items } };
        return { answer, shown: found.items.flatMap(({ hit }) => hit ?? []) };
      });
    },
  }),
  search: tool({
    title: "Search",
    description: "Memories that a query finds by words and meaning, best first, with their ids.",
    permission: "search:read",
    limit: "basic_search",
    input: z.object({
      query: z.string().min(1).max(1000),
      user_id: anyUserId,
      limit: z.int().min(1).max(MAX_FOUND).default(10),
      current_only: z.boolean().default(false).describe("Leave out statements that are no longer true"),
    }),
    output: z.object({ results: z.array(Shown) }),
    annotations: READS,
    run: (ctx, { query: asked, user_id, limit, current_only: currentOnly }) =>
      runSearch(ctx, "semantic", asked, async ({ query, defaults, signal }) => {
        const filters = user_id === undefined ? {} : { user_id: [user_id] };
        const found = await retrieve(ctx, { query, filters, depth: limit, signal });
        const options = { query, allHits: found.ranked, currentOnly, filters, signal };
        const shown = (
          await currentFirst(ctx, showable(ctx.ports.embedder, found, { threshold: undefined, defaults }), options)
        ).slice(0, limit);
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
    title: "Get a memory",
    description: "One memory by its id.",
    permission: "memory:read",
    limit: "read_memory",
    input: z.object({ id }),
    output: Shown,
    annotations: READS,
    async run(ctx, given) {
      const memory = await getMemory(ctx, given.id);
      return { text: asDataBlock(asItem(memory.content)), data: shownOf(memory) };
    },
  }),
  update: tool({
    title: "Update a memory",
    description:
      "Correct the text of a memory. If something has changed since, store a new memory instead so that both keep their time.",
    permission: "memory:write",
    limit: "update_memory",
    input: z.object({ id, content: z.string().min(1).max(100_000) }),
    output: Shown,
    annotations: CHANGES,
    async run(ctx, given) {
      const memory = await reviseMemory(ctx, given.id, { content: given.content });
      return { text: `Changed ${memory.id} to version ${memory.version}.`, data: shownOf(memory) };
    },
  }),
  forget: tool({
    title: "Forget a memory",
    description: "Delete a memory for good. Ask the user first.",
    permission: "memory:delete",
    limit: "delete_memory",
    input: z.object({ id }),
    output: z.object({ id: z.string(), deleted_at: z.string() }),
    annotations: CHANGES,
    async run(ctx, given) {
      const deleted = await deleteMemory(ctx, given.id);
      return { text: `Deleted ${deleted.id}.`, data: deleted };
    },
  }),
  list: tool({
    title: "List memories",
    description: "Memories of a user, newest first, page by page.",
    permission: "memory:read",
    limit: "read_memory",
    input: z.object({
      user_id: anyUserId,
      limit: z.int().min(1).max(MAX_LISTED).default(20),
      offset: z.int().min(0).max(10_000).default(0),
    }),
    output: z.object({ memories: z.array(Shown), has_next: z.boolean() }),
    annotations: READS,
    async run(ctx, { limit, offset, ...filter }) {
      const found = await listByEvent(ctx, filter, { field: "created_at", descending: true }, { limit, offset });
      const { has_next } = pagination({ limit, offset }, found.total, found.hasNext);
      const memories = found.memories.map(shownOf);
      return { text: asDataBlock(memories.map(toLine).join("\n")), data: { memories, has_next } };
    },
  }),
  profile: tool({
    title: "Profile",
    description:
      "The user's profile from their own words: lasting facts, preferences, instructions, plans, people, recent changes.",
    permission: "memory:read",
    limit: "read_memory",
    input: z.object({ user_id: userId }),
    output: z.object({ user_id: z.string(), text: z.string() }),
    annotations: READS,
    async run(ctx, { user_id }) {
      if (user_id === undefined) throw new Error("Send a user_id.");
      const known = await knownOfUser(ctx, user_id, MAX_PROFILE_FACTS);
      const { text } = profileOf(known, ctx.clock());
      return { text: asDataBlock(text), data: { user_id, text } };
    },
  }),
};

/** Additional tool names, which hosted mem0 uses, by the name of the tool here. */
export const ALIASES: Record<string, string[]> = {
  remember: ["add_memory"],
  search: ["search_memories"],
  list: ["get_memories"],
  get: ["get_memory"],
  update: ["update_memory"],
  forget: ["delete_memory"],
};

function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}

function shownOf({ id: memoryId, content, occurred_at }: Memory): z.input<typeof Shown> {
  return { id: memoryId, content: asItem(content), occurred_at };
}

function toLine({ id: memoryId, content, occurred_at, superseded_by }: z.input<typeof Shown>): string {
  const time = occurred_at === undefined ? "" : ` ${occurred_at.slice(0, 10)}`;
  return `[${memoryId}${time}]${superseded_by === undefined ? "" : " (no longer holds)"} ${asLine(content)}`;
}
