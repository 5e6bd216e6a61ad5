import type { PageRequest } from "../../kernel/pagination.ts";
import { AFTER_ANY_ID, filterBy, type Listing, readPage } from "../../ports/listing.ts";
import type {
  AttributeTests,
  RecordKey,
  RecordQuery,
  RecordStore,
  StoredRecord,
  Write,
} from "../../ports/record-store.ts";
import { listReplaced } from "../upgrades/item-upgrade.ts";
import { WORK_STEPS } from "../upgrades/steps/item-steps.ts";
import { isOver, type Job, type JobOf, type JobState } from "./job.ts";
import { type JobDefinition, type JobKind, type JobPolicy, policyOf } from "./kinds.ts";
import { jobKey, listOf, recordKindOf, SHARDS, toJob, toJobRecord, unfinishedIn } from "./stored-form.ts";

/** Returns the write of a new job, for the transaction of the request. */
export function insertJob(job: Job): Write {
  return { put: toJobRecord(job), condition: "absent" };
}

/**
 * Returns a changed job and its write, which is refused if the job changed since it was read. A job that ends and is
 * not kept is deleted.
 */
export function replaceJob<Kind extends JobKind>(
  before: Job<Kind>,
  change: Partial<Omit<Job<Kind>, "id" | "org" | "kind" | "input">>,
): { job: Job<Kind>; write: Write } {
  const job: Job<Kind> = { ...before, ...change, revision: before.revision + 1 };
  const condition = { revision: before.revision };
  const isDeleted = isOver(job) && policyOf(job.kind).keptMs === 0;
  const write = isDeleted ? { delete: jobKey(job.org, job.id), condition } : { put: toJobRecord(job), condition };
  return { job, write };
}

/** Returns the write that deletes a job, whatever its progress: the worker's next write is refused. */
export function dropJob({ org, id }: Pick<Job, "org" | "id">): Write {
  return { delete: jobKey(org, id) };
}

/** Returns the job with this id if it is of one of the definitions (without any: of any kind), otherwise undefined. */
export async function findJob<Kind extends JobKind = JobKind>(
  records: RecordStore,
  org: string,
  id: string,
  ...definitions: Pick<JobDefinition<Kind>, "kind">[]
): Promise<JobOf<Kind> | undefined> {
  const key = jobKey(org, id);
  const record = (await records.get(key)) ?? (await findFormerJob(records, key));
  const job = record && toJob<Kind>(record);
  const isOfKind = definitions.length === 0 || definitions.some(({ kind }) => kind === job?.kind);
  return job && isOfKind ? (job as JobOf<Kind>) : undefined;
}

/** Finds and converts a job that 0.2.0 stored, on AWS until the upgrade of all records replaces it. */
async function findFormerJob(records: RecordStore, key: RecordKey): Promise<StoredRecord | undefined> {
  for await (const { replacement } of listReplaced(records, key.pk, WORK_STEPS)) {
    const job = replacement.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
    if (job) return job;
  }
  return undefined;
}

/** Returns a page of a list by submission, newest first. */
export async function listJobs<Kind extends JobKind>(
  records: RecordStore,
  org: string,
  definitions: readonly Listed<Kind>[],
  filter: { id?: string; state?: JobState },
  page: PageRequest,
): Promise<Omit<Listing, "items"> & { jobs: JobOf<Kind>[] }> {
  const ofKinds: AttributeTests = { kind: { oneOf: definitions.map(({ kind }) => recordKindOf(kind)) } };
  const query = { ...listed(org, definitions[0]), where: filterBy(ofKinds, filter), descending: true };
  const { items, ...rest } = await readPage(records, query, page);
  return { jobs: items.map((item) => toJob<Kind>(item) as JobOf<Kind>), ...rest };
}

/** Returns the first jobs in one state, from a list by state. */
export async function listJobsByState<Kind extends JobKind>(
  records: RecordStore,
  org: string,
  definition: Listed<Kind>,
  state: JobState,
  order: { descending: boolean; limit: number },
): Promise<Job<Kind>[]> {
  const { items } = await records.query({ ...listed(org, definition), sk: { beginsWith: `${state}#` }, ...order });
  return items.map(toJob<Kind>);
}

/** Counts the jobs in one state, from a list by state, up to `upTo`. */
export function countJobs(
  records: RecordStore,
  org: string,
  definition: Listed,
  state: JobState,
  upTo: number,
): Promise<number> {
  return records.count({ ...listed(org, definition), sk: { beginsWith: `${state}#` } }, upTo);
}

/** What a list needs of a definition, of whatever kind. */
type Listed<Kind extends JobKind = JobKind> = { kind: Kind; policy: Pick<JobPolicy, "list"> };

function listed(org: string, definition: Listed | undefined): Pick<RecordQuery, "index" | "pk"> & { index: "gsi1" } {
  const list = definition?.policy.list;
  if (!list) throw new Error(`jobs of kind '${definition?.kind}' are not listed`);
  return { index: "gsi1", pk: listOf(org, list.name) };
}

/**
 * Yields unfinished jobs of a kind, of all organizations, that were overdue by `before` (ISO), at most `limit` per
 * shard.
 */
export async function* listOverdueJobs(
  records: RecordStore,
  kind: JobKind,
  before: string,
  limit: number,
): AsyncGenerator<Job> {
  for (let shard = 0; shard < SHARDS; shard++) {
    const sk = { atMost: before + AFTER_ANY_ID };
    const { items } = await records.query({ index: "gsi3", pk: unfinishedIn(kind, shard), sk, limit });
    const keys = items.map(({ pk, sk }) => ({ pk, sk }));
    const jobs = keys.length > 0 ? (await records.getMany(keys)).map(toJob<JobKind>) : [];
    // The index may lag behind the record.
    yield* jobs.filter((job) => !isOver(job) && job.overdue_at <= before);
  }
}
