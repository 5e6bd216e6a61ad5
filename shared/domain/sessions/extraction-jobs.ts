import type { Context } from "../../runtime/context.ts";
import { type Job, newJob } from "../../runtime/jobs/job.ts";
import { BEGINNING } from "../memory/conversation-steps.ts";
import type { Session, SessionMessage } from "./session.ts";

/** The job that extracts memories from an added message, if its session does so immediately. */
export function messageExtractionJob(
  ctx: Context,
  { id: session_id, config }: Session,
  { position, role }: Pick<SessionMessage, "position" | "role">,
): Job<"remember_session"> | undefined {
  if (config.memory !== "as_they_come" || role === "system") return undefined;
  return newJob(ctx, "remember_session", {
    input: { session_id, position },
    checkpoint: { position, place: BEGINNING },
    submitted_by: ctx.principal.id,
  });
}

/** The job that extracts memories from the unprocessed messages of a session that ends, if its setting says so. */
export function closingExtractionJob(ctx: Context, before: Session): Job<"remember_session"> | undefined {
  const { id: session_id, status, config, message_count: last, remembered_messages = 0 } = before;
  if (status !== "active" || config.memory !== "on_close" || last === remembered_messages) return undefined;
  return newJob(ctx, "remember_session", {
    input: { session_id, last },
    checkpoint: { position: remembered_messages + 1, place: BEGINNING },
    submitted_by: ctx.principal.id,
  });
}
