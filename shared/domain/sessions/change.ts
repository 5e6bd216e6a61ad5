import { timestamp } from "../../kernel/clock.ts";
import { existing, ServiceError } from "../../kernel/errors.ts";
import { updateWithRetry } from "../../ports/conflicts.ts";
import type { Write } from "../../ports/record-store.ts";
import type { MemoryScope } from "../../runtime/context.ts";
import {
  changeSession as changeRecords,
  findSession,
  findSessionWithContext,
  type SessionChange,
  withChange,
} from "./records.ts";
import type { Session, SessionWithContext } from "./session.ts";

/** Returns the session. Throws SESSION_NOT_FOUND if it is missing, expired, or of another organization or agent. */
export async function getSession(ctx: MemoryScope, id: string): Promise<Session> {
  return existing(await findSession(ctx, id), "session", id);
}

/** Returns the session and its context, in one round trip. Throws SESSION_NOT_FOUND as `getSession` does. */
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
 * Applies the change that `decide` returns for the current session, and returns the changed session. `decide` may
 * throw, and is called again after a conflict. `extraWrites` are in the same transaction. Throws PRECONDITION_FAILED
 * for a version other than `ifMatch`.
 */
export async function changeSession(
  ctx: MemoryScope,
  id: string,
  decide: (session: Session) => Omit<SessionChange, "updated_at">,
  ifMatch?: number,
  extraWrites: (after: Session) => Write[] = () => [],
): Promise<Session> {
  return updateWithRetry({ resource: "session", id, find: () => findSession(ctx, id), ifMatch }, async (before) => {
    const now = timestamp(ctx.clock());
    const change = { ...decide(before), updated_at: before.updated_at > now ? before.updated_at : now };
    const after = withChange(before, change);
    await ctx.ports.records.write(...changeRecords(before, change), ...extraWrites(after));
    return after;
  });
}
