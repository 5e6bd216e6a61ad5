import { createReadStream, existsSync, readdirSync, rmdirSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { createIndexer } from "../functions/workers/index-memories/indexer.ts";
import { worker as indexing } from "../functions/workers/index-memories/worker.ts";
import packageJson from "../package.json" with { type: "json" };
import { ArchiveRefused } from "../shared/backups/format.ts";
import { type RestoreReport, restoreArchive } from "../shared/backups/restore.ts";
import type { Config } from "../shared/kernel/config.ts";
import { silentLogger } from "../shared/kernel/logger.ts";
import type { Home } from "../shared/platform/context.ts";
import { assembleHome, layFoundation, openFunctionHome } from "../shared/platform/home.ts";
import { acquireLock } from "../shared/platform/local/lock.ts";
import { ownerLockOf } from "../shared/platform/local/platform.ts";
import { openLocalPorts } from "../shared/platform/local/ports.ts";
import { makePrivateFolder } from "../shared/platform/local/private-files.ts";
import type { Capability } from "../shared/platform/ports.ts";

/** What restoring uses of a home on AWS; whoever runs it must be allowed as much. */
const CAPABILITIES: Capability[] = [
  "records",
  "inventory",
  "search",
  "blobs",
  "embedder",
  "secrets:bootstrap",
  "secrets:sealing",
  "secrets:providers",
];

/** What the folder that a home is restored in has in its name besides that of the data folder. */
const BESIDE = ".restoring-";

export interface RestoreRequest {
  /** Path of the archive. */
  file: string;
  withoutSecrets: boolean;
}

/** Restores an archive into the home that the configuration names. Throws ArchiveRefused; nothing is changed then. */
export async function restoreFile(config: Config, request: RestoreRequest): Promise<RestoreReport> {
  if (!existsSync(request.file)) throw new ArchiveRefused(`There is no file ${request.file}.`);
  if (config.PLATFORM === "local") return restoreLocally(config, request);
  return restoreInto(await openFunctionHome(config, CAPABILITIES), request);
}

/** Restores an archive into a home that is open. */
export function restoreInto(home: Home, { file, withoutSecrets }: RestoreRequest): Promise<RestoreReport> {
  if (!("stream" in indexing.source)) throw new Error("what indexes is no reader of the change feed");
  return restoreArchive(home, () => createReadStream(file), {
    service: packageJson.version,
    key: home.config.BACKUP_KEY,
    withoutSecrets,
    indexing: { kinds: indexing.source.stream.kinds, consume: createIndexer(home) },
  });
}

/** Restores beside the data folder, which takes its place once all of it is there. */
async function restoreLocally(config: Config, request: RestoreRequest): Promise<RestoreReport> {
  const target = path.resolve(config.DATA_DIR);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new ArchiveRefused(`The folder ${target} is not empty. Set DATA_DIR to a new one.`);
  }
  makePrivateFolder(path.dirname(target));
  await removeAbandoned(target + BESIDE);
  const folder = await mkdtemp(target + BESIDE);
  try {
    const report = await restoreIntoFolder({ ...config, DATA_DIR: folder }, request);
    if (existsSync(target)) rmdirSync(target);
    await rename(folder, target);
    return report;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Folders of restorations that were killed; those of one that is at work are locked. */
async function removeAbandoned(prefix: string): Promise<void> {
  const parent = path.dirname(prefix);
  for (const name of readdirSync(parent).filter((each) => each.startsWith(path.basename(prefix)))) {
    const folder = path.join(parent, name);
    const release = existsSync(ownerLockOf(folder)) ? acquireLock(ownerLockOf(folder), 0) : undefined;
    if (!release) continue;
    release();
    await rm(folder, { recursive: true, force: true });
  }
}

async function restoreIntoFolder(config: Config, request: RestoreRequest): Promise<RestoreReport> {
  const foundation = layFoundation(config, undefined, silentLogger);
  const { ports, close } = await openLocalPorts(foundation, { streams: [], queues: [], baseUrl: () => "" });
  try {
    return await restoreInto(assembleHome(foundation, ports), request);
  } finally {
    close();
  }
}
