import { beginEventJob, eventOf, tellFailure, withEvent } from "../compat/event-jobs.ts";
import { type CompatEvent, type EventFailure, ended, newEvent, putEvent } from "../compat/events.ts";
import { compressionConfig } from "../compression/stored-settings.ts";
import { validate } from "../http/request.ts";
import type { JobHandler, JobTurn } from "../jobs/handler.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { timestamp } from "../kernel/clock.ts";
import { type FieldProblem, invalid, ServiceError } from "../kernel/errors.ts";
import { inParallel } from "../kernel/parallel.ts";
import { contentKey, storeContent } from "../memory/content.ts";
import { MEMORY_KIND, memoryKey, versionKey } from "../memory/records.ts";
import type { Context, OrgHome, ViewerHome } from "../platform/context.ts";
import { putChore } from "../sessions/chores.ts";
import { listFailures } from "./records.ts";
import { type ImportedRow, ImportRow, problemOfSize, problemOfTimes } from "./row.ts";
import { idToKeep, memoryOf, type RowTerms } from "./row-memory.ts";
import { type RowOutcome, RowWriter } from "./row-writer.ts";
import { type FailedRow, type Import, type ImportInput, type ImportProgress, importProgress } from "./transfer.ts";

/** Rows that one import takes. */
export const MAX_ROWS = 10_000;
/** An import that nobody worked off by then is over: its rows are removed. */
const ROWS_KEPT_MS = 7 * 86_400_000;
const JSON_TYPE = "application/json";
/** Rows that failed, as many as the event itself names. */
const NAMED_FAILURES = 100;
const BEGINNING: ImportProgress = { position: 0, imported: 0, skipped: 0, failed: 0 };

/**
 * Takes rows in, whatever they look like, and has the workers make memories of them: each by itself, so that a bad one is
 * named and the others land. Answers at once; the event of the same id tells how far it has come.
 */
export async function beginImport(ctx: Context, rows: unknown[]): Promise<Import> {
  const input = { total: rows.length };
  const progress = importProgress(input, BEGINNING);
  const event = newEvent(ctx, { type: "memory.import", resource: "import", progress });
  const { owner } = ctx.principal;
  const blob = `imports/${ctx.org}/${event.id}/rows.json`;
  const bytes = Buffer.from(JSON.stringify(rows), "utf8");
  await ctx.ports.records.write(putChore({ what: "drop", blob, due: timestamp(ctx.clock() + ROWS_KEPT_MS) }));
  await ctx.ports.blobs.put(blob, { bytes, contentType: JSON_TYPE });
  const work = { input: { ...input, blob, ...(owner !== undefined && { owner }) }, checkpoint: BEGINNING };
  const job = await beginEventJob(ctx, event, "import", work);
  await enqueueJob(ctx, job);
  return job;
}

/** Makes memories of rows: a step takes batches of them until the turn is over. */
export const importRows: JobHandler<"import"> = {
  ...withEvent,
  kind: "import",

  async step(home, turn) {
    const event = await eventOf(home, turn.job);
    await storeRows({ ...home, viewer: undefined }, turn, event);
    const { job } = turn;
    const { input, checkpoint } = job;
    if (checkpoint.position < input.total) return { checkpoint };
    const status = checkpoint.failed === input.total ? "FAILED" : "COMPLETED";
    const outcome = {
      status,
      progress: importProgress(input, checkpoint),
      errors: await failuresOf(home, job),
    } as const;
    return { end: "completed", writes: [putEvent(ended(event, home.clock(), outcome))] };
  },

  async onFailed(home, job) {
    return { writes: [await tellFailure(home, job, await failuresOf(home, job))] };
  },

  onEnded: ({ ports }, { input }) => ports.blobs.delete(input.blob),
};

async function storeRows(home: ViewerHome, turn: JobTurn<"import">, event: CompatEvent): Promise<void> {
  const { input, checkpoint, submitted_by: created_by } = turn.job;
  if (checkpoint.position >= input.total) return;
  const rows = await readRows(home, input);
  const { batch_size, async_processing } = (await home.settings.read(compressionConfig)).performance;
  const terms = { created_by, isForLater: async_processing };
  const writer = new RowWriter(home, turn, event);
  const taken = new Set<string>();
  for (let start = checkpoint.position; start < rows.length; start += batch_size) {
    const batch = rows.slice(start, start + batch_size);
    for (const outcome of await prepare(home, batch, start, terms, taken)) await writer.add(outcome);
    if (turn.isOver()) break;
  }
  await writer.flush();
}

async function readRows({ ports }: OrgHome, { blob }: ImportInput): Promise<unknown[]> {
  const stored = await ports.blobs.get(blob);
  if (!stored) throw new Error(`the rows of an import are gone: ${blob}`);
  return JSON.parse(Buffer.from(stored.bytes).toString("utf8"));
}

/** The first rows that failed; all of them are listed by their own route. */
async function failuresOf({ ports }: OrgHome, { org, id, checkpoint }: Import): Promise<EventFailure[]> {
  if (checkpoint.failed === 0) return [];
  const { failures } = await listFailures(ports.records, org, id, { limit: NAMED_FAILURES, offset: 0 });
  return failures.map(({ index, fields }) => {
    const { code, message } = invalid(...fields);
    return { index, code, message };
  });
}

// ---------------------------------------------------------------- a batch of rows

type Examined = { index: number; row: ImportedRow; id: string | undefined } | FailedRow;

/** Ids that rows cannot keep: of memories, here or in rows before, and of deleted ones that are still being removed. */
interface Known {
  taken: Set<string>;
  remains: Set<string>;
}

/** What becomes of each row, in order; takes up the ids it comes by. */
async function prepare(
  home: ViewerHome,
  batch: unknown[],
  start: number,
  terms: RowTerms,
  taken: Set<string>,
): Promise<RowOutcome[]> {
  const examined = batch.map((given, place) => examine(given, start + place, home.clock()));
  const known = { taken, remains: new Set<string>() };
  await lookUp(home, examined, known);
  return inParallel(examined, batch.length, (each) => become(home, each, terms, known));
}

function examine(given: unknown, index: number, now: number): Examined {
  try {
    const row = validate(ImportRow, given);
    const problem = problemOfTimes(row, now) ?? problemOfSize(row);
    if (problem) throw invalid(problem);
    return { index, row, id: idToKeep(row) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { index, fields: error.details.fields as FieldProblem[] };
  }
}

/** A deleted memory's versions go a moment after itself; one in its place would go with them. */
async function lookUp({ ports, org }: ViewerHome, examined: Examined[], { taken, remains }: Known): Promise<void> {
  const byPartition = new Map<string, string>();
  const keys = examined.flatMap((each) => {
    if (!("row" in each) || each.id === undefined || byPartition.has(memoryKey(org, each.id).pk)) return [];
    const key = memoryKey(org, each.id);
    byPartition.set(key.pk, each.id);
    return [key, versionKey(org, each.id, each.row.version ?? 1)];
  });
  for (const { pk, kind } of keys.length === 0 ? [] : await ports.records.getMany(keys)) {
    const id = byPartition.get(pk);
    if (id !== undefined) (kind === MEMORY_KIND ? taken : remains).add(id);
  }
}

async function become(
  home: ViewerHome,
  examined: Examined,
  terms: RowTerms,
  { taken, remains }: Known,
): Promise<RowOutcome> {
  if (!("row" in examined)) return { failed: examined };
  const { row, id: kept } = examined;
  if (kept !== undefined && taken.has(kept)) return "skipped";
  if (kept !== undefined) taken.add(kept);
  const id = kept === undefined || remains.has(kept) ? home.ids("memory") : kept;
  const { memory, job } = await memoryOf(home, row, id, terms);
  return { memory, job, stored: await storeContent(home, contentKey(memory, memory.content), memory.content) };
}
