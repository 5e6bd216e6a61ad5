import { type Job, newJob } from "../jobs/job.ts";
import { BEGINNING } from "../memory/reading-place.ts";
import type { Context } from "../platform/context.ts";
import type { Session, SessionMessage } from "./session.ts";

/** The job that makes memories of a message that is added, where its session remembers messages as they come. */
export function rememberingOf(
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

/** The job that makes memories of the messages of a session that ends, where that is when it remembers them. */
export function closingMemories(ctx: Context, before: Session): Job<"remember_session"> | undefined {
  const { id: session_id, status, config } = before;
  if (status !== "active" || config.memory !== "on_close") return undefined;
  return newJob(ctx, "remember_session", {
    input: { session_id },
    checkpoint: { position: 1, place: BEGINNING },
    submitted_by: ctx.principal.id,
  });
}
