import { type FieldProblem, invalid, ServiceError } from "../../../kernel/errors.ts";
import { IDS_IN_TEXT } from "../../../kernel/ids.ts";
import { hasMoreMembers } from "../../../kernel/objects.ts";
import { inParallel } from "../../../kernel/parallel.ts";
import { takeTurn } from "../../../kernel/turns.ts";
import { redact } from "../../../language/secrets/redact.ts";
import { ConditionFailedError } from "../../../ports/errors.ts";
import type { Context, MemoryScope, OrgRuntime } from "../../../runtime/context.ts";
import type { JobHandler, JobTurn } from "../../../runtime/jobs/handler.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { findJob } from "../../../runtime/jobs/records.ts";
import { validate } from "../../../runtime/schemas/validate.ts";
import { compressionConfig } from "../../compression/stored-settings.ts";
import { MAX_LINKED_BYTES, UPLOAD_LINK_SECONDS } from "../../knowledge/sources/uploads.ts";
import { admitConversation } from "../../memory/admit-conversation.ts";
import { contentKey, storeContent } from "../../memory/content.ts";
import { type Conversation, type LeftOut, readPart, remember, statementsOf } from "../../memory/conversation.ts";
import { independentGroups } from "../../memory/duplicates.ts";
import { MEMORY_KIND, memoryKey } from "../../memory/memory-keys.ts";
import { ownResult } from "../../memory/memory-results.ts";
import { versionKey } from "../../memory/version-records.ts";
import { actingFor, advanced, beginEventJob, eventOf, putFailedEvent, withEvent } from "../compat/event-jobs.ts";
import { type CompatEvent, type EventFailure, ended, newEvent, putEvent } from "../compat/events.ts";
import { IMPORT_JOB } from "./job-kinds.ts";
import { blobOf, dropRows, putRows, readEntriesFrom, scheduleDeletion, splitFile } from "./parts.ts";
import { type ImportEntry, type ImportedMessage, UnreadableImportError } from "./reading/entry.ts";
import { isReadAsFile } from "./reading/read-entries.ts";
import { listFailures } from "./records.ts";
import { idToKeep, memoryOf, type RowTerms } from "./row-memory.ts";
import { type RowOutcome, RowWriter } from "./row-writer.ts";
import { type ImportedRow, ImportRow, MAX_CONTENT_LENGTH, problemOfSize, problemOfTimes } from "./rows/row.ts";
import {
  type FailedRow,
  type Import,
  type ImportedFile,
  type ImportProgress,
  importProgress,
  type SkippedRow,
  totalOf,
} from "./transfer.ts";

/** Maximum rows in the body of an import; a file may have more. */
export const MAX_ROWS = 10_000;
/** More than any valid row has. Checked first: to name each of 400,000 unknown fields takes seconds. */
const MAX_ROW_MEMBERS = 25_000;
/** Maximum failed rows in the event itself. */
const NAMED_FAILURES = 100;
/** Messages processed concurrently. */
const MESSAGES_AT_ONCE = 8;
const BEGINNING: ImportProgress = { position: 0, imported: 0, skipped: 0, failed: 0 };

/**
 * Stores unvalidated rows and imports them in the background, each independently, so that bad rows are reported and
 * others stored. Returns at once; the event with the same id has the progress.
 */
export async function beginImport(ctx: Context, rows: unknown[]): Promise<Import> {
  const bytes = Buffer.from(JSON.stringify(rows), "utf8");
  // A conversation or another service's object may have many entries, which are counted like those of a file.
  if (rows.some(isReadAsFile)) return beginFileImport(ctx, bytes, { format: "json" });
  const id = ctx.ids("event");
  await putRows(ctx, blobOf(ctx.org, id), bytes);
  return begin(ctx, id, rows.length);
}

/** Imports the rows of a file like `beginImport`. */
export async function beginFileImport(ctx: Context, bytes: Uint8Array, file: ImportedFile): Promise<Import> {
  const id = ctx.ids("event");
  await putRows(ctx, blobOf(ctx.org, id), bytes);
  return begin(ctx, id, 0, file);
}

/** An upload link for an import, which `beginLinkedImport` then starts under the same id. */
export async function requestLink(ctx: Context): Promise<{ id: string; url: string }> {
  const id = ctx.ids("event");
  const blob = blobOf(ctx.org, id);
  await scheduleDeletion(ctx, blob);
  return { id, url: await ctx.ports.blobs.presign(blob, "put", UPLOAD_LINK_SECONDS) };
}

/**
 * Imports the file of an upload link like `beginFileImport`; returns the import if it has already started. Throws
 * IMPORT_NOT_FOUND if nothing was uploaded, and PAYLOAD_TOO_LARGE.
 */
export async function beginLinkedImport(ctx: Context, id: string, file: ImportedFile): Promise<Import> {
  const { records, blobs } = ctx.ports;
  const existing = await findJob(records, ctx.org, id, IMPORT_JOB);
  if (existing) return existing;
  const uploaded = await blobs.open(blobOf(ctx.org, id));
  if (!uploaded) {
    const message = "No file was uploaded for this import. PUT the file to upload_url first.";
    throw new ServiceError("IMPORT_NOT_FOUND", message, { import_id: id });
  }
  if (uploaded.size > MAX_LINKED_BYTES) {
    throw new ServiceError("PAYLOAD_TOO_LARGE", `The file exceeds ${MAX_LINKED_BYTES} bytes.`, {
      max_bytes: MAX_LINKED_BYTES,
    });
  }
  try {
    return await begin(ctx, id, 0, file);
  } catch (error) {
    const other = error instanceof ConditionFailedError ? await findJob(records, ctx.org, id, IMPORT_JOB) : undefined;
    if (other) return other;
    throw error;
  }
}

async function begin(ctx: Context, id: string, total: number, file?: ImportedFile): Promise<Import> {
  const progress = importProgress({ total }, BEGINNING);
  const event = { ...newEvent(ctx, { type: "memory.import", resource: "import", progress }), id };
  const { owner } = ctx.principal;
  const input = { total, blob: blobOf(ctx.org, id), ...(owner !== undefined && { owner }), ...(file && { file }) };
  const job = await beginEventJob(ctx, event, IMPORT_JOB, { input, checkpoint: BEGINNING });
  await enqueueJob(ctx, job);
  return job;
}

/** Imports rows: a step processes batches until the turn is over. The first step of a file parses it. */
export const importRows: JobHandler<"import"> = {
  ...withEvent,
  job: IMPORT_JOB,

  async step(runtime, turn) {
    const { input, checkpoint: before } = turn.job;
    const begun = await eventOf(runtime, turn.job);
    if (input.file && !before.parts) {
      const checkpoint = { ...before, parts: await splitFile(runtime, turn, input.file) };
      return { checkpoint, writes: [putEvent(advanced(begun, runtime.clock(), importProgress(input, checkpoint)))] };
    }
    const event = await storeRows({ ...runtime, viewer: undefined }, turn, begun);
    const { job } = turn;
    const { checkpoint } = job;
    const total = totalOf(input, checkpoint);
    if (checkpoint.position < total) return { checkpoint };
    const status = checkpoint.failed === total - (checkpoint.parts?.skipped ?? 0) ? "FAILED" : "COMPLETED";
    const outcome = {
      status,
      progress: importProgress(input, checkpoint),
      errors: await failuresOf(runtime, job),
    } as const;
    return { end: "completed", writes: [putEvent(ended(event, runtime.clock(), outcome))] };
  },

  async onFailed(runtime, job, error) {
    if (!(error instanceof UnreadableImportError)) {
      return { writes: [await putFailedEvent(runtime, job, await failuresOf(runtime, job))] };
    }
    const errors = [{ code: "VALIDATION_ERROR", message: error.message }];
    const event = await eventOf(runtime, job);
    return { writes: [putEvent(ended(event, runtime.clock(), { status: "FAILED", errors }))] };
  },

  isPermanent: (error) => error instanceof UnreadableImportError,
  isOutside: (error) => error instanceof UnreadableImportError,
  onEnded: dropRows,
};

/** Returns the event with what the rows left out. */
async function storeRows(runtime: MemoryScope, turn: JobTurn<"import">, event: CompatEvent): Promise<CompatEvent> {
  const { input, checkpoint, submitted_by: created_by } = turn.job;
  if (checkpoint.position >= totalOf(input, checkpoint)) return event;
  const entries = await readEntriesFrom(runtime, turn.job);
  const { batch_size, async_processing } = (await runtime.settings.read(compressionConfig)).performance;
  const terms = { created_by, import_id: event.id, isForLater: async_processing, event, user_id: input.file?.user_id };
  const writer = new RowWriter(runtime, turn, event);
  const taken = new Set<string>();
  for (let start = 0; start < entries.length; start += batch_size) {
    const batch = entries.slice(start, start + batch_size);
    for (const outcome of await prepare(runtime, batch, checkpoint.position + start, terms, taken)) {
      await writer.add(outcome);
    }
    if (turn.isOver()) break;
  }
  await writer.flush();
  return writer.event;
}

/** The first failed rows; a separate route lists all. */
async function failuresOf({ ports }: OrgRuntime, { org, id, checkpoint }: Import): Promise<EventFailure[]> {
  if (checkpoint.failed === 0) return [];
  const { items: failures } = await listFailures(ports.records, org, id, { limit: NAMED_FAILURES, offset: 0 });
  return failures.map(({ index, fields }) => {
    const { code, message } = invalid(...fields);
    return { index, code, message };
  });
}

/** An entry after validation. */
type Examined =
  | { index: number; row: ImportedRow; id: string | undefined }
  | { index: number; message: ImportedMessage }
  | FailedRow
  | SkippedRow;

interface EntryTerms extends RowTerms {
  event: CompatEvent;
  /** The user of the messages. */
  user_id: string | undefined;
}

/** Ids that rows cannot keep: those `taken` by memories or earlier rows; those with `remains` of deleted memories. */
interface KnownIds {
  taken: Set<string>;
  remains: Set<string>;
}

/** The outcome of each row, in order; reserves the ids that rows keep. */
async function prepare(
  runtime: MemoryScope,
  batch: ImportEntry[],
  start: number,
  terms: EntryTerms,
  taken: Set<string>,
): Promise<RowOutcome[]> {
  const examined = batch.map((entry, offset) => examine(runtime, entry, start + offset));
  const known = { taken, remains: new Set<string>() };
  await findKnownIds(runtime, examined, known);
  const outcomes: RowOutcome[] = [];
  for (const group of groupsOf(examined)) {
    outcomes.push(...(await inParallel(group, group.length, (entry) => outcomeOf(runtime, entry, terms, known))));
  }
  return outcomes;
}

/** Messages must find the statements of earlier ones, so messages about the same user are processed in order. */
function groupsOf(examined: Examined[]): Examined[][] {
  if (!examined.some((entry) => "message" in entry)) return [examined];
  const comparable = examined.map((entry) => ({ content: "message" in entry ? entry.message.content : "", entry }));
  return independentGroups(comparable, MESSAGES_AT_ONCE).map((group) => group.map(({ entry }) => entry));
}

function examine({ org, clock }: MemoryScope, entry: ImportEntry, index: number): Examined {
  if ("problem" in entry) return { index, fields: [entry.problem] };
  if ("skipped" in entry) return { index, reason: entry.skipped };
  if ("message" in entry) return { index, message: entry.message };
  if (hasMoreMembers(entry.row, MAX_ROW_MEMBERS)) {
    return { index, fields: [{ field: "row", problem: `has more than ${MAX_ROW_MEMBERS} fields and list members` }] };
  }
  try {
    const row = validate(ImportRow, entry.row);
    const problem = problemOfTimes(row, clock()) ?? problemOfSize(row);
    if (problem) throw invalid(problem);
    return { index, row, id: idToKeep(org, row) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { index, fields: error.details.fields as FieldProblem[] };
  }
}

/**
 * A reason may name a file as its client did: it is kept without secrets, and without ids, because the erasure of a user
 * deletes the records that hold ids of the user's memories.
 */
function reasonToKeep(reason: string): string {
  return redact(reason.replaceAll(IDS_IN_TEXT, "[id]")).text;
}

/**
 * Adds the ids of rows that they cannot keep to `taken` or `remains`. A deleted memory's versions are deleted a moment
 * later, so a new memory with its id would lose its own versions.
 */
async function findKnownIds(
  { ports, org }: MemoryScope,
  examined: Examined[],
  { taken, remains }: KnownIds,
): Promise<void> {
  const byPartition = new Map<string, string>();
  const keys = examined.flatMap((entry) => {
    if (!("row" in entry) || entry.id === undefined || byPartition.has(memoryKey(org, entry.id).pk)) return [];
    const key = memoryKey(org, entry.id);
    byPartition.set(key.pk, entry.id);
    return [key, versionKey(org, entry.id, entry.row.version ?? 1)];
  });
  for (const { pk, kind } of keys.length === 0 ? [] : await ports.records.getMany(keys)) {
    const id = byPartition.get(pk);
    if (id !== undefined) (kind === MEMORY_KIND ? taken : remains).add(id);
  }
}

/** The outcome of a row; one that is refused, for example because of its secrets, has failed. */
async function outcomeOf(runtime: MemoryScope, examined: Examined, terms: EntryTerms, known: KnownIds) {
  try {
    return await toOutcome(runtime, examined, terms, known);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "VALIDATION_ERROR") throw error;
    return { failed: { index: examined.index, fields: error.details.fields as FieldProblem[] } };
  }
}

async function toOutcome(
  runtime: MemoryScope,
  examined: Examined,
  terms: EntryTerms,
  { taken, remains }: KnownIds,
): Promise<RowOutcome> {
  if ("fields" in examined) return { failed: examined };
  if ("reason" in examined) {
    await takeTurn(runtime.org);
    return { skipped: { ...examined, reason: reasonToKeep(examined.reason) } };
  }
  if ("message" in examined)
    return rememberMessage(actingFor(runtime, terms.event), terms.event, examined, terms.user_id);
  const { row, id: ownId } = examined;
  if (ownId !== undefined && taken.has(ownId)) {
    return { skipped: { index: examined.index, reason: "its memory exists already" } };
  }
  if (ownId !== undefined) taken.add(ownId);
  const id = ownId === undefined || remains.has(ownId) ? runtime.ids("memory") : ownId;
  await takeTurn(runtime.org);
  const { memory, job } = await memoryOf(runtime, row, id, terms);
  return { memory, job, stored: await storeContent(runtime, contentKey(memory, memory.content), memory.content) };
}

/**
 * Extracts memories from a message of another service's conversation, as for added conversations. A repeated message of
 * the same event and position stores nothing twice; one without new statements is skipped.
 */
async function rememberMessage(
  ctx: Context,
  { id: event, created_at }: Pick<CompatEvent, "id" | "created_at">,
  { index, message }: { index: number; message: ImportedMessage },
  user_id: string | undefined,
): Promise<RowOutcome> {
  const { role, content, occurred_at, metadata, before } = message;
  if (content.length > MAX_CONTENT_LENGTH) {
    return { failed: { index, fields: [{ field: "row", problem: `has more than ${MAX_CONTENT_LENGTH} characters` }] } };
  }
  const draft = { metadata, user_id, occurred_at };
  const sent: Conversation = { messages: [{ role, content }], draft, ...(before && { before: [before] }) };
  const { conversation, leftOut: secrets } = await admitConversation(ctx, sent, event);
  const part = conversation.messages;
  const { found, leftOut } = await readPart(ctx, conversation, part, created_at);
  const origin = { door: "imports" as const, derived_from: event };
  const source = { name: `${event}#${index}`, origin, conversation, resultsOf: ownResult };
  const statements = statementsOf(part, found);
  let isRemembered = false;
  for (const statement of statements) {
    const results = await remember(ctx, source, statement, { skip_duplicates: true });
    if (results.some((result) => result.event === "ADD")) isRemembered = true;
  }
  const all = { leftOut: [...secrets, ...leftOut] };
  if (isRemembered) return all;
  const reason = statements.length > 0 ? "states only what memories state already" : reasonOf(all.leftOut);
  return { ...all, skipped: { index, reason } };
}

function reasonOf(leftOut: LeftOut[]): string {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))];
  return `states nothing to remember${reasons.length > 0 ? ` (left out: ${reasons.join(", ")})` : ""}`;
}
