import { type Job, newJob } from "../jobs/job.ts";
import type { OrgHome } from "../platform/context.ts";
import type { UnderstandOptions } from "./understand.ts";

/** Which of COMPRESS_QUEUES: 0 critical, 1 high, 2 normal. */
export const PRIORITIES = [0, 1, 2] as const;
export type Priority = (typeof PRIORITIES)[number];

const NORMAL: Priority = 2;

/** No setting lets a memory take longer: a request on AWS is answered within 29 seconds or not at all. */
export const MOST_PROCESSING_MS = 25_000;

/** One memory to be understood by the workers. */
export interface MemoryJobInput {
  memory_id: string;
  priority: Priority;
  options: UnderstandOptions;
}

export type MemoryJob = Job<"memory_processing">;

export function newMemoryJob(
  home: Pick<OrgHome, "ids" | "clock" | "org">,
  submitted_by: string,
  { priority = NORMAL, ...asked }: Omit<MemoryJobInput, "priority"> & { priority?: Priority },
): MemoryJob {
  return newJob(home, "memory_processing", { input: { ...asked, priority }, checkpoint: null, submitted_by });
}
