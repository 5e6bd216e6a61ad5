import { createReadStream, existsSync, statSync } from "node:fs";
import path from "node:path";
import * as indexing from "../functions/workers/index-memories/worker.ts";
import packageJson from "../package.json" with { type: "json" };
import { InvalidArchiveError } from "../shared/domain/operations/backups/format.ts";
import { type RestoreReport, restoreArchive } from "../shared/domain/operations/backups/restore.ts";
import { openFunctionRuntime } from "../shared/entry/runtime.ts";
import type { Config } from "../shared/kernel/config.ts";
import type { Capability, PortName, Ports } from "../shared/ports/ports.ts";
import type { Runtime } from "../shared/runtime/context.ts";
import { FolderBackupError, HEADER_FILE } from "./folder-backup/format.ts";
import { fillNewFolder } from "./folder-backup/new-folder.ts";
import { type FolderRestoreReport, restoreFolder } from "./folder-backup/restore.ts";
import { isFolderBackup } from "./folder-backup/verify.ts";
import { withRuntime } from "./local-runtime.ts";

/** The capabilities that a restore on AWS needs. */
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

/** Ports of an indexer that asks for no reading: what was not read yet is read after the restore, by a job. */
function withoutReader(ports: Ports): Ports {
  return new Proxy(ports, { get: (target, name: PortName) => (name === "reader" ? undefined : target[name]) });
}

/** Name part of the folder in which a restore is prepared. */
const BESIDE = ".restoring-";

export interface RestoreRequest {
  /** Path of an archive or a folder backup. */
  file: string;
  withoutSecrets: boolean;
}

/** The result of restoring an archive or a folder backup. */
export type Restored = RestoreReport | FolderRestoreReport;

/**
 * Restores an archive or a folder backup into the configured target. Throws InvalidArchiveError, FolderBackupError or
 * DataDirInUseError and then changes nothing.
 */
export async function restoreBackup(config: Config, request: RestoreRequest): Promise<Restored> {
  const { file } = request;
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return restoreFile(config, request);
  if (!isFolderBackup(file)) throw new FolderBackupError(`${file} is no backup: it has no ${HEADER_FILE}.`);
  if (config.PLATFORM === "aws") throw new FolderBackupError("A folder backup is restored on one machine only.");
  return fillNewFolder(targetOf(config), BESIDE, (folder) => restoreFolder(folder, request, config.BACKUP_KEY));
}

/** Restores an archive into the configured target. Throws InvalidArchiveError and then changes nothing. */
export async function restoreFile(config: Config, request: RestoreRequest): Promise<RestoreReport> {
  if (!existsSync(request.file)) throw new InvalidArchiveError(`The file ${request.file} does not exist.`);
  if (config.PLATFORM === "aws") return restoreInto(await openFunctionRuntime(config, CAPABILITIES), request);
  return fillNewFolder(targetOf(config), BESIDE, (folder) =>
    withRuntime({ ...config, DATA_DIR: folder }, (runtime) => restoreInto(runtime, request)),
  );
}

/** Restores an archive into an open runtime. */
export function restoreInto(runtime: Runtime, { file, withoutSecrets }: RestoreRequest): Promise<RestoreReport> {
  const { source } = indexing.worker;
  if (!("stream" in source)) throw new Error("what indexes is no reader of the change feed");
  return restoreArchive(runtime, () => createReadStream(file), {
    service: packageJson.version,
    key: runtime.config.BACKUP_KEY,
    withoutSecrets,
    indexing: {
      kinds: source.stream.kinds,
      consume: indexing.createChangeConsumer({ ...runtime, ports: withoutReader(runtime.ports) }),
    },
  });
}

const targetOf = ({ DATA_DIR }: Config): string => path.resolve(DATA_DIR);
