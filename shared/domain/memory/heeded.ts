import type { Context } from "../../runtime/context.ts";
import type { Conversation, LeftOut } from "./conversation.ts";
import { isReadByRules } from "./understand.ts";
import { type ConversationWishes, heedWishes } from "./wishes.ts";

/**
 * Returns the conversation to read, without excluded parts, so that no model receives them. If a model reads it,
 * inclusions are left to the model, which gets the instructions; otherwise they are applied here.
 */
export async function heedForReading(
  ctx: Context,
  conversation: Conversation,
  wishes: ConversationWishes,
): Promise<{ conversation: Conversation; leftOut: LeftOut[] }> {
  const byRules = await isReadByRules(ctx);
  const { messages, leftOut } = heedWishes(conversation.messages, wishes, byRules ? "all" : "excludes");
  const before = conversation.before && heedWishes(conversation.before, wishes, "excludes").messages;
  const heeded = { ...conversation, messages, ...(before && { before }) };
  return { conversation: { ...heeded, ...(byRules ? {} : { wishes }) }, leftOut };
}
