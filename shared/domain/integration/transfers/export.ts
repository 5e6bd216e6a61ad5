import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import type { Context, MemoryScope, OrgRuntime } from "../../../runtime/context.ts";
import type { JobHandler, JobTurn } from "../../../runtime/jobs/handler.ts";
import { messageOf } from "../../../runtime/jobs/queue.ts";
import { findJob } from "../../../runtime/jobs/records.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { type WalkCursor, walkMatching } from "../../memory/event-list.ts";
import { decisionsOf } from "../../memory/fact-reader.ts";
import { countMemories, listMemoriesAfter, type MemoryPart } from "../../memory/memory-lists.ts";
import { revealTo } from "../../memory/reveal-secrets.ts";
import { putChore } from "../../sessions/chores.ts";
import { advanced, beginEventJob, eventOf, withEvent } from "../compat/event-jobs.ts";
import { type CompatEvent, ended, getEvent, newEvent, putEvent } from "../compat/events.ts";
import { FILE_FORMS, FileDraft } from "./file-draft.ts";
import { EXPORT_JOB } from "./job-kinds.ts";
import { toRow } from "./rows/row.ts";
import { type Export, type ExportedFile, type ExportFilter, type ExportFormat, exportProgress } from "./transfer.ts";

/** Memories per read; with the current file, the only data of an export in memory. */
const PAGE = 100;
/** A file ends with the page that reaches this size. */
const FILE_BYTES = 3_500_000;
/** A file ends before the memory that would exceed this size, the limit of an import's body. */
export const MAX_FILE_BYTES = 4_500_000;
/** How long files of an export can be downloaded. */
export const FILES_KEPT_MS = DAY_MS;
/** How long an export runs before the response; the workers do the rest. */
const EXPORT_AT_ONCE_MS = 2000;

/** What an export contains, and in which format. */
export interface ExportRequest {
  filter: ExportFilter;
  /** See `ExportInput`. */
  asked?: string;
  format?: ExportFormat;
}

/** Stores the job of an export; `runExport` starts it. */
export async function beginExport(ctx: Context, { filter, asked, format }: ExportRequest): Promise<Export> {
  const expected = await countExpected(ctx, filter);
  const progress = exportProgress({ expected }, 0);
  const event = newEvent(ctx, { type: "memory.export", resource: "export", progress });
  const work = {
    input: { filter, expected, ...(asked && { asked }), ...(format && { format }) },
    checkpoint: { files: [], written: 0 },
  };
  return beginEventJob(ctx, event, EXPORT_JOB, work);
}

/** Exports for a limited time before the response; returns the event and the job, which the workers continue. */
export async function runExport(ctx: Context, request: ExportRequest): Promise<{ event: CompatEvent; job: Export }> {
  const started = await beginExport(ctx, request);
  await runJob(ctx, [exportMemories], messageOf(started), EXPORT_AT_ONCE_MS);
  const { records } = ctx.ports;
  const [event, job] = await Promise.all([
    getEvent(ctx, started.id),
    findJob(records, ctx.org, started.id, EXPORT_JOB),
  ]);
  return { event, job: job ?? started };
}

function countExpected(ctx: Context, { where, ...filter }: ExportFilter): Promise<number> {
  if (where === undefined) return countMemories({ ...ctx, viewer: undefined }, filter);
  return ctx.ports.search.count({ org: ctx.org, now: ctx.clock(), filters: { where } });
}

/** Writes memories to files; each step records its files with the next position, so that none is lost or repeated. */
export const exportMemories: JobHandler<"export"> = {
  ...withEvent,
  job: EXPORT_JOB,

  async step(runtime, turn) {
    const { job } = turn;
    const event = await eventOf(runtime, job);
    const { files, cursor } = await writeFiles(runtime, turn);
    const written = job.checkpoint.written + files.reduce((sum, { memories }) => sum + memories, 0);
    const checkpoint = { files: [...job.checkpoint.files, ...files], written, ...(cursor !== undefined && { cursor }) };
    const isComplete = cursor === undefined;
    const progress = exportProgress(job.input, written, isComplete);
    const now = runtime.clock();
    if (!isComplete) return { checkpoint, writes: [putEvent(advanced(event, now, progress))] };
    return { end: "completed", checkpoint, writes: [putEvent(ended(event, now, { progress }))] };
  },
};

/** Writes the next files; returns no `cursor` after the last one. An empty export has one file. */
async function writeFiles(orgRuntime: OrgRuntime, turn: JobTurn<"export">) {
  const runtime = { ...orgRuntime, viewer: undefined } as const;
  const { job } = turn;
  const files: ExportedFile[] = [];
  let { cursor } = job.checkpoint;
  const form = FILE_FORMS[job.input.format ?? "json"];
  let file = new FileDraft(form);
  do {
    const page = await readPart(runtime, job.input.filter, cursor);
    const decisions = await decisionsOf(runtime, page.memories);
    for (const memory of revealTo(job.input.filter.user_id, page.memories)) {
      const row = form.toText(toRow(memory, decisions.get(memory.id)));
      if (file.isFullWith(row, MAX_FILE_BYTES)) {
        files.push(await putFile(runtime, job, file));
        file = new FileDraft(form);
      }
      file.add(row);
    }
    cursor = page.cursor;
  } while (cursor !== undefined && file.bytes < FILE_BYTES && !turn.isOver());
  const isEmptyExport = cursor === undefined && job.checkpoint.files.length + files.length === 0;
  if (file.memories > 0 || isEmptyExport) files.push(await putFile(runtime, job, file));
  return { files, cursor };
}

/** The next memories; the cursor is that of the memory list, or a position in the search index. */
async function readPart(
  runtime: MemoryScope & { viewer: undefined },
  { where, ...filter }: ExportFilter,
  cursor: string | undefined,
): Promise<MemoryPart> {
  if (where === undefined) return listMemoriesAfter(runtime, filter, { limit: PAGE, after: cursor });
  const after = cursor === undefined ? undefined : (JSON.parse(cursor) as WalkCursor);
  const { memories, cursor: next } = await walkMatching(runtime, { where }, { limit: PAGE, after });
  return next === undefined ? { memories } : { memories, cursor: JSON.stringify(next) };
}

/** Stores a file under a unique key, so that two writers do not conflict; schedules its deletion first. */
async function putFile({ ports, clock, ids }: OrgRuntime, { org, id }: Export, file: FileDraft): Promise<ExportedFile> {
  const blob = `exports/${org}/${id}/${ids("job")}/memories.${file.form.extension}`;
  const bytes = file.toBuffer();
  await ports.records.write(putChore({ what: "drop", blob, due: timestamp(clock() + FILES_KEPT_MS) }));
  await ports.blobs.put(blob, { bytes, contentType: file.form.contentType });
  return { blob, bytes: bytes.byteLength, memories: file.memories };
}
