import { insertEvent, newEvent } from "../compat/events.ts";
import { compressionConfig } from "../compression/stored-settings.ts";
import { validate } from "../http/request.ts";
import { timestamp } from "../kernel/clock.ts";
import { type FieldProblem, invalid, ServiceError } from "../kernel/errors.ts";
import { inParallel } from "../kernel/parallel.ts";
import { contentKey, storeContent } from "../memory/content.ts";
import { MEMORY_KIND, memoryKey, versionKey } from "../memory/records.ts";
import type { Context, OrgHome, ViewerHome } from "../platform/context.ts";
import { putChore } from "../sessions/chores.ts";
import { announce } from "./queue.ts";
import { putTransfer } from "./records.ts";
import { type ImportedRow, ImportRow, problemOfSize, problemOfTimes } from "./row.ts";
import { idToKeep, memoryOf, type RowTerms } from "./row-memory.ts";
import { type RowOutcome, RowWriter } from "./row-writer.ts";
import { type FailedRow, type Import, transferOf } from "./transfer.ts";

/** Rows that one import takes. */
export const MAX_ROWS = 10_000;
/** An import that nobody worked off by then is over: its rows are removed. */
const ROWS_KEPT_MS = 7 * 86_400_000;
const JSON_TYPE = "application/json";

/**
 * Takes rows in, whatever they look like, and has the workers make memories of them: each by itself, so that a bad one is
 * named and the others land. Answers at once; the event of the same id tells how far it has come.
 */
export async function beginImport(ctx: Context, rows: unknown[]): Promise<Import> {
  const progress = { total: rows.length, done: 0, failed: 0 };
  const event = newEvent(ctx, { type: "memory.import", resource: "import", progress });
  const { owner } = ctx.principal;
  const blob = `imports/${ctx.org}/${event.id}/rows.json`;
  const begun: Import = {
    what: "import",
    ...transferOf(event),
    ...(owner !== undefined && { owner }),
    blob,
    total: rows.length,
    position: 0,
    imported: 0,
    skipped: 0,
    failed: 0,
  };
  const bytes = Buffer.from(JSON.stringify(rows), "utf8");
  await ctx.ports.records.write(putChore({ what: "drop", blob, due: timestamp(ctx.clock() + ROWS_KEPT_MS) }));
  await ctx.ports.blobs.put(blob, { bytes, contentType: JSON_TYPE });
  await ctx.ports.records.write(putTransfer(begun, "absent"), insertEvent(event));
  await announce(ctx, begun);
  return begun;
}

/**
 * Makes memories of the rows that are left, for so many milliseconds and those of one batch more; answers how far it has
 * come. Throws Superseded where somebody else goes on with it, and whatever keeps it from going on.
 */
export async function importRows(owner: OrgHome, begun: Import, turnMs: number): Promise<Import> {
  const home: ViewerHome = { ...owner, viewer: undefined };
  const until = performance.now() + turnMs;
  const rows = await readRows(home, begun);
  const { batch_size, async_processing } = (await home.settings.read(compressionConfig)).performance;
  const terms = { created_by: begun.created_by, isForLater: async_processing };
  const writer = new RowWriter(home, begun);
  const taken = new Set<string>();
  for (let start = begun.position; start < rows.length; start += batch_size) {
    const batch = rows.slice(start, start + batch_size);
    for (const outcome of await prepare(home, batch, start, terms, taken)) await writer.add(outcome);
    if (performance.now() > until) break;
  }
  await writer.flush();
  return writer.transfer;
}

async function readRows({ ports }: OrgHome, { blob }: Import): Promise<unknown[]> {
  const stored = await ports.blobs.get(blob);
  if (!stored) throw new Error(`the rows of an import are gone: ${blob}`);
  return JSON.parse(Buffer.from(stored.bytes).toString("utf8"));
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
