/**
 * Measures a maximum-size import until all memories are stored and searchable, relative to storing them in batches; and
 * the time and memory of an export.
 */
import { createOrganization, openService } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { report } from "./report.ts";
import { watch } from "./resident.ts";
import { sized } from "./sizes.ts";

const ROWS = sized(10_000, 1000);
const BATCH_SIZE = 100;
const USERS = 50;
/** Sentences per memory, so that all memories together reach the maximum of one import. */
const SENTENCES = 2;
const POLL_EVERY_MS = 100;
/** Maximum memory of an export, in MB: one file, as rows and as bytes, and a page of memories. */
const MAX_MEMORY = 64;

const text = new Generator(1);
const memories = Array.from({ length: ROWS }, (_, index) => ({
  content: Array.from({ length: SENTENCES }, () => text.memory()).join(" "),
  user_id: `user-${index % USERS}`,
}));
const service = await openService();
const [importer, storer] = [await createOrganization(service), await createOrganization(service)];

const batches = await watch(storeAll);
const imported = await watch(importAll);
const indexing = await watch(() => service.runtime.drainChangeFeed());
await exportAll();
const exported = await watch(exportAll);
await service.close();

const megabytes = exported.result.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
const [storedIn, importedIn] = [batches.seconds, imported.seconds + indexing.seconds];
const exportSize = `${megabytes.toFixed(1)} MB in ${exported.result.length} files`;
report([
  {
    what: `POST /imports of ${ROWS} rows, each read by the built-in rules, until search finds all`,
    baseline: `POST /memories/batch of the same, ${BATCH_SIZE} at a time`,
    value: importedIn / storedIn,
    unit: "x",
    from: `${importedIn.toFixed(1)} : ${storedIn.toFixed(1)} s, ${Math.round(ROWS / importedIn)} rows/s`,
  },
  {
    what: `POST /exports of ${ROWS} memories, until its files are there`,
    baseline: "the import of them",
    value: exported.seconds / importedIn,
    unit: "x",
    from: `${exported.seconds.toFixed(1)} : ${importedIn.toFixed(1)} s, ${exportSize}`,
  },
  {
    what: `memory while ${ROWS} memories are exported`,
    value: exported.megabytes,
    unit: "MB",
    limit: { atMost: MAX_MEMORY },
  },
]);

async function storeAll(): Promise<void> {
  for (let start = 0; start < ROWS; start += BATCH_SIZE) {
    const body = { memories: memories.slice(start, start + BATCH_SIZE) };
    const { status, body: answer } = await service.request("POST", "/memories/batch", { key: storer.key, body });
    if (status !== 201 || answer.data.failed.length > 0) throw new Error(JSON.stringify(answer));
  }
}

async function importAll(): Promise<void> {
  const { status, body } = await service.request("POST", "/imports", { key: importer.key, body: { memories } });
  if (status !== 202) throw new Error(JSON.stringify(body));
  const { imported: count } = await ended(body.event_id);
  if (count !== ROWS) throw new Error(`${count} of ${ROWS} rows were imported`);
}

async function exportAll(): Promise<{ bytes: number }[]> {
  const { body } = await service.request("POST", "/exports", { key: importer.key, body: {} });
  return (await ended(body.event_id)).files;
}

/** Returns the event after completion; throws if it failed. */
async function ended(id: string) {
  for (;;) {
    const { status, body } = await service.request("GET", `/events/${id}`, { key: importer.key });
    if (status !== 200 || body.status === "FAILED") throw new Error(JSON.stringify(body));
    if (body.status === "completed") return body;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}
