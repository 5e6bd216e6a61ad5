/**
 * Measures backup and restore of a data directory of 10,000 memories: their durations relative to storing the memories,
 * and the additional process memory. The target is a separate folder.
 */
import { createWriteStream } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { restoreFile } from "../../infra/restore.ts";
import { findLatest } from "../../shared/domain/operations/backups/records.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { COMPONENTS } from "../../shared/ports/components.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { type Figure, report } from "./report.ts";
import { watch } from "./resident.ts";
import { sized } from "./sizes.ts";

const MEMORIES = sized(10_000, 1000);
const BATCH = 100;
const KEY = "the operator's key of backups in figures";
const POLL_MS = 20;
const MEGABYTE = 1e6;
/** Using more memory (in MB) than this means that something is held in memory as a whole. */
const MAX_MEMORY = 150;

const service = await openService({ BACKUP_KEY: KEY });
const storing = await watch(() => store(service));
const backingUp = await watch(() => backUp(service));
const { archive } = (await findLatest(service.runtime.ports.records)) ?? {};
if (!archive) throw new Error("there is no archive");
const file = path.join(service.dataDir, "archive.jsonl.gz");
const opened = await service.runtime.ports.blobs.open(archive.blob);
await pipeline(opened?.parts ?? [], createWriteStream(file));
const config = loadConfig({ DATA_DIR: path.join(service.dataDir, "restored"), BACKUP_KEY: KEY });
const restoring = await watch(() => restoreFile(config, { file, withoutSecrets: false }));
if (restoring.result.documents !== MEMORIES) throw new Error(`${restoring.result.documents} documents came back`);
await service.close();

const size = `${archive.manifest.records} records, ${(archive.size_bytes / MEGABYTE).toFixed(1)} MB packed`;
const besideStoring = (what: string, { seconds }: { seconds: number }, from?: string): Figure => ({
  what: `${what} ${MEMORIES} memories`,
  baseline: "storing them, built-in extraction included",
  value: seconds / storing.seconds,
  unit: "x",
  from: `${seconds.toFixed(1)} s${from === undefined ? "" : `, ${from}`}`,
});
const figures: Figure[] = [
  besideStoring("backing up", backingUp, size),
  besideStoring("restoring", restoring),
  memoryFigure("backing up", backingUp),
  memoryFigure("restoring", restoring),
];
report(figures);

function memoryFigure(what: string, { megabytes }: { megabytes: number }): Figure {
  return { what: `memory besides, while ${what}`, value: megabytes, unit: "MB", limit: { atMost: MAX_MEMORY } };
}

async function store({ runtime, request }: LocalService): Promise<void> {
  const { key } = await createOrganization({ runtime });
  const text = new Generator(1);
  for (let stored = 0; stored < MEMORIES; stored += BATCH) {
    const memories = Array.from({ length: BATCH }, () => ({ content: text.memory(), user_id: "bench" }));
    const { status } = await request("POST", "/memories/batch", { key, body: { memories } });
    if (status >= 300) throw new Error(`storing answered ${status}`);
  }
}

async function backUp({ request }: LocalService): Promise<void> {
  await request("POST", "/admin/backup", { body: { components: [...COMPONENTS], include_logs: true } });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const { body } = await request("GET", "/admin/backups");
    const [{ status, error }] = body.data.backups;
    if (status === "completed") return;
    if (error !== null) throw new Error(error);
  }
}
