import type { Write } from "../../ports/ports.ts";
import type { Context } from "../../runtime/context.ts";
import { enqueueJob } from "../../runtime/jobs/queue.ts";
import { insertJob } from "../../runtime/jobs/records.ts";
import { changeSession } from "./change.ts";
import { closingExtractionJob } from "./extraction-jobs.ts";
import type { Session } from "./session.ts";

/** Ends a session as `changeSession` does, and stores the job that extracts memories from its messages. */
export async function endSession(
  ctx: Context,
  id: string,
  decide: Parameters<typeof changeSession>[2],
  besides: (after: Session) => Write[] = () => [],
): Promise<Session> {
  let job: ReturnType<typeof closingExtractionJob>;
  const noted: typeof decide = (before) => {
    const change = decide(before);
    job = closingExtractionJob(ctx, before);
    return job ? { ...change, remembered_messages: before.message_count } : change;
  };
  const writesOf = (after: Session) => [...besides(after), ...(job ? [insertJob(job)] : [])];
  const session = await changeSession(ctx, id, noted, undefined, writesOf);
  if (job) await enqueueJob(ctx, job);
  return session;
}
