import type { Context } from "../../runtime/context.ts";
import type { Conversation, LeftOut } from "./conversation.ts";
import { applyGuidelines, type ConversationGuidelines } from "./guidelines.ts";
import { isReadByRules } from "./understand.ts";

/**
 * Returns the conversation to read, without excluded parts, so that no model receives them. If a model reads it,
 * inclusions are left to the model, which gets the instructions; otherwise they are applied here.
 */
export async function withoutExcluded(
  ctx: Context,
  conversation: Conversation,
  guidelines: ConversationGuidelines,
): Promise<{ conversation: Conversation; leftOut: LeftOut[] }> {
  const byRules = await isReadByRules(ctx);
  const { messages, leftOut } = applyGuidelines(conversation.messages, guidelines, byRules ? "all" : "excludes");
  const before = conversation.before && applyGuidelines(conversation.before, guidelines, "excludes").messages;
  const reduced = { ...conversation, messages, ...(before && { before }) };
  return { conversation: { ...reduced, ...(byRules ? {} : { wishes: guidelines }) }, leftOut };
}
