import { timestamp } from "../kernel/clock.ts";
import { type Context, type Home, onBehalfOf } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { rememberFacts } from "./conversation.ts";
import { deleteWhere } from "./deletion.ts";
import { type CompatEvent, ended, findEvent, isOver, moveEvent } from "./events.ts";
import { about } from "./filters.ts";
import { announce, type EventMessage } from "./queue.ts";
import { dropRequest, findRequest, type WorkRequest } from "./requests.ts";
import { addResults } from "./results.ts";

/** How often the worker tries an event before it gives up. */
export const MAX_ATTEMPTS = 3;
const MAX_ERROR_LENGTH = 500;
/** Memories that one message deletes. */
const DELETED_AT_ONCE = 500;
/** Until the search index knows what was deleted, on AWS. */
const LAG_SECONDS = 5;

/**
 * Works on an event that a message names. A message may come twice, late, or when there is nothing left to do. Rejects
 * when the message is to come again, or after the last attempt, when the event says that it failed.
 */
export async function workOn(home: Home, { org, event_id }: EventMessage, isLastAttempt: boolean): Promise<void> {
  const owner = { ...home, org, viewer: undefined };
  const event = await findEvent(owner, event_id);
  if (!event || isOver(event)) return;
  const now = timestamp(home.clock());
  const begun = await moveEvent(home, {
    ...event,
    status: "RUNNING",
    started_at: event.started_at ?? now,
    updated_at: now,
  });
  if (!begun) return;
  try {
    const request = await findRequest(owner, begun);
    // Another delivery of the message came to the end in the meantime.
    if (!request) return;
    const { event: after, pages } = await carryOut(actingFor(home, begun), begun, request);
    const moved = await moveEvent(home, after, ...pages);
    if (moved && isOver(moved)) await dropRequest(owner, moved);
  } catch (error) {
    if (isLastAttempt) await giveUp(home, begun, error);
    throw error;
  }
}

/** The context that whoever began the event had. */
function actingFor(home: Home, { org, by }: CompatEvent): Context {
  const principal = { ...by, org, operator: false, plan: "free" as const, permissions: [] };
  const ctx: Context = { ...home, org, viewer: undefined, principal };
  return by.agent === undefined ? ctx : onBehalfOf(ctx, by.agent);
}

async function carryOut(
  ctx: Context,
  event: CompatEvent,
  request: WorkRequest,
): Promise<{ event: CompatEvent; pages: Write[] }> {
  if ("remember" in request) {
    const results = (await rememberFacts(ctx, event.id, request.remember)).map(({ id, event: what }) => {
      return { id, event: what };
    });
    const [first, ...others] = results;
    const resource_id = others.length === 0 ? first?.id : undefined;
    const over = ended(event, ctx.clock(), { ...(resource_id !== undefined && { resource_id }) });
    return addResults(over, results, ctx.clock());
  }
  const { deleted, hasMore } = await deleteWhere(ctx, about(request.delete), DELETED_AT_ONCE);
  const done = (event.progress?.done ?? 0) + deleted;
  const progress = { total: done, done, failed: 0 };
  if (!hasMore) return { event: ended(event, ctx.clock(), { progress }), pages: [] };
  if (deleted === 0) throw new Error("none of the memories that were found could be deleted, and there are more");
  await announce(ctx, { org: event.org, event_id: event.id }, LAG_SECONDS);
  return { event: { ...event, progress, updated_at: timestamp(ctx.clock()) }, pages: [] };
}

/** The failure itself is told by whoever calls; that it could not be noted must not hide it. */
async function giveUp(home: Home, event: CompatEvent, failure: unknown): Promise<void> {
  const message = String(failure).slice(0, MAX_ERROR_LENGTH);
  home.logger.error("EVENT_FAILED", { org: event.org, event: event.id, error: failure });
  const errors = [{ code: "INTERNAL_ERROR", message: "It could not be done. Send it again." }];
  try {
    await moveEvent(home, ended(event, home.clock(), { status: "FAILED", errors }));
  } catch (error) {
    home.logger.error("EVENT_FAILURE_NOT_NOTED", { org: event.org, event: event.id, failure: message, error });
  }
}
