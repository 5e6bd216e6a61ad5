import type { CallToolResult } from "@modelcontextprotocol/server";
import { getMemory } from "../../shared/domain/memory/revise.ts";
import { notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { isObject } from "../../shared/kernel/objects.ts";
import { neutralized } from "../../shared/kernel/text/prompt-text.ts";
import { OutOfSpaceError } from "../../shared/ports/errors.ts";
import { requirePermission } from "../../shared/runtime/access/permissions.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { refuseWhileBacklogged } from "../../shared/runtime/http/backlog.ts";
import { toServiceError } from "../../shared/runtime/service-error.ts";
import { memoryIdOf } from "./correct.ts";
import type { Scope, Tool, ToolAnswer } from "./tools.ts";

/**
 * Runs a tool for a model. As the protocol requires, errors are returned as an error result, with the service's error
 * code, so that the model can react.
 */
export async function runTool(
  ctx: Context,
  tool: Tool,
  given: Record<string, unknown>,
  scope: Scope,
): Promise<CallToolResult> {
  try {
    const { text, data } = await useTool(ctx, tool, given, scope);
    return { content: [{ type: "text", text }], structuredContent: rendered(data) };
  } catch (thrown) {
    const { code, message, details } = toServiceError(thrown, ctx.logger);
    const text = JSON.stringify(rendered({ code, message, details }));
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** Renders each text of a tool's data for prompts, whichever tool and field it is of. */
function rendered<Data>(data: Data): Data {
  const render = (value: unknown): unknown => {
    if (typeof value === "string") return neutralized(value);
    if (Array.isArray(value)) return value.map(render);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, render(member)]));
  };
  return render(data) as Data;
}

/** Runs a tool with the caller's permissions and within the connection's scope. */
export async function useTool(
  ctx: Context,
  tool: Tool,
  given: Record<string, unknown>,
  scope: Scope,
): Promise<ToolAnswer> {
  requirePermission(ctx.principal, tool.permission);
  await ctx.countOperation?.(tool.limit);
  const isChange = tool.annotations.readOnlyHint !== true;
  if (isChange && ctx.isShortOfRoom?.()) throw new OutOfSpaceError();
  if (tool.permission === "memory:write") refuseWhileBacklogged(ctx);
  const answer = await tool.run(ctx, await restrictInput(ctx, scope, tool, given));
  if (isChange) await ctx.drainChangeFeed();
  return answer;
}

/** Returns the default user of a connection: the owner of the key, or the key itself if it has no owner. */
function userOfKey({ principal: { owner, id } }: Context): string {
  return owner ?? id;
}

/**
 * Returns the input restricted to the connection's user. Throws PERMISSION_DENIED if it names another user, and a
 * not-found error if it names another user's memory.
 */
async function restrictInput(ctx: Context, { user_id }: Scope, tool: Tool, given: Record<string, unknown>) {
  if (user_id === undefined) {
    return tool.isPersonal && given.user_id === undefined ? { ...given, user_id: userOfKey(ctx) } : given;
  }
  if (typeof given.id === "string") {
    const memory = await getMemory(ctx, await memoryIdOf(ctx, given.id));
    if (memory.user_id !== user_id) throw notFound("memory", given.id);
  }
  if (!("user_id" in tool.input.shape)) return given;
  if (given.user_id !== undefined && given.user_id !== user_id) {
    throw new ServiceError("PERMISSION_DENIED", `This connection is limited to the user '${user_id}'.`, { user_id });
  }
  return { ...given, user_id };
}
