import type { Context } from "../platform/context.ts";
import type { Conversation, LeftOut } from "./conversation.ts";
import { isReadByRules } from "./understand.ts";
import { type ConversationWishes, heedWishes } from "./wishes.ts";

/**
 * A conversation as it is read: what is excluded is taken out before, so that it is sent to no model. What is included a
 * model knows better than the rules, so that it is given the wishes.
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
