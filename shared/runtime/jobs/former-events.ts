import { decodeTime } from "ulid";
import type { Names } from "../../domain/integration/compat/filters.ts";
import type {
  ExportInput,
  ExportProgress,
  ImportInput,
  ImportProgress,
} from "../../domain/integration/transfers/transfer.ts";
import type { StoredContent } from "../../domain/memory/content.ts";
import type { ConversationCheckpoint } from "../../domain/memory/conversation-steps.ts";
import { timestamp } from "../../kernel/clock.ts";
import { fromItem } from "../../ports/item.ts";
import type { Conversions } from "./former.ts";
import type { Job } from "./job.ts";
import { toJobRecord } from "./stored-form.ts";

type FormerTransfer = {
  id: string;
  org: string;
  created_by: string;
  created_at: string;
  queued_at: string;
  ended_at?: string;
} & (({ what: "import" } & ImportInput & ImportProgress) | ({ what: "export" } & ExportInput & ExportProgress));

type FormerRequest = { id: string; org: string; place?: ConversationCheckpoint } & StoredContent;

type Work = Pick<Job, "kind" | "input" | "checkpoint">;

const ULID_LENGTH = 26;

const UNREAD: ConversationCheckpoint = { part: 0, found: null, stored: 0 };

/** Converts imports, exports and other requests with an event. A conversation keeps its record, under a new kind. */
export const FORMER_EVENT_WORK: Conversions = {
  transfer: (record) => [toJobRecord(transferJob(fromItem(record)))],

  compat_request(record) {
    const { place: _, ...conversation } = record;
    const job = requestJob(fromItem(record));
    return job.kind === "forget" ? [toJobRecord(job)] : [{ ...conversation, kind: "conversation" }, toJobRecord(job)];
  },
};

function transferJob(former: FormerTransfer): Job {
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
function requestJob({ id, org, place = UNREAD, ...stored }: FormerRequest): Job {
  const submitted_at = timestamp(decodeTime(id.slice(-ULID_LENGTH)));
  const owner = { id, org, submitted_by: org, submitted_at, queued_at: submitted_at };
  const request: { delete?: Names } = "content" in stored ? JSON.parse(stored.content) : {};
  if (request.delete === undefined) return unfinished(owner, { kind: "remember", input: null, checkpoint: place });
  return unfinished(owner, { kind: "forget", input: { names: request.delete }, checkpoint: null });
}

/** Returns a job that is overdue at once, so that the next sweep enqueues it; attempts restart at zero. */
function unfinished(owner: Pick<Job, "id" | "org" | "submitted_by" | "submitted_at" | "queued_at">, work: Work): Job {
  return { ...owner, ...work, state: "queued", attempts: 0, overdue_at: owner.queued_at, revision: 1 };
}
