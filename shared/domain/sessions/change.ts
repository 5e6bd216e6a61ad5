import { timestamp } from "../../kernel/clock.ts";
import { existing, ServiceError } from "../../kernel/errors.ts";
import { updateWithRetry } from "../../ports/conflicts.ts";
import type { Write } from "../../ports/ports.ts";
import type { MemoryScope } from "../../runtime/context.ts";
import {
  changeSession as changeRecords,
  findSession,
  findSessionWithContext,
  type SessionChange,
  withChange,
} from "./records.ts";
import type { Session, SessionWithContext } from "./session.ts";

/** Throws SESSION_NOT_FOUND if the session is missing, expired, or of another organization or agent. */
export async function getSession(ctx: MemoryScope, id: string): Promise<Session> {
  return existing(await findSession(ctx, id), "session", id);
}

/** The session with its context in one round trip. Throws SESSION_NOT_FOUND as `getSession` does. */
export async function getSessionWithContext(ctx: MemoryScope, id: string): Promise<SessionWithContext> {
  return existing(await findSessionWithContext(ctx, id), "session", id);
}

/** Throws SESSION_CLOSED for a session that accepts no more messages. */
export function refuseClosed({ id, status }: Session): void {
  if (status === "active") return;
  throw new ServiceError(
    "SESSION_CLOSED",
    `The session is ${status} and cannot be changed. Start or duplicate a session.`,
    { session_id: id, status },
  );
}

/**
 * Changes a session by the result of `decide` on its current state; `decide` may throw, and is called again after a
 * conflict. `besides` joins the transaction. Throws PRECONDITION_FAILED for a version other than `ifMatch`.
 */
export async function changeSession(
  ctx: MemoryScope,
  id: string,
  decide: (session: Session) => Omit<SessionChange, "updated_at">,
  ifMatch?: number,
  besides: (after: Session) => Write[] = () => [],
): Promise<Session> {
  return updateWithRetry({ resource: "session", id, find: () => findSession(ctx, id), ifMatch }, async (before) => {
    const now = timestamp(ctx.clock());
    const change = { ...decide(before), updated_at: before.updated_at > now ? before.updated_at : now };
    const after = withChange(before, change);
    await ctx.ports.records.write(...changeRecords(before, change), ...besides(after));
    return after;
  });
}
