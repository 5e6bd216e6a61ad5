import { insertEvent, newEvent } from "../compat/events.ts";
import { timestamp } from "../kernel/clock.ts";
import { countMemories, listMemoriesAfter, type MemoryPart } from "../memory/records.ts";
import { type WalkCursor, walkMatching } from "../memory/walk.ts";
import type { Context, OrgHome, ViewerHome } from "../platform/context.ts";
import { putChore } from "../sessions/chores.ts";
import { putTransfer } from "./records.ts";
import { EXPORT_FORMAT, toRow } from "./row.ts";
import { type Export, type ExportedFile, type ExportFilter, transferOf } from "./transfer.ts";

/** Memories read at a time; with the file that is being made, all that is in memory of an export. */
const PAGE = 100;
/** A file ends with the page that makes it this long … */
const FILE_BYTES = 3_500_000;
/** … and before the memory that would make it longer than this: as long as the body of an import may be. */
export const MAX_FILE_BYTES = 4_500_000;
/** How long files of an export can be fetched. */
export const FILES_KEPT_MS = 24 * 3_600_000;
const JSON_TYPE = "application/json";

/** What an export is to have. */
export interface ExportRequest {
  filter: ExportFilter;
  asked?: string;
}

/** Notes an export, which then is to be written. */
export async function beginExport(ctx: Context, { filter, asked }: ExportRequest): Promise<Export> {
  const event = newEvent(ctx, { type: "memory.export", resource: "export" });
  const begun: Export = {
    what: "export",
    ...transferOf(event),
    filter,
    expected: await countExpected(ctx, filter),
    ...(asked && { asked }),
    files: [],
    written: 0,
  };
  await ctx.ports.records.write(putTransfer(begun, "absent"), insertEvent(event));
  return begun;
}

function countExpected(ctx: Context, { where, ...filter }: ExportFilter): Promise<number> {
  if (where === undefined) return countMemories({ ...ctx, viewer: undefined }, filter);
  return ctx.ports.search.count({ org: ctx.org, now: ctx.clock(), filters: { where } });
}

/**
 * Writes the files that are left, for so many milliseconds and those of one page more; answers how far it has come, and
 * whether that is the end. Each file is noted with where the next begins, so that none is lost and none has what another
 * has. Throws ConditionFailed where somebody else goes on with it.
 */
export async function writeFiles(
  owner: OrgHome,
  begun: Export,
  turnMs: number,
): Promise<{ transfer: Export; isComplete: boolean }> {
  const home = { ...owner, viewer: undefined } as const;
  const until = performance.now() + turnMs;
  let transfer = begun;
  let cursor = begun.cursor;
  let file = new FileInMaking();
  let files: ExportedFile[] = [];
  do {
    const page = await readPart(home, begun.filter, cursor);
    for (const memory of page.memories) {
      const row = JSON.stringify(toRow(memory));
      if (file.isFullWith(row)) {
        files.push(await putFile(home, begun, file));
        file = new FileInMaking();
      }
      file.add(row);
    }
    cursor = page.cursor;
    const isTime = cursor === undefined || file.bytes >= FILE_BYTES || performance.now() > until;
    if (!isTime) continue;
    if (file.memories > 0 || (cursor === undefined && transfer.files.length + files.length === 0)) {
      files.push(await putFile(home, begun, file));
    }
    transfer = await note(home, transfer, files, cursor);
    file = new FileInMaking();
    files = [];
  } while (cursor !== undefined && performance.now() <= until);
  return { transfer, isComplete: cursor === undefined };
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

/** A file as long as it is in memory. */
class FileInMaking {
  readonly #rows: string[] = [];
  bytes = ENDS;

  get memories(): number {
    return this.#rows.length;
  }

  isFullWith(row: string): boolean {
    return this.#rows.length > 0 && this.bytes + Buffer.byteLength(row) + SEPARATOR.length > MAX_FILE_BYTES;
  }

  add(row: string): void {
    this.#rows.push(row);
    this.bytes += Buffer.byteLength(row) + SEPARATOR.length;
  }

  toBuffer(): Buffer {
    return Buffer.from(HEAD + this.#rows.join(SEPARATOR) + TAIL, "utf8");
  }
}

const HEAD = `{"format_version":${EXPORT_FORMAT},"memories":[\n`;
const SEPARATOR = ",\n";
const TAIL = "\n]}\n";
const ENDS = HEAD.length + TAIL.length;

/** Under a key of its own, so that two who write the same file leave each other's alone; the note that it goes comes first. */
async function putFile({ ports, clock, ids }: OrgHome, { org, id }: Export, file: FileInMaking): Promise<ExportedFile> {
  const blob = `exports/${org}/${id}/${ids("job")}/memories.json`;
  const bytes = file.toBuffer();
  await ports.records.write(putChore({ what: "drop", blob, due: timestamp(clock() + FILES_KEPT_MS) }));
  await ports.blobs.put(blob, { bytes, contentType: JSON_TYPE });
  return { blob, bytes: bytes.byteLength, memories: file.memories };
}

async function note(home: OrgHome, before: Export, files: ExportedFile[], cursor: string | undefined): Promise<Export> {
  const { cursor: _before, ...rest } = before;
  const after: Export = {
    ...rest,
    ...(cursor !== undefined && { cursor }),
    files: [...before.files, ...files],
    written: before.written + files.reduce((sum, { memories }) => sum + memories, 0),
    attempts: 0,
  };
  await home.ports.records.write(putTransfer(after, before));
  return after;
}
