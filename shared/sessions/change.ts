import { timestamp } from "../kernel/clock.ts";
import { notFound, ServiceError } from "../kernel/errors.ts";
import type { ViewerHome } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { readThenWrite } from "../platform/read-then-write.ts";
import {
  changeSession as changeRecords,
  findSession,
  findSessionWithContext,
  type SessionChange,
  withChange,
} from "./records.ts";
import type { Session, SessionContext } from "./session.ts";

/** Throws SESSION_NOT_FOUND for an absent, a foreign, an expired and another agent's id alike. */
export async function getSession(ctx: ViewerHome, id: string): Promise<Session> {
  const session = await findSession(ctx, id);
  if (!session) throw notFound("session", id);
  return session;
}

/** The session and its context in one round trip. Throws SESSION_NOT_FOUND as `getSession` does. */
export async function getSessionWithContext(
  ctx: ViewerHome,
  id: string,
): Promise<{ session: Session; context: SessionContext }> {
  const found = await findSessionWithContext(ctx, id);
  if (!found) throw notFound("session", id);
  return found;
}

/** Throws SESSION_CLOSED for a session that takes no more. */
export function refuseClosed({ id, status }: Session): void {
  if (status === "active") return;
  throw new ServiceError("SESSION_CLOSED", `The session is ${status} and takes nothing more. Begin or duplicate one.`, {
    session_id: id,
    status,
  });
}

/**
 * Changes a session by what `decide` makes of it as it is now; `decide` may throw, and may be called again when another
 * change came in between. `besides` are writes that belong to the change.
 * Throws PRECONDITION_FAILED unless it is the version that `ifMatch` names, if one is named.
 */
export async function changeSession(
  ctx: ViewerHome,
  id: string,
  decide: (session: Session) => Omit<SessionChange, "updated_at">,
  ifMatch?: number,
  besides: (after: Session) => Write[] = () => [],
): Promise<Session> {
  return readThenWrite({ resource: "session", id, find: () => findSession(ctx, id), ifMatch }, async (before) => {
    const change = { ...decide(before), updated_at: later(before.updated_at, timestamp(ctx.clock())) };
    const after = withChange(before, change);
    await ctx.ports.records.write(...changeRecords(before, change), ...besides(after));
    return after;
  });
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
