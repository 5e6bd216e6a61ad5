import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { admitTexts } from "../../shared/domain/sessions/admit-texts.ts";
import { moveMessages, settling } from "../../shared/domain/sessions/archive.ts";
import { changeSession, getSession, refuseClosed } from "../../shared/domain/sessions/change.ts";
import { putChore } from "../../shared/domain/sessions/chores.ts";
import { type Closing, closingTask } from "../../shared/domain/sessions/closing.ts";
import { endSession } from "../../shared/domain/sessions/extraction-jobs.ts";
import { newestWithin } from "../../shared/domain/sessions/message-records.ts";
import { countSessionClosed } from "../../shared/domain/sessions/metrics.ts";
import { getSessionContext, type SessionChange } from "../../shared/domain/sessions/records.ts";
import type { Session } from "../../shared/domain/sessions/session.ts";
import { keyPointsIn, summaryOf, transcriptOf } from "../../shared/domain/sessions/summary.ts";
import { keepState, readSegments } from "../../shared/domain/sessions/summary-records.ts";
import { outlineTask } from "../../shared/domain/sessions/text-tasks.ts";
import { factsForClosing } from "../../shared/domain/sessions/user-facts.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { tryWrite } from "../../shared/ports/conflicts.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { runTextTask } from "../../shared/runtime/text-work/run.ts";
import type * as schemas from "./schemas.ts";
import { present } from "./service.ts";

/** Maximum tokens of the uncompacted messages for a closing summary. */
const MAX_RECENT_TOKENS = 6_000;
const MAX_TOPICS = 3;
const MAX_POINTS = 5;
const MODEL_TIMEOUT_MS = 8_000;
/** Time limit for moving messages in a request; the sweep moves the rest. */
const MOVING_MS = 15_000;

/**
 * Closes a session permanently, with the given or a generated summary. Throws SESSION_CLOSED if it was closed before.
 */
export async function closeSession(ctx: Context, id: string, given: Input<typeof schemas.CloseSession>) {
  const session = await getSession(ctx, id);
  refuseClosed(session);
  const { reason, summary } = await admitTexts(ctx, given, async () => session.user_id, id);
  const kept = summary ?? (await summarizeAll(ctx, session));
  const closed_at = timestamp(ctx.clock());
  const closed = await endSession(ctx, id, (before) => {
    refuseClosed(before);
    return { status: "closed", closed_at, reason, summary: kept };
  });
  countSessionClosed(ctx, closed, closed_at);
  return { id, status: "closed" as const, closed_at, reason, summary: kept };
}

async function summarizeAll(ctx: Context, session: Session): Promise<string> {
  const closing = await prepareClosing(ctx, session);
  const { value } = await runVerificationTask(ctx, closingTask, closing, { timeoutMs: MODEL_TIMEOUT_MS });
  return value.summary;
}

async function prepareClosing(ctx: Context, session: Session): Promise<Closing> {
  const [segments, recent] = await Promise.all([
    readSegments(ctx, session.id),
    newestWithin(ctx, session, session.folded_messages + 1, MAX_RECENT_TOKENS),
  ]);
  const outline = { messages: recent, topics: MAX_TOPICS, points: MAX_POINTS };
  const [{ topics, points: newest, outcome }, { known, changed }] = await Promise.all([
    runTextTask(outlineTask, outline, ctx),
    factsForClosing(ctx, session, recent),
  ]);
  const points = [...keyPointsIn(segments), ...newest];
  return {
    messages: session.message_count,
    topics,
    points: points.slice(-MAX_POINTS),
    outcome,
    known,
    changed,
    transcript: [summaryOf(segments), transcriptOf(recent)].filter((text) => text !== "").join("\n"),
  };
}

/**
 * Archives a session: it accepts no more messages, and its messages move to the blob store, where they remain readable.
 * With a retention it is deleted after that many days. Throws CONFLICT if it is already archived.
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
  throw new ServiceError("CONFLICT", "The session is already archived; its archive does not change.", {
    session_id: id,
    archived_at,
    expire_at: expire_at ?? null,
  });
}

/**
 * Restores an archived session: closed if it was closed before, otherwise open for messages; its retention ends.
 * Messages in the blob store stay there. Throws CONFLICT for a session that is not archived.
 */
export async function restoreSession(ctx: Context, id: string, ifMatch?: number) {
  await tryWrite(ctx, keepState(await getSession(ctx, id)));
  const session = await changeSession(ctx, id, restored, ifMatch);
  return present(session, await getSessionContext(ctx, id));
}

function restored({ id, status, closed_at, config, message_count, remembered_messages }: Session): SessionChange {
  if (status !== "archived") {
    throw new ServiceError("CONFLICT", `The session is ${status}. Only an archived session can be restored.`, {
      session_id: id,
      status,
    });
  }
  // An earlier release did not record that its messages were passed to a job.
  const isRemembered = config.memory === "on_close" && remembered_messages === undefined;
  return {
    status: closed_at === undefined ? "active" : "closed",
    archived_at: null,
    expire_at: null,
    ...(isRemembered && { remembered_messages: message_count }),
  };
}

/** Moves messages. A failure does not undo the archiving: until they are moved, they are read from the records. */
async function move(ctx: Context, session: Session, packed: boolean): Promise<void> {
  try {
    await moveMessages(ctx, session, packed, ctx.clock() + MOVING_MS);
  } catch (error) {
    ctx.logger.error("SESSION_ARCHIVING_INTERRUPTED", { session: session.id, error });
  }
}
