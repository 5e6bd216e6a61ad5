import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { toServiceError } from "../../shared/http/envelope.ts";
import { covers } from "../../shared/identity/permissions.ts";
import { notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { getMemory } from "../../shared/memory/revise.ts";
import type { Context } from "../../shared/platform/context.ts";
import { OutOfSpaceError } from "../../shared/platform/errors.ts";
import type { Scope, Tool } from "./tools.ts";

/**
 * Runs a tool under the caller's permissions and within the connection's scope. What it throws is answered as the
 * protocol has it: a result that is an error, with the service's code, so that the model can do otherwise.
 */
export async function runTool(
  ctx: Context,
  tool: Tool,
  given: Record<string, unknown>,
  scope: Scope,
): Promise<CallToolResult> {
  try {
    demand(ctx, tool);
    const isChange = tool.annotations.readOnlyHint !== true;
    if (isChange && ctx.isShortOfRoom?.()) throw new OutOfSpaceError();
    const { text, data } = await tool.run(ctx, await within(ctx, scope, tool, given));
    if (isChange) await ctx.settle();
    return { content: [{ type: "text", text }], structuredContent: data };
  } catch (thrown) {
    const { code, message, details } = toServiceError(thrown, ctx.logger);
    return { content: [{ type: "text", text: JSON.stringify({ code, message, details }) }], isError: true };
  }
}

function demand(ctx: Context, { permission }: Tool): void {
  if (covers(ctx.principal.permissions, permission)) return;
  throw new ServiceError("PERMISSION_DENIED", `This tool needs the permission '${permission}'.`, {
    required: permission,
  });
}

/** What was given, of the connection's user: another one is refused, and another's memory is not found. */
async function within(ctx: Context, { user_id }: Scope, { input }: Tool, given: Record<string, unknown>) {
  if (user_id === undefined) return given;
  if (typeof given.id === "string") {
    const memory = await getMemory(ctx, given.id);
    if (memory.user_id !== user_id) throw notFound("memory", given.id);
  }
  if (!("user_id" in input.shape)) return given;
  if (given.user_id !== undefined && given.user_id !== user_id) {
    throw new ServiceError("PERMISSION_DENIED", `This connection is for the user '${user_id}' alone.`, { user_id });
  }
  return { ...given, user_id };
}
