import type { JobTurn } from "../jobs/handler.ts";
import { timestamp } from "../kernel/clock.ts";
import type { OrgHome } from "../platform/context.ts";
import { putChore } from "../sessions/chores.ts";
import type { ImportEntry } from "./reading/entry.ts";
import { readEntries } from "./reading/read-entries.ts";
import { UnreadableImportError } from "./reading/unreadable.ts";
import type { Import, ImportedFile, ImportParts } from "./transfer.ts";

/** Rows and messages of one file. */
const MAX_ENTRIES = 500_000;
/** A part ends with the entry that makes it this long, or this many. */
const PART_CHARACTERS = 2_000_000;
const PART_ENTRIES = 1000;
/** Rows of an import that nobody worked off by then are removed. */
export const ROWS_KEPT_MS = 7 * 86_400_000;
export const JSON_TYPE = "application/json";

/** Where a client's file, or the rows of a body, are kept. */
export function blobOf(org: string, id: string): string {
  return `imports/${org}/${id}/rows.json`;
}

function partBlob({ org, id }: Pick<Import, "org" | "id">, place: number): string {
  return `imports/${org}/${id}/part-${place}.json`;
}

/**
 * Reads a file into parts, of which a turn reads one at a time. A reading that is repeated writes the same parts. Throws
 * UnreadableImportError.
 */
export async function splitFile(home: OrgHome, turn: JobTurn<"import">, file: ImportedFile): Promise<ImportParts> {
  const opened = await home.ports.blobs.open(turn.job.input.blob);
  if (!opened) throw new Error(`the file of an import is gone: ${turn.job.input.blob}`);
  const ends: number[] = [];
  let total = 0;
  let part: string[] = [];
  let length = 0;
  const finishPart = async () => {
    await putPart(home, turn.job, ends.length, part);
    ends.push(total);
    part = [];
    length = 0;
    await turn.renew();
  };
  for await (const entry of readEntries(opened.parts, file.format)) {
    if (++total > MAX_ENTRIES) {
      throw new UnreadableImportError(`The file has more than ${MAX_ENTRIES} rows or messages. Split it.`);
    }
    const text = JSON.stringify(withUser(entry, file.user_id));
    part.push(text);
    length += text.length;
    if (part.length >= PART_ENTRIES || length >= PART_CHARACTERS) await finishPart();
  }
  if (total === 0) throw new UnreadableImportError("The file has no rows.");
  if (part.length > 0) await finishPart();
  return { ends };
}

/** Rows that name no user are of the one that the import names. */
function withUser(entry: ImportEntry, user_id: string | undefined): ImportEntry {
  if (user_id === undefined || !("row" in entry)) return entry;
  const { row } = entry;
  if (typeof row !== "object" || row === null || Array.isArray(row)) return entry;
  const named = (row as { user_id?: unknown }).user_id;
  return named === undefined || named === null ? { row: { ...row, user_id } } : entry;
}

async function putPart({ ports, clock }: OrgHome, job: Import, place: number, entries: string[]): Promise<void> {
  const blob = partBlob(job, place);
  await ports.records.write(putChore({ what: "drop", blob, due: timestamp(clock() + ROWS_KEPT_MS) }));
  const bytes = Buffer.from(`[${entries.join(",")}]`, "utf8");
  await ports.blobs.put(blob, { bytes, contentType: JSON_TYPE });
}

/** The entries from where the import stands, as far as a part goes. */
export async function readEntriesFrom({ ports }: OrgHome, job: Import): Promise<ImportEntry[]> {
  const { input, checkpoint } = job;
  const { position, parts } = checkpoint;
  const place = parts?.ends.findIndex((end) => end > position);
  const blob = place === undefined ? input.blob : partBlob(job, place);
  const start = place === undefined ? 0 : (parts?.ends[place - 1] ?? 0);
  const stored = await ports.blobs.get(blob);
  if (!stored) throw new Error(`the rows of an import are gone: ${blob}`);
  const entries: unknown[] = JSON.parse(Buffer.from(stored.bytes).toString("utf8"));
  const rest = entries.slice(position - start);
  return parts === undefined ? rest.map((row) => ({ row })) : (rest as ImportEntry[]);
}

/** Removes the rows of an import that is over. */
export async function dropRows({ ports }: OrgHome, job: Import): Promise<void> {
  const parts = job.checkpoint.parts?.ends.map((_, place) => partBlob(job, place)) ?? [];
  for (const blob of [job.input.blob, ...parts]) await ports.blobs.delete(blob);
}
