import type * as z from "zod";
import { resultsOf } from "../../../shared/domain/integration/compat/changes.ts";
import {
  type CompatEvent,
  ended,
  insertEvent,
  newEvent,
  putEvent,
} from "../../../shared/domain/integration/compat/events.ts";
import { ANY } from "../../../shared/domain/integration/compat/filters.ts";
import { rememberSynchronously } from "../../../shared/domain/integration/compat/remember.ts";
import { addLeftOut, addResults, listResults, readResults } from "../../../shared/domain/integration/compat/results.ts";
import { labelsOf } from "../../../shared/domain/integration/compat/subjects.ts";
import { admitConversation } from "../../../shared/domain/memory/admit-conversation.ts";
import {
  type Conversation,
  categorize,
  type LeftOut,
  rememberMessages,
} from "../../../shared/domain/memory/conversation.ts";
import { createMemory } from "../../../shared/domain/memory/create.ts";
import { type ConversationGuidelines, withoutExcluded } from "../../../shared/domain/memory/guidelines.ts";
import { type EventResult, type MemoryResult, toResult } from "../../../shared/domain/memory/memory-results.ts";
import { mergedCategories, type ProjectSettings, readProjectSettings } from "../../../shared/domain/memory/project.ts";
import { invalid } from "../../../shared/kernel/errors.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { namesOf } from "../common/names.ts";
import { readMessages } from "./messages.ts";
import type { AddAnswer, AddMemories } from "./schemas.ts";

type Given = z.output<typeof AddMemories>;
type Answer = z.input<typeof AddAnswer>;

/**
 * Stores a memory as it is, or extracts memories from messages. Extraction that takes longer is done by a worker and
 * reported by the event; everything else is done before the response.
 */
export async function addMemories(ctx: Context, given: Given): Promise<Answer> {
  const infer = given.infer ?? true;
  const draft = toDraft(ctx, given);
  const project = await readProjectSettings(ctx);
  const custom_categories = mergedCategories(given.custom_categories ?? project.custom_categories);
  if (given.memory !== undefined) return addMemory(ctx, given.memory, draft, custom_categories, infer);
  const { messages, leftOut } = readMessages(given.messages ?? []);
  if (messages.length === 0 && !leftOut.some(({ reason }) => reason === "not_text")) {
    throw invalid({ field: "messages", problem: "contain no text" });
  }
  const received: Conversation = { messages, draft, ...(custom_categories && { custom_categories }) };
  const { conversation, leftOut: secrets } = await admitConversation(ctx, received);
  const notStored = [...leftOut, ...secrets];
  if (!infer) return addUnchanged(ctx, conversation, notStored);
  const included = await withoutExcluded(ctx, conversation, guidelinesOf(given, project));
  return addInferred(ctx, included.conversation, [...notStored, ...included.leftOut]);
}

function guidelinesOf(given: Given, project: ProjectSettings): ConversationGuidelines {
  const { includes, excludes } = given;
  const instructions = given.custom_instructions ?? project.custom_instructions;
  const agents = given.agent_custom_instructions ?? project.agent_custom_instructions ?? instructions;
  return { own: { includes, excludes, instructions }, assistants: { includes, excludes, instructions: agents } };
}

async function addMemory(
  ctx: Context,
  content: string,
  draft: Conversation["draft"],
  customCategories: Conversation["custom_categories"],
  infer: boolean,
): Promise<Answer> {
  const begun = newEvent(ctx, { type: "memory.add", resource: "memory" });
  const options = infer ? {} : { extract_facts: false };
  const origin = { door: "mem0" as const, derived_from: begun.id };
  const whole = { ...draft, ...categorize(content, draft, customCategories), ...origin, content, options };
  const eventWith = (id: string, results: EventResult[]) => ended(begun, ctx.clock(), { resource_id: id, results });
  const memory = await createMemory(ctx, whole, {
    extraWrites: (made) => [insertEvent(eventWith(made.id, [{ id: made.id, event: "ADD" }]))],
  });
  const results = await resultsOf(ctx, memory, true);
  if (results.some(({ event }) => event !== "ADD")) {
    await ctx.ports.records.write(putEvent(eventWith(memory.id, results.map(toResult))));
  }
  return answer(begun.id, "completed", results);
}

/** Extracts memories from messages. Without messages, the event completes at once. */
async function addInferred(ctx: Context, conversation: Conversation, leftOut: LeftOut[]): Promise<Answer> {
  if (conversation.messages.length > 0) return answerFor(ctx, await rememberSynchronously(ctx, conversation, leftOut));
  const begun = addLeftOut(newEvent(ctx, { type: "memory.add", resource: "memory" }), leftOut);
  const event = ended(begun, ctx.clock(), {});
  await ctx.ports.records.write(insertEvent(event));
  return answerFor(ctx, event);
}

/** An unfinished add is PENDING even if it has stored memories, so that clients poll its event. */
async function answerFor(ctx: Context, event: CompatEvent): Promise<Answer> {
  if (event.status === "FAILED") return answer(event.id, "FAILED", []);
  if (event.status !== "COMPLETED") return answer(event.id, "PENDING", []);
  const results = await listResults(ctx.ports.records, event);
  const withContent = await readResults(ctx, results);
  const readable = results
    .map(withContent)
    .flatMap(({ memory, ...rest }) => (memory === undefined ? [] : [{ ...rest, memory }]));
  return answer(event.id, "completed", readable);
}

async function addUnchanged(ctx: Context, conversation: Conversation, leftOut: LeftOut[]): Promise<Answer> {
  const begun = addLeftOut(newEvent(ctx, { type: "memory.add", resource: "memory" }), leftOut);
  const results = await rememberMessages(ctx, {
    name: begun.id,
    origin: { door: "mem0", derived_from: begun.id },
    conversation,
    resultsOf,
  });
  const [first, ...others] = results;
  const resource = first && others.length === 0 ? { resource_id: first.id } : {};
  const now = ctx.clock();
  const { event, pages } = addResults(ended(begun, now, resource), results.map(toResult), now);
  await ctx.ports.records.write(insertEvent(event), ...pages);
  return answer(event.id, "SUCCEEDED", results);
}

type Result = Pick<MemoryResult, "id" | "event" | "memory"> & Partial<MemoryResult>;

function answer(event_id: string, status: Answer["status"], results: Result[]): Answer {
  return {
    event_id,
    status,
    memory_ids: results.flatMap(({ id, event }) => (event === "DELETE" ? [] : id)),
    results: results.map((result) => ({ ...result, data: { memory: result.memory } })),
  };
}

function toDraft(ctx: Context, given: Given): Conversation["draft"] {
  const { metadata, categories, expiration_date, occurred_at = given.timestamp } = given;
  const names = namesOf(given);
  for (const [field, name] of Object.entries(names)) {
    if (name?.trim() === ANY) throw invalid({ field, problem: "must be one name; * means all of them" });
  }
  const user_id = names.user_id?.trim();
  const now = ctx.clock();
  if (expiration_date && Date.parse(expiration_date) <= now) {
    throw invalid({ field: "expiration_date", problem: "must be in the future" });
  }
  return {
    ...(user_id && { user_id }),
    ...labelsOf(names),
    ...(metadata && { metadata }),
    ...(categories && categories.length > 0 && { categories }),
    ...(expiration_date && { expire_at: expiration_date }),
    ...(occurred_at && { occurred_at }),
  };
}
