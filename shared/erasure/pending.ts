import { dropText, loadConversation } from "../compat/requests.ts";
import { isOver, type Job } from "../jobs/job.ts";
import type { JobKind } from "../jobs/kinds.ts";
import { SHARDS, toJob, unfinishedIn } from "../jobs/stored-form.ts";
import { inParallel } from "../kernel/parallel.ts";
import type { OrgHome } from "../platform/context.ts";
import { queryPages } from "../platform/pages.ts";
import { CONCURRENCY, deleteAll, type Erasure, PAGE, type Reached } from "./pass.ts";
import { recordsAbout } from "./references.ts";

/** Jobs that make memories of texts, or work on memories. */
const DROPPED_KINDS: JobKind[] = ["remember", "remember_session", "memory_processing"];
/** Jobs that may read or write memories of every user. */
const TRANSFER_KINDS: JobKind[] = ["import", "export"];
const REMOVAL_KINDS: JobKind[] = ["remove_source", "remove_connection"];
const WAIT_MS = 5_000;

/** Drops unfinished work on the user's texts. What a worker has in hand ends first: it could store something afterwards. */
export async function dropPending(home: OrgHome, { user_id }: Erasure): Promise<Reached> {
  let erased = 0;
  let isWaiting = false;
  for await (const jobs of unfinishedJobs(home, DROPPED_KINDS)) {
    const about = await jobsAbout(home, user_id, jobs);
    const inHand = ({ lease_until }: Job) => lease_until !== undefined && lease_until > home.clock();
    isWaiting ||= about.some(inHand);
    const dropped = about.filter((job) => !inHand(job));
    await inParallel(dropped, CONCURRENCY, (job) => dropJobWithTexts(home, job));
    erased += dropped.length;
  }
  return { erased, ...(isWaiting && { after: "", delayMs: WAIT_MS }) };
}

/** Waits for the imports and exports that were begun before: they may store or copy memories of the user. */
export function awaitTransfers(home: OrgHome, { asked_at }: Erasure): Promise<Reached> {
  return awaitJobs(home, TRANSFER_KINDS, ({ submitted_at }) => submitted_at <= asked_at);
}

/** Waits for the jobs that remove sources and connections, those of this erasure among them. */
export function awaitRemovals(home: OrgHome): Promise<Reached> {
  return awaitJobs(home, REMOVAL_KINDS, () => true);
}

async function awaitJobs(home: OrgHome, kinds: JobKind[], isAwaited: (job: Job) => boolean): Promise<Reached> {
  for await (const jobs of unfinishedJobs(home, kinds)) {
    if (jobs.some(isAwaited)) return { erased: 0, after: "", delayMs: WAIT_MS };
  }
  return { erased: 0 };
}

/** The organization's unfinished jobs; reading them costs what is unfinished in all organizations. */
async function* unfinishedJobs({ ports: { records }, org }: OrgHome, kinds: JobKind[]): AsyncGenerator<Job[]> {
  for (const kind of kinds) {
    for (let shard = 0; shard < SHARDS; shard++) {
      const query = { index: "gsi3" as const, pk: unfinishedIn(kind, shard), limit: PAGE };
      for await (const items of queryPages(records, query)) {
        const own = items.filter(({ pk }) => pk.startsWith(`${org}#`)).map(({ pk, sk }) => ({ pk, sk }));
        const found = own.length > 0 ? await records.getMany(own) : [];
        // The index may lag behind the record.
        yield found.map((record) => toJob<JobKind>(record)).filter((job) => !isOver(job));
      }
    }
  }
}

async function jobsAbout(home: OrgHome, user_id: string, jobs: Job[]): Promise<Job[]> {
  const records = await home.ports.records.getMany(jobs.map(({ org, id }) => ({ pk: `${org}#${id}`, sk: "job" })));
  const about = new Set((await recordsAbout(home.ports.records, home.org, user_id, records)).map(({ id }) => id));
  const isAbout = async (job: Job) => {
    if (job.kind !== "remember") return about.has(job.id);
    return about.has(job.id) || (await loadConversation(home, job)).draft.user_id === user_id;
  };
  const answers = await inParallel(jobs, CONCURRENCY, isAbout);
  return jobs.filter((_, place) => answers[place]);
}

/** The job with its request, event and results, which lie in one collection. */
async function dropJobWithTexts(home: OrgHome, { kind, org, id }: Job): Promise<void> {
  if (kind === "remember") await dropText(home, { org, id });
  await deleteAll(home.ports.records, { pk: `${org}#${id}` });
}
