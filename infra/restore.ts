import { createReadStream, existsSync, statSync } from "node:fs";
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
import { openLocalPorts } from "../shared/platform/local/ports.ts";
import type { Capability } from "../shared/platform/ports.ts";
import { FolderBackupError, HEADER_FILE } from "./folder-backup/format.ts";
import { fillNewFolder } from "./folder-backup/new-folder.ts";
import { type FolderRestoreReport, restoreFolder } from "./folder-backup/restore.ts";
import { isFolderBackup } from "./folder-backup/verify.ts";

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
  /** Path of an archive or of a folder backup. */
  file: string;
  withoutSecrets: boolean;
}

/** What was restored: an archive, or the files of a folder backup. */
export type Restored = RestoreReport | FolderRestoreReport;

/**
 * Restores an archive or a folder backup into the home that the configuration names. Throws ArchiveRefused,
 * FolderBackupError or DataDirInUse; nothing is changed then.
 */
export async function restoreBackup(config: Config, request: RestoreRequest): Promise<Restored> {
  const { file } = request;
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return restoreFile(config, request);
  if (!isFolderBackup(file)) throw new FolderBackupError(`${file} is no backup: it has no ${HEADER_FILE}.`);
  if (config.PLATFORM === "aws") throw new FolderBackupError("A folder backup is restored on one machine only.");
  return fillNewFolder(targetOf(config), BESIDE, (folder) => restoreFolder(folder, request, config.BACKUP_KEY));
}

/** Restores an archive into the home that the configuration names. Throws ArchiveRefused; nothing is changed then. */
export async function restoreFile(config: Config, request: RestoreRequest): Promise<RestoreReport> {
  if (!existsSync(request.file)) throw new ArchiveRefused(`There is no file ${request.file}.`);
  if (config.PLATFORM === "aws") return restoreInto(await openFunctionHome(config, CAPABILITIES), request);
  return fillNewFolder(targetOf(config), BESIDE, (folder) =>
    restoreArchiveInto({ ...config, DATA_DIR: folder }, request),
  );
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

const targetOf = ({ DATA_DIR }: Config): string => path.resolve(DATA_DIR);

async function restoreArchiveInto(config: Config, request: RestoreRequest): Promise<RestoreReport> {
  const foundation = layFoundation(config, undefined, silentLogger);
  const { ports, close } = await openLocalPorts(foundation, { streams: [], queues: [], baseUrl: () => "" });
  try {
    return await restoreInto(assembleHome(foundation, ports), request);
  } finally {
    close();
  }
}
