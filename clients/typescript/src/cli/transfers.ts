import { openAsBlob, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type * as api from "../api.ts";
import { call } from "../call.ts";
import { OPERATIONS } from "../operations.ts";
import type { Transport } from "../transport.ts";
import { CLI_OPERATIONS } from "./operations.ts";
import type { Output } from "./output.ts";
import { SetupError } from "./setup-error.ts";

/** Maximum bytes of a file sent in a request; a larger file is uploaded to a link. */
export const MAX_UPLOAD_BYTES = 4_500_000;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 2_000;

/** Uploads a file and waits until the service has imported it or the import has failed. */
export async function importFile(
  transport: Transport,
  file: string,
  fields: api.CompleteImportBody,
  output: Output,
): Promise<api.GetEventAnswer> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new SetupError(`There is no file '${file}'.`, "Check its name and the folder.");
  }
  const bytes = await openAsBlob(file);
  const { event_id: id } =
    bytes.size <= MAX_UPLOAD_BYTES
      ? await upload(transport, bytes, path.basename(file), fields)
      : await uploadToLink(transport, bytes, fields);
  output.note(`Import ${id} began.`);
  return untilEnded(transport, id, ({ done, total }) => output.progress(done, total, "rows"));
}

function upload(transport: Transport, bytes: Blob, name: string, fields: api.CompleteImportBody) {
  const body = new FormData();
  body.set("file", bytes, name);
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) body.set(field, value);
  return call<api.ImportFileAnswer>(transport, CLI_OPERATIONS.importFile, { body });
}

async function uploadToLink(transport: Transport, bytes: Blob, fields: api.CompleteImportBody) {
  const body: api.RequestImportLinkBody = { bytes: bytes.size };
  const link = await call<api.RequestImportLinkAnswer>(transport, CLI_OPERATIONS.requestImportLink, { body });
  const response = await fetch(link.upload_url, { method: link.method, body: bytes, redirect: "error" });
  if (!response.ok) throw new Error(`The file was not taken: ${response.status} ${await response.text()}`);
  const { event_id: id } = link;
  return call<api.CompleteImportAnswer>(transport, CLI_OPERATIONS.completeImport, { id, body: fields });
}

/** Writes memories to a file, or to stdout for `-`. An existing file is replaced only once the export is complete. */
export async function exportFile(
  transport: Transport,
  file: string,
  { format = "json", ...filters }: api.ExportFilters & { format?: api.ExportMemoriesBody["format"] },
  output: Output,
): Promise<api.GetEventAnswer> {
  const body: api.ExportMemoriesBody = { filters, format };
  const { event_id: id } = await call<api.ExportMemoriesAnswer>(transport, CLI_OPERATIONS.exportMemories, { body });
  const event = await untilEnded(transport, id, ({ done, total }) => output.progress(done, total, "memories"));
  if (event.status === "FAILED") return event;
  if (file === "-") {
    await writeParts(transport, event, format, async (text) => void process.stdout.write(text));
    return event;
  }
  const draft = `${file}.${process.pid}.partial`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await writeParts(transport, event, format, async (text) => void (await handle.write(text)));
    await handle.sync();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return event;
}

/**
 * Writes the files of an export as a single file. Download links expire after some minutes, so each file gets a new
 * one.
 */
async function writeParts(
  transport: Transport,
  { id, files = [] }: api.GetEventAnswer,
  format: NonNullable<api.ExportMemoriesBody["format"]>,
  write: (text: string) => Promise<void>,
): Promise<void> {
  for (let index = 0; index < files.length; index++) {
    const { files: linked } = await readEvent(transport, id);
    const url = linked?.[index]?.download_url;
    if (url === undefined) throw new Error(`The files of export ${id} are gone. Export again.`);
    const response = await fetch(url, { redirect: "error" });
    if (!response.ok) throw new Error(`File ${index + 1} of export ${id} was not sent: ${response.status}`);
    const text = await response.text();
    await write(JOINED[format](text, index === 0, index === files.length - 1));
  }
}

/** Returns the part of a file to write, so that all parts together form one valid file of the format. */
const JOINED: Record<
  NonNullable<api.ExportMemoriesBody["format"]>,
  (text: string, isFirst: boolean, isLast: boolean) => string
> = {
  jsonl: (text) => text,
  csv: (text, isFirst) => (isFirst ? text : text.slice(text.indexOf("\n") + 1)),
  json: (text, isFirst, isLast) => {
    const { memories, ...rest } = JSON.parse(text) as { memories: unknown[] };
    const head = isFirst ? `${JSON.stringify(rest).slice(0, -1)},"memories":[\n` : ",\n";
    return `${head}${memories.map((row) => JSON.stringify(row)).join(",\n")}${isLast ? "\n]}\n" : ""}`;
  },
};

function readEvent(transport: Transport, id: string): Promise<api.GetEventAnswer> {
  return call(transport, OPERATIONS.getEvent, { id });
}

type Progress = NonNullable<api.GetEventAnswer["progress"]>;

/** Polls an event until it has ended, with increasing pauses, and reports progress when it changes. */
async function untilEnded(
  transport: Transport,
  id: string,
  tell: (progress: Progress) => void,
): Promise<api.GetEventAnswer> {
  let told = "";
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(MAX_WAIT_MS, wait * 2)) {
    const event = await readEvent(transport, id);
    const progress = JSON.stringify(event.progress);
    if (event.progress !== undefined && event.progress.total > 0 && progress !== told) tell(event.progress);
    told = progress;
    if (event.status === "completed" || event.status === "FAILED") return event;
    await sleep(wait);
  }
}
