import { timestamp } from "../kernel/clock.ts";
import { notFound, ServiceError } from "../kernel/errors.ts";
import type { ViewerHome } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { Write } from "../platform/ports.ts";
import {
  changeSession as changeRecords,
  findSession,
  findSessionWithContext,
  type SessionChange,
  withChange,
} from "./records.ts";
import type { Session, SessionContext } from "./session.ts";

/** How often a change is repeated that met another one; each repetition starts from what the other stored. */
const MAX_ATTEMPTS = 8;

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
  for (let attempt = 1; ; attempt++) {
    const before = await getSession(ctx, id);
    refuseOtherVersion(before, ifMatch);
    const change = { ...decide(before), updated_at: later(before.updated_at, timestamp(ctx.clock())) };
    const after = withChange(before, change);
    try {
      await ctx.ports.records.write(...changeRecords(before, change), ...besides(after));
      return after;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        throw new ServiceError("VERSION_CONFLICT", "Others keep changing this session. Try again.", { session_id: id });
      }
    }
  }
}

function refuseOtherVersion({ id, version }: Session, ifMatch: number | undefined): void {
  if (ifMatch === undefined || ifMatch === version) return;
  throw new ServiceError("PRECONDITION_FAILED", "The session changed since. Read it again and repeat with its ETag.", {
    session_id: id,
    current_version: version,
  });
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
