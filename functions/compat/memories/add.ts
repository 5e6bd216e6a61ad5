import type * as z from "zod";
import { type Conversation, categorize, rememberMessages } from "../../../shared/compat/conversation.ts";
import { ended, insertEvent, newEvent } from "../../../shared/compat/events.ts";
import { submitConversation } from "../../../shared/compat/requests.ts";
import { addResults, type Remembered, toRemembered } from "../../../shared/compat/results.ts";
import { invalid } from "../../../shared/kernel/errors.ts";
import { createMemory, type MemoryDraft } from "../../../shared/memory/create.ts";
import type { Context } from "../../../shared/platform/context.ts";
import { namesOf } from "../names.ts";
import type { AddAnswer, AddMemories } from "./schemas.ts";

type Given = z.output<typeof AddMemories>;
type Answer = z.input<typeof AddAnswer>;

/**
 * Stores a memory as it is, or what is worth remembering of messages. The latter is done by a worker, and the answer's
 * event tells when; all else is done before the answer.
 */
export async function addMemories(ctx: Context, given: Given): Promise<Answer> {
  const infer = given.infer ?? true;
  const draft = toDraft(ctx, given);
  const custom_categories = given.custom_categories ? Object.assign({}, ...given.custom_categories) : undefined;
  if (given.memory !== undefined) return addMemory(ctx, given.memory, draft, custom_categories, infer);
  const messages = (given.messages ?? []).map(({ role, content }) => ({ role, content: textOf(content) }));
  if (messages.every(({ content }) => content.trim() === "")) {
    throw invalid({ field: "messages", problem: "there is no text in them" });
  }
  const conversation: Conversation = { messages, draft, ...(custom_categories && { custom_categories }) };
  return infer ? addLater(ctx, conversation) : addAsTheyAre(ctx, conversation);
}

async function addMemory(
  ctx: Context,
  content: string,
  draft: Conversation["draft"],
  own: Conversation["custom_categories"],
  infer: boolean,
): Promise<Answer> {
  const event = newEvent(ctx, { type: "memory.add", resource: "memory" });
  const options = infer ? {} : { extract_facts: false };
  const whole = { ...draft, ...categorize(content, draft, own), content, options };
  const memory = await createMemory(ctx, whole, {
    along: (made) => [
      insertEvent(ended(event, ctx.clock(), { resource_id: made.id, results: [{ id: made.id, event: "ADD" }] })),
    ],
  });
  return answer(event.id, "completed", [toRemembered(memory, true)]);
}

async function addLater(ctx: Context, conversation: Conversation): Promise<Answer> {
  const { id } = await submitConversation(ctx, conversation);
  return answer(id, "PENDING", []);
}

async function addAsTheyAre(ctx: Context, conversation: Conversation): Promise<Answer> {
  const begun = newEvent(ctx, { type: "memory.add", resource: "memory" });
  const results = await rememberMessages(ctx, begun.id, conversation);
  const [first, ...others] = results;
  const one = first && others.length === 0 ? { resource_id: first.id } : {};
  const now = ctx.clock();
  const brief = results.map(({ id, event }) => ({ id, event }));
  const { event, pages } = addResults(ended(begun, now, one), brief, now);
  await ctx.ports.records.write(insertEvent(event), ...pages);
  return answer(event.id, "SUCCEEDED", results);
}

function answer(event_id: string, status: Answer["status"], results: Remembered[]): Answer {
  return { event_id, status, memory_ids: results.map(({ id }) => id), results };
}

function toDraft(ctx: Context, given: Given): Omit<MemoryDraft, "id" | "content" | "options"> {
  const { metadata, categories, expiration_date, occurred_at = given.timestamp } = given;
  const { user_id, agent_id, app_id, run_id } = namesOf(given);
  const now = ctx.clock();
  if (expiration_date && Date.parse(expiration_date) <= now) {
    throw invalid({ field: "expiration_date", problem: "must be in the future" });
  }
  const labels = {
    ...(agent_id && { agent: agent_id }),
    ...(app_id && { app: app_id }),
    ...(run_id && { run: run_id }),
  };
  return {
    ...(user_id && { user_id }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(metadata && { metadata }),
    ...(categories && categories.length > 0 && { categories }),
    ...(expiration_date && { expire_at: expiration_date }),
    ...(occurred_at && { occurred_at }),
  };
}

function textOf(content: string | { text: string }[] | null | undefined): string {
  const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text).join("\n");
  return text.toWellFormed();
}
