import { decodeTime } from "ulid";
import { timestamp } from "../../../kernel/clock.ts";
import { fromItem } from "../../../ports/item.ts";
import type { Json } from "../../../ports/json.ts";
import type { ReplacingStep } from "./step.ts";
import { type Conversions, type JobItem, toJobItem } from "./work-as-jobs.ts";

type FormerTransfer = {
  id: string;
  org: string;
  created_by: string;
  created_at: string;
  queued_at: string;
  ended_at?: string;
} & (FormerImport | FormerExport);

type FormerImport = { what: "import"; owner?: string; blob: string; total: number; position: number } & {
  imported: number;
  skipped: number;
  failed: number;
};

type FormerExport = { what: "export"; filter: Json; asked?: string; expected: number; files: Json[] } & {
  written: number;
  cursor?: string;
};

type FormerRequest = { id: string; org: string; place?: Json; content?: string };

type Work = Pick<JobItem, "kind" | "input" | "checkpoint">;

const ULID_LENGTH = 26;

const UNREAD: Json = { part: 0, found: null, stored: 0 };

/** Converts imports, exports and other requests with an event. A conversation keeps its record, under a new kind. */
const CONVERSIONS: Conversions = {
  transfer: (record) => [toJobItem(transferJob(fromItem(record)))],

  compat_request(record) {
    const { place: _, ...conversation } = record;
    const job = requestJob(fromItem(record));
    return job.kind === "forget" ? [toJobItem(job)] : [{ ...conversation, kind: "conversation" }, toJobItem(job)];
  },
};

function transferJob(former: FormerTransfer): JobItem {
  const { id, org, created_by, created_at, queued_at, ended_at } = former;
  const job = unfinished({ id, org, submitted_by: created_by, submitted_at: created_at, queued_at }, workOf(former));
  if (ended_at === undefined) return job;
  return { ...job, state: isComplete(former) ? "completed" : "failed", finished_at: ended_at };
}

function workOf(former: FormerTransfer): Work {
  if (former.what === "import") {
    const { owner, blob, total, position, imported, skipped, failed } = former;
    const input = { blob, total, ...(owner !== undefined && { owner }) };
    return { kind: "import", input, checkpoint: { position, imported, skipped, failed } };
  }
  const { filter, asked, expected, files, written, cursor } = former;
  const input = { filter, expected, ...(asked !== undefined && { asked }) };
  return { kind: "export", input, checkpoint: { files, written, ...(cursor !== undefined && { cursor }) } };
}

/** Whether a transfer that ended is complete; otherwise it failed. */
function isComplete(former: FormerTransfer): boolean {
  if (former.what === "import") return former.position >= former.total;
  return former.files.length > 0 && former.cursor === undefined;
}

/** Returns the job of a request, which is unfinished: the record of a request exists only until its event ends. */
function requestJob({ id, org, place = UNREAD, content }: FormerRequest): JobItem {
  const submitted_at = timestamp(decodeTime(id.slice(-ULID_LENGTH)));
  const owner = { id, org, submitted_by: org, submitted_at, queued_at: submitted_at };
  const request: { delete?: Json } = content === undefined ? {} : JSON.parse(content);
  if (request.delete === undefined) return unfinished(owner, { kind: "remember", input: null, checkpoint: place });
  return unfinished(owner, { kind: "forget", input: { names: request.delete }, checkpoint: null });
}

/** Returns a job that is overdue at once, so that the next sweep enqueues it; attempts restart at zero. */
function unfinished(
  owner: Pick<JobItem, "id" | "org" | "submitted_by" | "submitted_at" | "queued_at">,
  work: Work,
): JobItem {
  return { ...owner, ...work, state: "queued", attempts: 0, overdue_at: owner.queued_at, revision: 1 };
}

export const step: ReplacingStep = {
  version: 2,
  name: "store imports, exports and other requests with an event as jobs",
  kinds: Object.keys(CONVERSIONS),
  replace: (record) => CONVERSIONS[record.kind]?.(record),
};
