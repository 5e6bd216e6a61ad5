import { runIsolated } from "../../text-work/run.ts";
import { isTooComplex, type TextTaskOptions, type ThreadTask } from "../../text-work/task.ts";
import type { Reading, ReadingAnswer, ReadingJob } from "./jobs.ts";
import { Unreadable } from "./unreadable.ts";

/** Longest that the thread may take for a kind of file, in milliseconds. */
const TIME_LIMITS_MS: Record<ReadingJob["kind"], number> = {
  html: 15_000,
  links: 5_000,
  sitemap: 5_000,
  pdf: 120_000,
  document: 60_000,
  image: 10_000,
  audio: 20_000,
};

function readingTaskOf(kind: ReadingJob["kind"]): ThreadTask {
  return { name: `read_${kind}`, timeLimitMs: TIME_LIMITS_MS[kind] };
}

/**
 * Reads a file in a thread of the text pool, which is ended when it takes too much time or memory. Throws Unreadable, also
 * for a file that takes too much.
 */
export async function readApart(job: ReadingJob, options: TextTaskOptions): Promise<Reading> {
  try {
    const answer = await runIsolated<ReadingAnswer>(readingTaskOf(job.kind), job, options);
    if ("unreadable" in answer) throw new Unreadable(answer.unreadable);
    return answer.reading;
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    throw new Unreadable(`reading it takes too much ${error.details.limit}`);
  }
}
