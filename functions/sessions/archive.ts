import type * as z from "zod";
import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Context } from "../../shared/platform/context.ts";
import { moveMessages, settling } from "../../shared/sessions/archive.ts";
import { putChore } from "../../shared/sessions/chores.ts";
import { endSession } from "../../shared/sessions/end.ts";
import { countSessionClosed } from "../../shared/sessions/figures.ts";
import { getSessionContext } from "../../shared/sessions/records.ts";
import type { Session } from "../../shared/sessions/session.ts";
import type * as schemas from "./schemas.ts";
import { present } from "./service.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

const DAY_MS = 86_400_000;
/** So long a request moves messages; the sweep goes on with the rest. */
const MOVING_MS = 15_000;

/**
 * Archives a session: from now on it takes no messages, and those that it has move to the blob store, from where they are
 * read like before. With a retention it is gone for good that many days from now. Throws CONFLICT when it is archived already.
 */
export async function archiveSession(ctx: Context, id: string, options: Input<typeof schemas.ArchiveSession>) {
  const { retention_period_days, compression_enabled } = options;
  const now = ctx.clock();
  const archived_at = timestamp(now);
  const expiry =
    retention_period_days === undefined ? {} : { expire_at: timestamp(now + retention_period_days * DAY_MS) };
  let wasActive = false;
  const session = await endSession(
    ctx,
    id,
    (before) => {
      refuseArchived(before);
      wasActive = before.status === "active";
      return { status: "archived", archived_at, ...expiry };
    },
    (after) => [putChore(settling(after, compression_enabled, now))],
  );
  if (wasActive) countSessionClosed(ctx, session, archived_at);
  await move(ctx, session, compression_enabled);
  return present(session, await getSessionContext(ctx, id));
}

function refuseArchived({ id, status, archived_at, expire_at }: Session): void {
  if (status !== "archived") return;
  throw new ServiceError("CONFLICT", "The session is archived already, and stays as it was archived then.", {
    session_id: id,
    archived_at,
    expire_at: expire_at ?? null,
  });
}

/** The session is archived whatever becomes of this: until they are moved, its messages are read from their records. */
async function move(ctx: Context, session: Session, packed: boolean): Promise<void> {
  try {
    await moveMessages(ctx, session, packed, ctx.clock() + MOVING_MS);
  } catch (error) {
    ctx.logger.error("SESSION_ARCHIVING_INTERRUPTED", { session: session.id, error });
  }
}
