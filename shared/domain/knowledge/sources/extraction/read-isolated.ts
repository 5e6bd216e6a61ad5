import { runIsolated } from "../../../../runtime/text-work/run.ts";
import { isTooComplex, type TextTaskOptions, type ThreadTask } from "../../../../runtime/text-work/task.ts";
import type { Reading, ReadingAnswer, ReadingJob } from "./jobs.ts";
import { OCR_LIMITS } from "./ocr.ts";
import { UnreadableError } from "./unreadable.ts";

/** Maximum processor time in the thread per kind of file. */
const TIME_LIMITS_MS: Record<ReadingJob["kind"], number> = {
  html: 15_000,
  links: 5_000,
  sitemap: 5_000,
  pdf: 120_000,
  document: 60_000,
  image: 30_000,
  audio: 20_000,
};

function readingTaskOf(job: ReadingJob): ThreadTask {
  const { kind } = job;
  const isRecognized = "ocr" in job && job.ocr !== undefined;
  return {
    name: `read_${kind}`,
    timeLimitMs: TIME_LIMITS_MS[kind],
    ...(isRecognized && { bufferLimitBytes: OCR_LIMITS.bufferBytes }),
  };
}

/** Reads a file in a thread of the text pool. Throws UnreadableError, also if the thread exceeds its time or memory. */
export async function readIsolated(job: ReadingJob, options: TextTaskOptions): Promise<Reading> {
  try {
    const answer = await runIsolated<ReadingAnswer>(readingTaskOf(job), job, options);
    if ("unreadable" in answer) throw new UnreadableError(answer.unreadable);
    return answer.reading;
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    throw new UnreadableError(`reading it takes too much ${error.details.limit}`);
  }
}
