import type { OrgRuntime } from "../../runtime/context.ts";
import { type Job, newJob } from "../../runtime/jobs/job.ts";
import { MEMORY_PROCESSING_JOB } from "./job-kinds.ts";
import type { UnderstandOptions } from "./understand.ts";

/** Index in COMPRESS_QUEUES: 0 critical, 1 high, 2 normal. */
export const PRIORITIES = [0, 1, 2] as const;
export type Priority = (typeof PRIORITIES)[number];

const NORMAL: Priority = 2;

/** Maximum of the processing time setting: a request on AWS must respond within 29 seconds. */
export const MAX_PROCESSING_MS = 25_000;

export interface MemoryJobInput {
  memory_id: string;
  priority: Priority;
  options: UnderstandOptions;
}

export type MemoryJob = Job<"memory_processing">;

export function newMemoryJob(
  runtime: Pick<OrgRuntime, "ids" | "clock" | "org">,
  submitted_by: string,
  { priority = NORMAL, ...input }: Omit<MemoryJobInput, "priority"> & { priority?: Priority },
): MemoryJob {
  return newJob(runtime, MEMORY_PROCESSING_JOB, { input: { ...input, priority }, checkpoint: null, submitted_by });
}
