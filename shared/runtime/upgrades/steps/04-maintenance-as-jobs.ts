import { fromItem } from "../../../ports/item.ts";
import type { Json } from "../../../ports/json.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import type { ReplacingStep } from "./step.ts";
import { type Conversions, type JobItem, toJobItem } from "./work-as-jobs.ts";

/** The fields that all kinds of work had before they were stored as jobs. */
interface Former {
  id: string;
  org: string;
  state: string;
  attempts: number;
  error?: string;
  submitted_at: string;
  queued_at: string;
  started_at?: string;
  finished_at?: string;
  revision?: number;
}

type FormerMaintenance = Omit<Former, "org"> & { type: "cleanup" | "sync"; plan: string[]; submitted_by: string } & {
  options: Json;
  step: number;
  cursor?: string;
  tallies: Json;
  processing_ms: number;
};

type FormerMemoryJob = Former & { memory_id: string; priority: number; options: Json };

type FormerHandOver = Pick<Former, "id" | "org" | "state" | "finished_at"> & {
  from: string;
  to?: string;
  due_at: string;
  begun_at: string;
  revision: number;
  look: number;
  place: Json;
  after?: string;
  handed_on: Json;
};

const STATES: { [former: string]: string } = { processing: "running", done: "completed", superseded: "cancelled" };

/** Converts maintenance, memory processing and ownership transfers. */
const CONVERSIONS: Conversions = {
  maintenance_job(record) {
    const {
      type: kind,
      options,
      plan,
      step,
      cursor,
      tallies,
      processing_ms,
      ...job
    } = fromItem<FormerMaintenance>(record);
    const org = record.pk.slice(0, record.pk.indexOf("#"));
    const checkpoint = { step, ...(cursor !== undefined && { cursor }), tallies, processing_ms };
    return converted({ ...job, org }, { kind, input: { options, plan }, checkpoint, submitted_by: job.submitted_by });
  },

  job(record) {
    const { memory_id, priority, options, ...job } = fromItem<FormerMemoryJob>(record);
    const input = { memory_id, priority, options };
    return converted(job, { kind: "memory_processing", input, checkpoint: null, submitted_by: job.org });
  },

  hand_over(record) {
    const { from, to, look, place, after, handed_on, due_at, begun_at, ...job } = fromItem<FormerHandOver>(record);
    const former = { ...job, attempts: 0, submitted_at: begun_at, queued_at: due_at, started_at: begun_at };
    const input = { from, ...(to !== undefined && { to }) };
    const checkpoint = { look, place, ...(after !== undefined && { after }), handed_on };
    return converted(former, { kind: "ownership_transfer", input, checkpoint, submitted_by: job.org });
  },
};

/** Returns the job's record. An unfinished job is overdue at once, so that the next sweep enqueues it. */
function converted(
  { id, org, state, attempts, submitted_at, queued_at, revision = 1, ...rest }: Former,
  work: Pick<JobItem, "kind" | "input" | "checkpoint" | "submitted_by">,
): StoredRecord[] {
  const { error, started_at, finished_at } = rest;
  const job: JobItem = {
    ...work,
    id,
    org,
    state: STATES[state] ?? (state as string),
    attempts,
    ...(error !== undefined && { error }),
    submitted_at,
    queued_at,
    overdue_at: queued_at,
    ...(started_at !== undefined && { started_at }),
    ...(finished_at !== undefined && { finished_at }),
    revision,
  };
  return [toJobItem(job)];
}

export const step: ReplacingStep = {
  version: 2,
  name: "store maintenance, memory processing and ownership transfers as jobs",
  kinds: Object.keys(CONVERSIONS),
  replace: (record) => CONVERSIONS[record.kind]?.(record),
};
