import type { Write } from "../../ports/record-store.ts";
import type { Context } from "../../runtime/context.ts";
import { type Job, newJob } from "../../runtime/jobs/job.ts";
import { enqueueJob } from "../../runtime/jobs/queue.ts";
import { insertJob } from "../../runtime/jobs/records.ts";
import { BEGINNING } from "../memory/conversation-steps.ts";
import { changeSession } from "./change.ts";
import { REMEMBER_SESSION_JOB } from "./job-kinds.ts";
import type { RememberSessionInput } from "./remember.ts";
import type { Session, SessionMessage } from "./session.ts";

/**
 * Returns the job that extracts memories from an added message; undefined if its session does not do so immediately.
 */
export function messageExtractionJob(
  ctx: Context,
  { id: session_id, config }: Session,
  { position, role }: Pick<SessionMessage, "position" | "role">,
): Job<"remember_session"> | undefined {
  if (config.memory !== "as_they_come" || role === "system") return undefined;
  return extractionJob(ctx, { session_id, position }, position);
}

function extractionJob(ctx: Context, input: RememberSessionInput, position: number) {
  const checkpoint = { position, place: BEGINNING };
  return newJob(ctx, REMEMBER_SESSION_JOB, { input, checkpoint, submitted_by: ctx.principal.id });
}

/**
 * Returns the job that extracts memories from the unprocessed messages of a session that ends; undefined if none is
 * due.
 */
function closingExtractionJob(ctx: Context, before: Session): Job<"remember_session"> | undefined {
  const { id: session_id, status, config, message_count: last, remembered_messages = 0 } = before;
  if (status !== "active" || config.memory !== "on_close" || last === remembered_messages) return undefined;
  return extractionJob(ctx, { session_id, last }, remembered_messages + 1);
}

/** Ends a session as `changeSession` does, and stores the job that extracts memories from its messages. */
export async function endSession(
  ctx: Context,
  id: string,
  decide: Parameters<typeof changeSession>[2],
  extraWrites: (after: Session) => Write[] = () => [],
): Promise<Session> {
  let job: ReturnType<typeof closingExtractionJob>;
  const decideWithJob: typeof decide = (before) => {
    const change = decide(before);
    job = closingExtractionJob(ctx, before);
    return job ? { ...change, remembered_messages: before.message_count } : change;
  };
  const writesOf = (after: Session) => [...extraWrites(after), ...(job ? [insertJob(job)] : [])];
  const session = await changeSession(ctx, id, decideWithJob, undefined, writesOf);
  if (job) await enqueueJob(ctx, job);
  return session;
}
