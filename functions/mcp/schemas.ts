import * as z from "zod";
import { label } from "../../shared/runtime/schemas/fields.ts";

/** Maximum messages per batch, because a whole batch counts as one request. */
const MAX_BATCH = 10;

/** The scope of a connection. An agent's own key also restricts it to what the agent may see. */
export const Scope = z.object({
  user_id: label.optional().describe("The tools read and write only this user's memories."),
});

/** JSON-RPC 2.0. The protocol library validates the rest and returns its own errors. */
const message = z.looseObject({}).refine(isMessage, "is not a message of JSON-RPC 2.0");

/** A request, a notification or a response; `id` is a text or an integer. */
function isMessage({ jsonrpc, id, method, result, error }: Record<string, unknown>): boolean {
  if (jsonrpc !== "2.0") return false;
  const hasId = typeof id === "string" || Number.isInteger(id);
  if (method !== undefined) return typeof method === "string" && (hasId || id === undefined);
  return (hasId && result !== undefined) !== (error !== undefined);
}

/** Only protocol versions before 2025-06-18 have batches. */
export const Messages = z
  .union([message, z.array(message).min(1).max(MAX_BATCH)])
  .describe("A message of the Model Context Protocol; up to 10 of them before its version 2025-06-18.");

/** The error form of JSON-RPC. */
export const JsonRpcError = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.null().describe("Always null, because no message was parsed."),
  error: z.object({
    code: z.int().describe("Error code of JSON-RPC."),
    message: z.string(),
    data: z
      .object({ code: z.string(), details: z.record(z.string(), z.unknown()) })
      .optional()
      .describe("The error in the service's own form."),
  }),
});
