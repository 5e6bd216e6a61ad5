import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { isObject } from "../../../kernel/objects.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobTurn } from "../../../runtime/jobs/handler.ts";
import { putChore } from "../../sessions/chores.ts";
import { type ImportEntry, UnreadableImportError } from "./reading/entry.ts";
import { readEntries } from "./reading/read-entries.ts";
import type { Import, ImportedFile, ImportParts } from "./transfer.ts";

/** Maximum rows and messages of one file. */
const MAX_ENTRIES = 500_000;
/** Limits of a part in characters and entries. */
const PART_CHARACTERS = 2_000_000;
const PART_ENTRIES = 1000;
/** After this time, unprocessed rows of an import are deleted. */
const ROWS_KEPT_MS = 7 * DAY_MS;
const JSON_TYPE = "application/json";

/** The blob key of a client's file, or of the rows of a request body. */
export function blobOf(org: string, id: string): string {
  return `imports/${org}/${id}/rows.json`;
}

function partBlob({ org, id }: Pick<Import, "org" | "id">, index: number): string {
  return `imports/${org}/${id}/part-${index}.json`;
}

/** Splits a file into parts, of which a turn reads one at a time. Can be repeated. Throws UnreadableImportError. */
export async function splitFile(
  runtime: OrgRuntime,
  turn: JobTurn<"import">,
  file: ImportedFile,
): Promise<ImportParts> {
  const opened = await runtime.ports.blobs.open(turn.job.input.blob);
  if (!opened) throw new Error(`the file of an import is missing: ${turn.job.input.blob}`);
  const ends: number[] = [];
  let total = 0;
  let skipped = 0;
  let part: string[] = [];
  let length = 0;
  const finishPart = async () => {
    await putPart(runtime, turn.job, ends.length, part);
    ends.push(total);
    part = [];
    length = 0;
    await turn.renew();
  };
  for await (const entry of readEntries(opened.parts, file.format)) {
    if (++total > MAX_ENTRIES) {
      throw new UnreadableImportError(`The file has more than ${MAX_ENTRIES} rows or messages. Split it.`);
    }
    if ("skipped" in entry) skipped += 1;
    const text = JSON.stringify(withUser(entry, file.user_id));
    part.push(text);
    length += text.length;
    if (part.length >= PART_ENTRIES || length >= PART_CHARACTERS) await finishPart();
  }
  if (total === skipped) throw new UnreadableImportError("The file has no rows.");
  if (part.length > 0) await finishPart();
  return { ends, skipped };
}

/** Rows without a user get the import's user. */
function withUser(entry: ImportEntry, user_id: string | undefined): ImportEntry {
  if (user_id === undefined || !("row" in entry)) return entry;
  const { row } = entry;
  return isObject(row) && (row.user_id ?? null) === null ? { row: { ...row, user_id } } : entry;
}

function putPart(runtime: OrgRuntime, job: Import, index: number, entries: string[]): Promise<void> {
  return putRows(runtime, partBlob(job, index), Buffer.from(`[${entries.join(",")}]`, "utf8"));
}

/** Stores rows until they expire. */
export async function putRows(runtime: OrgRuntime, blob: string, bytes: Uint8Array): Promise<void> {
  await scheduleDeletion(runtime, blob);
  await runtime.ports.blobs.put(blob, { bytes, contentType: JSON_TYPE });
}

/** Schedules the deletion of a blob of rows, unless `dropRows` deletes it before. */
export async function scheduleDeletion({ ports, clock }: OrgRuntime, blob: string): Promise<void> {
  await ports.records.write(putChore({ what: "drop", blob, due: timestamp(clock() + ROWS_KEPT_MS) }));
}

/** The entries from the import's position to the end of a part. */
export async function readEntriesFrom({ ports }: OrgRuntime, job: Import): Promise<ImportEntry[]> {
  const { input, checkpoint } = job;
  const { position, parts } = checkpoint;
  const index = parts?.ends.findIndex((end) => end > position);
  const blob = index === undefined ? input.blob : partBlob(job, index);
  const start = index === undefined ? 0 : (parts?.ends[index - 1] ?? 0);
  const stored = await ports.blobs.get(blob);
  if (!stored) throw new Error(`the rows of an import are missing: ${blob}`);
  const entries: unknown[] = JSON.parse(Buffer.from(stored.bytes).toString("utf8"));
  const rest = entries.slice(position - start);
  return parts === undefined ? rest.map((row) => ({ row })) : (rest as ImportEntry[]);
}

/** Deletes the rows of a finished import. */
export async function dropRows({ ports }: OrgRuntime, job: Import): Promise<void> {
  const parts = job.checkpoint.parts?.ends.map((_, index) => partBlob(job, index)) ?? [];
  for (const blob of [job.input.blob, ...parts]) await ports.blobs.delete(blob);
}
