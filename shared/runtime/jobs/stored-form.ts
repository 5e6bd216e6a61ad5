import { fromItem, toItem } from "../../ports/item.ts";
import type { RecordKey, StoredRecord } from "../../ports/record-store.ts";
import { shardOf } from "../../ports/shards.ts";
import { isOver, type Job } from "./job.ts";
import { type JobKind, policyOf } from "./kinds.ts";

/** Number of shards of each index of unfinished jobs, so that writes are spread over partitions. */
export const SHARDS = 8;

export const jobKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "job" });
export const listOf = (org: string, name: string): string => `${org}#jobs#${name}`;
export const unfinishedIn = (kind: JobKind, shard: number): string => `unfinished-jobs#${kind}#${shard}`;

/** The record `kind` of a job kind. */
export const recordKindOf = (kind: JobKind): string => `${kind}_job`;

/** Returns the record of a job. */
export function toJobRecord(job: Job): StoredRecord {
  const { org, id, kind, overdue_at, finished_at } = job;
  const { keptMs } = policyOf(kind);
  const unfinished = { gsi3pk: unfinishedIn(kind, shardOf(id, SHARDS)), gsi3sk: `${overdue_at}#${id}` };
  const isKept = finished_at === undefined || keptMs === undefined;
  const ttl = isKept ? undefined : Math.ceil((Date.parse(finished_at) + keptMs) / 1000);
  const index = { ...listing(job), ...(!isOver(job) && unfinished), ttl };
  return toItem(jobKey(org, id), recordKindOf(kind), job, index);
}

/** Returns the index keys of the job's list: by submission, or by state and then by the end, or else the submission. */
function listing({ org, id, kind, state, submitted_at, finished_at = submitted_at }: Job) {
  const { list } = policyOf(kind);
  if (!list) return {};
  const sort = list.by === "submission" ? `${submitted_at}#${id}` : `${state}#${finished_at}#${id}`;
  return { gsi1pk: listOf(org, list.name), gsi1sk: sort };
}

/** Returns the job of a record. */
export function toJob<Kind extends JobKind>(record: StoredRecord): Job<Kind> {
  const kind = record.kind.slice(0, -"_job".length) as Kind;
  return { ...fromItem<Omit<Job<Kind>, "kind">>(record), kind };
}
