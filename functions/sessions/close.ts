import type * as z from "zod";
import { timestamp } from "../../shared/kernel/clock.ts";
import { askVerifier } from "../../shared/memory/asking.ts";
import type { Context } from "../../shared/platform/context.ts";
import { getSession, refuseClosed } from "../../shared/sessions/change.ts";
import { type Closing, closingTask } from "../../shared/sessions/closing.ts";
import { endSession } from "../../shared/sessions/end.ts";
import { countSessionClosed } from "../../shared/sessions/figures.ts";
import { newestWithin, readSegments } from "../../shared/sessions/records.ts";
import type { Session } from "../../shared/sessions/session.ts";
import { keyPointsIn, summaryOf, transcriptOf } from "../../shared/sessions/summary.ts";
import { outlineTask } from "../../shared/sessions/text-tasks.ts";
import { factsForClosing } from "../../shared/sessions/user-facts.ts";
import { runTextTask } from "../../shared/text-work/run.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/** Of the messages that are not in the summary, what a closing summary is made of. */
const MOST_RECENT_TOKENS = 6_000;
const MOST_TOPICS = 3;
const MOST_POINTS = 5;
const MODEL_TIMEOUT_MS = 8_000;

/** Ends a session for good, with the summary that is given or one that is made. Throws SESSION_CLOSED when it has ended before. */
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
  const { value } = await askVerifier(ctx, closingTask, closing, { timeoutMs: MODEL_TIMEOUT_MS });
  return value.summary;
}

async function gather(ctx: Context, session: Session): Promise<Closing> {
  const [segments, recent] = await Promise.all([
    readSegments(ctx, session.id),
    newestWithin(ctx, session, session.folded_messages + 1, MOST_RECENT_TOKENS),
  ]);
  const outline = { messages: recent, topics: MOST_TOPICS, points: MOST_POINTS };
  const said = recent.filter(({ role }) => role === "user").map(({ content }) => content);
  const [{ topics, points: newest }, { known, changed }] = await Promise.all([
    runTextTask(outlineTask, outline, ctx),
    factsForClosing(ctx, session, said),
  ]);
  const points = [...keyPointsIn(segments), ...newest];
  return {
    messages: session.message_count,
    topics,
    points: points.slice(-MOST_POINTS),
    known,
    changed,
    transcript: [summaryOf(segments), transcriptOf(recent)].filter((text) => text !== "").join("\n"),
  };
}
