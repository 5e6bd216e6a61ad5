import { enqueueJob } from "../jobs/queue.ts";
import { insertJob } from "../jobs/records.ts";
import type { Context } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { changeSession } from "./change.ts";
import { closingMemories } from "./remembering.ts";
import type { Session } from "./session.ts";

/** Changes a session as `changeSession` does to one that takes no more messages, and stores with it the job that makes memories of them. */
export async function endSession(
  ctx: Context,
  id: string,
  decide: Parameters<typeof changeSession>[2],
  besides: (after: Session) => Write[] = () => [],
): Promise<Session> {
  let job: ReturnType<typeof closingMemories>;
  const noted: typeof decide = (before) => {
    const change = decide(before);
    job = closingMemories(ctx, before);
    return change;
  };
  const writesOf = (after: Session) => [...besides(after), ...(job ? [insertJob(job)] : [])];
  const session = await changeSession(ctx, id, noted, undefined, writesOf);
  if (job) await enqueueJob(ctx, job);
  return session;
}
