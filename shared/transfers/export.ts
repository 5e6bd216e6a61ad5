import { advanced, beginEventJob, eventOf, withEvent } from "../compat/event-jobs.ts";
import { type CompatEvent, ended, getEvent, newEvent, putEvent } from "../compat/events.ts";
import type { JobHandler, JobTurn } from "../jobs/handler.ts";
import { messageOf } from "../jobs/queue.ts";
import { findJob } from "../jobs/records.ts";
import { runJob } from "../jobs/run.ts";
import { timestamp } from "../kernel/clock.ts";
import { countMemories, listMemoriesAfter, type MemoryPart } from "../memory/records.ts";
import { type WalkCursor, walkMatching } from "../memory/walk.ts";
import type { Context, OrgHome, ViewerHome } from "../platform/context.ts";
import { putChore } from "../sessions/chores.ts";
import { FILE_FORMS, FileDraft } from "./file-draft.ts";
import { toRow } from "./row.ts";
import { type Export, type ExportedFile, type ExportFilter, type ExportFormat, exportProgress } from "./transfer.ts";

/** Memories read at a time; with the file that is being made, all that is in memory of an export. */
const PAGE = 100;
/** A file ends with the page that makes it this long … */
const FILE_BYTES = 3_500_000;
/** … and before the memory that would make it longer than this: as long as the body of an import may be. */
export const MAX_FILE_BYTES = 4_500_000;
/** How long files of an export can be fetched. */
export const FILES_KEPT_MS = 24 * 3_600_000;
/** How long an export is written before the answer; what is left then is written by the workers. */
const EXPORT_AT_ONCE_MS = 2000;

/** What an export is to have. */
export interface ExportRequest {
  filter: ExportFilter;
  asked?: string;
  format?: ExportFormat;
}

/** Stores the job of an export; `runExport` begins with the work. */
export async function beginExport(ctx: Context, { filter, asked, format }: ExportRequest): Promise<Export> {
  const expected = await countExpected(ctx, filter);
  const progress = exportProgress({ expected }, 0);
  const event = newEvent(ctx, { type: "memory.export", resource: "export", progress });
  const work = {
    input: { filter, expected, ...(asked && { asked }), ...(format && { format }) },
    checkpoint: { files: [], written: 0 },
  };
  return beginEventJob(ctx, event, "export", work);
}

/** Exports what is asked for, as far as a request has time for it; answers how far that has come. */
export async function runExport(ctx: Context, request: ExportRequest): Promise<{ event: CompatEvent; job: Export }> {
  const begun = await beginExport(ctx, request);
  await runJob(ctx, [exportMemories], messageOf(begun), EXPORT_AT_ONCE_MS);
  const { records } = ctx.ports;
  const [event, job] = await Promise.all([getEvent(ctx, begun.id), findJob(records, ctx.org, begun.id, "export")]);
  return { event, job: job ?? begun };
}

function countExpected(ctx: Context, { where, ...filter }: ExportFilter): Promise<number> {
  if (where === undefined) return countMemories({ ...ctx, viewer: undefined }, filter);
  return ctx.ports.search.count({ org: ctx.org, now: ctx.clock(), filters: { where } });
}

/**
 * Writes memories to files: a step writes one, or those of a page. Each is noted with where the next begins, so that none
 * is lost and none has what another has.
 */
export const exportMemories: JobHandler<"export"> = {
  ...withEvent,
  kind: "export",

  async step(home, turn) {
    const { job } = turn;
    const event = await eventOf(home, job);
    const { files, cursor } = await writeFiles(home, turn);
    const written = job.checkpoint.written + files.reduce((sum, { memories }) => sum + memories, 0);
    const checkpoint = { files: [...job.checkpoint.files, ...files], written, ...(cursor !== undefined && { cursor }) };
    const isComplete = cursor === undefined;
    const progress = exportProgress(job.input, written, isComplete);
    const now = home.clock();
    if (!isComplete) return { checkpoint, writes: [putEvent(advanced(event, now, progress))] };
    return { end: "completed", checkpoint, writes: [putEvent(ended(event, now, { progress }))] };
  },
};

/** Writes what comes next; without a `cursor` that was all. An export of nothing has a file too. */
async function writeFiles(
  owner: OrgHome,
  turn: JobTurn<"export">,
): Promise<{ files: ExportedFile[]; cursor: string | undefined }> {
  const home = { ...owner, viewer: undefined } as const;
  const { job } = turn;
  const files: ExportedFile[] = [];
  let { cursor } = job.checkpoint;
  const form = FILE_FORMS[job.input.format ?? "json"];
  let file = new FileDraft(form);
  do {
    const page = await readPart(home, job.input.filter, cursor);
    for (const memory of page.memories) {
      const row = form.toText(toRow(memory));
      if (file.isFullWith(row, MAX_FILE_BYTES)) {
        files.push(await putFile(home, job, file));
        file = new FileDraft(form);
      }
      file.add(row);
    }
    cursor = page.cursor;
  } while (cursor !== undefined && file.bytes < FILE_BYTES && !turn.isOver());
  const isNothing = cursor === undefined && job.checkpoint.files.length + files.length === 0;
  if (file.memories > 0 || isNothing) files.push(await putFile(home, job, file));
  return { files, cursor };
}

/** The next memories; the cursor is the list's own, or where a walk through the search index goes on. */
async function readPart(
  home: ViewerHome & { viewer: undefined },
  { where, ...filter }: ExportFilter,
  cursor: string | undefined,
): Promise<MemoryPart> {
  if (where === undefined) return listMemoriesAfter(home, filter, { limit: PAGE, after: cursor });
  const after = cursor === undefined ? undefined : (JSON.parse(cursor) as WalkCursor);
  const { memories, cursor: next } = await walkMatching(home, { where }, { limit: PAGE, after });
  return next === undefined ? { memories } : { memories, cursor: JSON.stringify(next) };
}

/** Under a key of its own, so that two who write the same file leave each other's alone; the note that it goes comes first. */
async function putFile({ ports, clock, ids }: OrgHome, { org, id }: Export, file: FileDraft): Promise<ExportedFile> {
  const blob = `exports/${org}/${id}/${ids("job")}/memories.${file.form.extension}`;
  const bytes = file.toBuffer();
  await ports.records.write(putChore({ what: "drop", blob, due: timestamp(clock() + FILES_KEPT_MS) }));
  await ports.blobs.put(blob, { bytes, contentType: file.form.contentType });
  return { blob, bytes: bytes.byteLength, memories: file.memories };
}
