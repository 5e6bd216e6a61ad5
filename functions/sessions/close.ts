import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { getSession, refuseClosed } from "../../shared/domain/sessions/change.ts";
import { type Closing, closingTask } from "../../shared/domain/sessions/closing.ts";
import { endSession } from "../../shared/domain/sessions/extraction-jobs.ts";
import { countSessionClosed } from "../../shared/domain/sessions/metrics.ts";
import { newestWithin, readSegments } from "../../shared/domain/sessions/records.ts";
import type { Session } from "../../shared/domain/sessions/session.ts";
import { keyPointsIn, summaryOf, transcriptOf } from "../../shared/domain/sessions/summary.ts";
import { outlineTask } from "../../shared/domain/sessions/text-tasks.ts";
import { factsForClosing } from "../../shared/domain/sessions/user-facts.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { runTextTask } from "../../shared/runtime/text-work/run.ts";
import type * as schemas from "./schemas.ts";

/** Maximum tokens of the uncompacted messages for a closing summary. */
const MAX_RECENT_TOKENS = 6_000;
const MAX_TOPICS = 3;
const MAX_POINTS = 5;
const MODEL_TIMEOUT_MS = 8_000;

/**
 * Closes a session permanently, with the given or a generated summary. Throws SESSION_CLOSED if it was closed before.
 */
export async function closeSession(ctx: Context, id: string, { reason, summary }: Input<typeof schemas.CloseSession>) {
  const session = await getSession(ctx, id);
  refuseClosed(session);
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
  const closing = await gather(ctx, session);
  const { value } = await runVerificationTask(ctx, closingTask, closing, { timeoutMs: MODEL_TIMEOUT_MS });
  return value.summary;
}

async function gather(ctx: Context, session: Session): Promise<Closing> {
  const [segments, recent] = await Promise.all([
    readSegments(ctx, session.id),
    newestWithin(ctx, session, session.folded_messages + 1, MAX_RECENT_TOKENS),
  ]);
  const outline = { messages: recent, topics: MAX_TOPICS, points: MAX_POINTS };
  const [{ topics, points: newest }, { known, changed }] = await Promise.all([
    runTextTask(outlineTask, outline, ctx),
    factsForClosing(ctx, session, recent),
  ]);
  const points = [...keyPointsIn(segments), ...newest];
  return {
    messages: session.message_count,
    topics,
    points: points.slice(-MAX_POINTS),
    known,
    changed,
    transcript: [summaryOf(segments), transcriptOf(recent)].filter((text) => text !== "").join("\n"),
  };
}
