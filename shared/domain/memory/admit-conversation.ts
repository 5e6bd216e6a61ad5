import type { Omission } from "../../language/statements/schemas.ts";
import type { Context } from "../../runtime/context.ts";
import { admit, type Detection, recordDetection } from "./admit-text.ts";
import type { Conversation, SpokenMessage } from "./conversation.ts";

/**
 * Admits the messages of a conversation and the metadata of its memories before any of it is read or stored; see
 * `admit`. `target` is the id of the resource that the audit record names, if there is one.
 */
export async function admitConversation(ctx: Context, conversation: Conversation, target?: string) {
  const { messages, before, draft } = conversation;
  const { user_id, metadata } = draft;
  const leftOut: Omission[] = [];
  const found: Detection[] = [];
  const admitEach = async (all: SpokenMessage[]) => {
    const admitted: SpokenMessage[] = [];
    for (const message of all) {
      const { text, leftOut: own, detection } = await admit(ctx, { content: message.content, user_id });
      leftOut.push(...own);
      if (detection) found.push(detection);
      admitted.push({ ...message, content: text.content, ...(text.sent && { secrets: text.sent.secrets }) });
    }
    return admitted;
  };
  const admittedMessages = await admitEach(messages);
  const earlier = before && (await admitEach(before));
  // Refused here if it has secrets; otherwise the memories are admitted with it.
  if (metadata) await admit(ctx, { content: "", metadata, user_id });
  const [first] = found;
  const detection = first && { ...first, types: found.flatMap(({ types }) => types) };
  await recordDetection(ctx, detection, target);
  return {
    conversation: { ...conversation, messages: admittedMessages, ...(earlier && { before: earlier }) },
    leftOut,
  };
}
