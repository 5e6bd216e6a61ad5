import type { Context } from "../../../runtime/context.ts";
import { type Conversation, readPart, remember, statementsOf } from "../../memory/conversation.ts";
import { ownResult } from "../../memory/memory-results.ts";
import type { CompatEvent } from "../compat/events.ts";
import type { ImportedMessage } from "./reading/entry.ts";
import type { RowOutcome } from "./row-writer.ts";
import { MAX_CONTENT_LENGTH } from "./rows/row.ts";

/**
 * Extracts memories from a message of another service's conversation, as for added conversations. A repeated message of
 * the same event and position stores nothing twice; one without new statements is skipped.
 */
export async function rememberMessage(
  ctx: Context,
  { id: event, created_at }: Pick<CompatEvent, "id" | "created_at">,
  { index, message }: { index: number; message: ImportedMessage },
  user_id: string | undefined,
): Promise<RowOutcome> {
  const { role, content, occurred_at, metadata } = message;
  if (content.length > MAX_CONTENT_LENGTH) {
    return { failed: { index, fields: [{ field: "row", problem: `has more than ${MAX_CONTENT_LENGTH} characters` }] } };
  }
  const part = [{ role, content }];
  const draft = {
    metadata,
    ...(user_id !== undefined && { user_id }),
    ...(occurred_at !== undefined && { occurred_at }),
  };
  const conversation: Conversation = { messages: part, draft };
  const { found } = await readPart(ctx, conversation, part, created_at);
  const telling = { name: `${event}#${index}`, conversation, resultsOf: ownResult };
  let isNew = false;
  for (const statement of statementsOf(part, found)) {
    const results = await remember(ctx, telling, statement, { skip_duplicates: true });
    if (results.some(({ event: came }) => came === "ADD")) isNew = true;
  }
  return isNew ? "remembered" : "skipped";
}
