import { DAY_MS } from "../../../kernel/durations.ts";
import { toItem } from "../../../ports/item.ts";
import type { Json } from "../../../ports/json.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import { shardOf } from "../../../ports/shards.ts";

/** Converts a record by its kind; undefined if the record is not in its former form. */
export type Conversions = { [kind: string]: (record: StoredRecord) => StoredRecord[] | undefined };

/** The job's record of version 2. */
export interface JobItem {
  id: string;
  org: string;
  kind: string;
  state: string;
  input: Json;
  checkpoint: Json;
  attempts: number;
  error?: string;
  submitted_by: string;
  submitted_at: string;
  queued_at: string;
  overdue_at: string;
  started_at?: string;
  finished_at?: string;
  revision: number;
}

const SHARDS = 8;

/** The kinds that were listed, and how long a finished job was kept; not listed and kept forever if absent. */
const POLICIES: { [kind: string]: { list?: string; keptDays?: number } } = {
  cleanup: { list: "maintenance", keptDays: 30 },
  sync: { list: "maintenance", keptDays: 30 },
  memory_processing: { list: "memory", keptDays: 14 },
  remember: { keptDays: 1 },
  forget: { keptDays: 1 },
  import: { keptDays: 30 },
  export: { list: "exports", keptDays: 30 },
};

/** Returns the record that a job had in version 2. */
export function toJobItem(job: JobItem): StoredRecord {
  const { org, id, kind, state, overdue_at, submitted_at, finished_at } = job;
  const { list, keptDays } = POLICIES[kind] ?? {};
  const isOver = state !== "queued" && state !== "running";
  const sort = list === "memory" ? `${state}#${finished_at ?? submitted_at}#${id}` : `${submitted_at}#${id}`;
  const unfinished = { gsi3pk: `unfinished-jobs#${kind}#${shardOf(id, SHARDS)}`, gsi3sk: `${overdue_at}#${id}` };
  const ends = finished_at !== undefined && keptDays !== undefined;
  const index = {
    ...(list !== undefined && { gsi1pk: `${org}#jobs#${list}`, gsi1sk: sort }),
    ...(!isOver && unfinished),
    ...(ends && { ttl: Math.ceil((Date.parse(finished_at) + keptDays * DAY_MS) / 1000) }),
  };
  return toItem({ pk: `${org}#${id}`, sk: "job" }, `${kind}_job`, job, index);
}
