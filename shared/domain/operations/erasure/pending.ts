import { inParallel } from "../../../kernel/parallel.ts";
import { deleteAll, queryPages } from "../../../ports/pages.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { isOver, type Job } from "../../../runtime/jobs/job.ts";
import type { JobKind } from "../../../runtime/jobs/kinds.ts";
import { SHARDS, toJob, unfinishedIn } from "../../../runtime/jobs/stored-form.ts";
import { dropText, loadConversation } from "../../integration/compat/requests.ts";
import { CONCURRENCY, DELETED_AT_ONCE, type Erasure, PAGE } from "./pass.ts";
import { recordsAbout } from "./references.ts";
import type { StepResult } from "./steps.ts";

/** Jobs that hold texts or process them. */
const TEXT_KINDS: JobKind[] = ["remember", "remember_session", "memory_processing"];
/** Also those that read memories. */
const DROPPED_KINDS: JobKind[] = [...TEXT_KINDS, "find_patterns"];
/** Jobs that may read or write memories of every user. */
const TRANSFER_KINDS: JobKind[] = ["import", "export"];
const REMOVAL_KINDS: JobKind[] = ["remove_source", "remove_connection"];
const WAIT_MS = 5_000;

/** Drops unfinished work on the user's texts. Waits for work in progress, which could store something afterwards. */
export async function dropPending(runtime: OrgRuntime, { user_id }: Erasure): Promise<StepResult> {
  let erased = 0;
  let isWaiting = false;
  for await (const jobs of unfinishedJobs(runtime, DROPPED_KINDS)) {
    const about = await jobsAbout(runtime, user_id, jobs);
    const isRunning = ({ lease_until }: Job) => lease_until !== undefined && lease_until > runtime.clock();
    isWaiting ||= about.some(isRunning);
    const dropped = about.filter((job) => !isRunning(job));
    await inParallel(dropped, CONCURRENCY, (job) => dropJobWithTexts(runtime, job));
    erased += dropped.length;
  }
  return { erased, ...(isWaiting && { after: "", delayMs: WAIT_MS }) };
}

/**
 * Whether an unfinished job on the user's texts was submitted before the request. Each deletion of a memory asks for the
 * user's patterns anew, and that job ends by itself.
 */
export async function hasPending(runtime: OrgRuntime, { user_id, asked_at }: Erasure): Promise<boolean> {
  for await (const jobs of unfinishedJobs(runtime, TEXT_KINDS)) {
    const earlier = jobs.filter(({ submitted_at }) => submitted_at <= asked_at);
    if ((await jobsAbout(runtime, user_id, earlier)).length > 0) return true;
  }
  return false;
}

/** Waits for earlier imports and exports, which may store or copy the user's memories. */
export function awaitTransfers(runtime: OrgRuntime, { asked_at }: Erasure): Promise<StepResult> {
  return awaitJobs(runtime, TRANSFER_KINDS, ({ submitted_at }) => submitted_at <= asked_at);
}

/** Waits for jobs that delete sources and connections, including those of this erasure. */
export function awaitRemovals(runtime: OrgRuntime): Promise<StepResult> {
  return awaitJobs(runtime, REMOVAL_KINDS, () => true);
}

async function awaitJobs(runtime: OrgRuntime, kinds: JobKind[], isAwaited: (job: Job) => boolean): Promise<StepResult> {
  for await (const jobs of unfinishedJobs(runtime, kinds)) {
    if (jobs.some(isAwaited)) return { erased: 0, after: "", delayMs: WAIT_MS };
  }
  return { erased: 0 };
}

/** Yields the organization's unfinished jobs; costs O(unfinished jobs of all organizations). */
async function* unfinishedJobs({ ports: { records }, org }: OrgRuntime, kinds: JobKind[]): AsyncGenerator<Job[]> {
  for (const kind of kinds) {
    for (let shard = 0; shard < SHARDS; shard++) {
      const query = { index: "gsi3" as const, pk: unfinishedIn(kind, shard), limit: PAGE };
      for await (const items of queryPages(records, query)) {
        const keys = items.filter(({ pk }) => pk.startsWith(`${org}#`)).map(({ pk, sk }) => ({ pk, sk }));
        const found = keys.length > 0 ? await records.getMany(keys) : [];
        // The index may lag behind the record.
        yield found.map((record) => toJob<JobKind>(record)).filter((job) => !isOver(job));
      }
    }
  }
}

async function jobsAbout(runtime: OrgRuntime, user_id: string, jobs: Job[]): Promise<Job[]> {
  const records = await runtime.ports.records.getMany(jobs.map(({ org, id }) => ({ pk: `${org}#${id}`, sk: "job" })));
  const about = new Set((await recordsAbout(runtime.ports.records, runtime.org, user_id, records)).map(({ id }) => id));
  const isAbout = async (job: Job) => {
    if (job.kind !== "remember") return about.has(job.id);
    return about.has(job.id) || (await loadConversation(runtime, job)).draft.user_id === user_id;
  };
  const answers = await inParallel(jobs, CONCURRENCY, isAbout);
  return jobs.filter((_, index) => answers[index]);
}

/** Deletes a job with its request, event and results, which are in one collection. */
async function dropJobWithTexts(runtime: OrgRuntime, { kind, org, id }: Job): Promise<void> {
  if (kind === "remember") await dropText(runtime, { org, id });
  await deleteAll(runtime.ports.records, { pk: `${org}#${id}`, limit: DELETED_AT_ONCE });
}
