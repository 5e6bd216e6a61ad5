import { timestamp } from "../kernel/clock.ts";
import { type Context, type Home, type OrgHome, onBehalfOf } from "../platform/context.ts";
import { Superseded } from "../platform/errors.ts";
import { isTooComplex } from "../text-work/task.ts";
import { deleteWhere } from "./deletion.ts";
import { advanceEvent, type CompatEvent, ended, findEvent, isOver, moveEvent } from "./events.ts";
import { about, type Names } from "./filters.ts";
import { announce, type EventMessage } from "./queue.ts";
import { rememberFor } from "./remembering.ts";
import { dropText, getRequest, removeRequest } from "./requests.ts";

/** How often a worker begins with an event that gets no further, before it is given up. */
export const MAX_ATTEMPTS = 3;
const MAX_ERROR_LENGTH = 500;
/** Memories that one message deletes. */
const DELETED_AT_ONCE = 500;
/** Until the search index knows what was deleted, on AWS. */
const LAG_SECONDS = 5;

/**
 * Works on an event that a message names, for about so many milliseconds; what is left then waits for another message. A
 * message may come twice, late, or when there is nothing left to do, and whoever works on it may be cut off. Rejects with
 * what went wrong; after the last attempt the event says that it failed.
 */
export async function workOn(home: Home, { org, event_id }: EventMessage, turnMs: number): Promise<void> {
  const owner = { ...home, org, viewer: undefined };
  const event = await findEvent(owner, event_id);
  // Imports and exports have workers of their own.
  if (!event || isOver(event) || event.resource !== "memory") return;
  const attempts = (event.attempts ?? 0) + 1;
  if (attempts > MAX_ATTEMPTS) return giveUp(owner, event, "whoever began with it was cut off");
  const now = timestamp(home.clock());
  const begun = {
    ...event,
    status: "RUNNING" as const,
    attempts,
    started_at: event.started_at ?? now,
    updated_at: now,
  };
  const moved = await moveEvent(home, begun);
  if (!moved) return;
  try {
    await goOn(actingFor(home, moved), moved, turnMs);
  } catch (error) {
    if (error instanceof Superseded) return;
    if (isTooComplex(error)) return giveUp(owner, moved, error);
    if (attempts === MAX_ATTEMPTS) await giveUp(owner, moved, error);
    throw error;
  }
}

/** The context that whoever began the event had. */
function actingFor(home: Home, { org, by }: CompatEvent): Context {
  const principal = { ...by, org, operator: false, plan: "free" as const, permissions: [] };
  const ctx: Context = { ...home, org, viewer: undefined, principal };
  return by.agent === undefined ? ctx : onBehalfOf(ctx, by.agent);
}

async function goOn(ctx: Context, begun: CompatEvent, turnMs: number): Promise<void> {
  const { request, place } = await getRequest(ctx, begun);
  const isRemembered = "remember" in request;
  const reached = isRemembered
    ? await rememberFor(ctx, begun, request.remember, place, turnMs)
    : await deleteSome(ctx, begun, request.delete);
  if (isOver(reached)) await dropText(ctx, reached);
  else await announce(ctx, { org: reached.org, event_id: reached.id }, isRemembered ? 0 : LAG_SECONDS);
}

async function deleteSome(ctx: Context, begun: CompatEvent, names: Names): Promise<CompatEvent> {
  const { deleted, hasMore } = await deleteWhere(ctx, about(names), DELETED_AT_ONCE);
  if (hasMore && deleted === 0) {
    throw new Error("none of the memories that were found could be deleted, and there are more");
  }
  const done = (begun.progress?.done ?? 0) + deleted;
  const progress = { total: done, done, failed: 0 };
  if (!hasMore) return advanceEvent(ctx, ended(begun, ctx.clock(), { progress }), removeRequest(begun));
  return advanceEvent(ctx, { ...begun, progress, attempts: 0, updated_at: timestamp(ctx.clock()) });
}

/** The failure itself is told by whoever calls; that it could not be noted must not hide it. */
async function giveUp(home: OrgHome, event: CompatEvent, failure: unknown): Promise<void> {
  const message = String(failure).slice(0, MAX_ERROR_LENGTH);
  const errors = [{ code: "INTERNAL_ERROR", message: "It could not be done. Send it again." }];
  try {
    const failed = ended(event, home.clock(), { status: "FAILED", errors });
    // Where it got further in the meantime it has not failed.
    if (!(await moveEvent(home, failed, removeRequest(event)))) return;
    home.logger.error("EVENT_FAILED", { org: event.org, event: event.id, error: failure });
    await dropText(home, event);
  } catch (error) {
    home.logger.error("EVENT_FAILURE_NOT_NOTED", { org: event.org, event: event.id, failure: message, error });
  }
}
