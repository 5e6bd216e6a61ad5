import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { Ports } from "../../ports/ports.ts";
import { deadLettersOf } from "../../ports/queues.ts";
import { BLOB_LINKS_KEY } from "../../ports/secret-names.ts";
import { LocalBlobStore } from "./blobs.ts";
import type { StreamSubscription } from "./changes.ts";
import { beginUpgrade, type FolderUpgrade, requireKnownFormats } from "./data-manifest.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { acquireLock } from "./lock.ts";
import { LocalLogStore } from "./logs.ts";
import { LocalMailer } from "./mailer.ts";
import { LocalQueue, type QueueSettings } from "./queue.ts";
import { LocalRecordStore } from "./records.ts";
import { LocalSecrets } from "./secrets.ts";
import { findFolderFaults } from "./start-check.ts";
import { BLOBS_FOLDER, QUEUES_FILE, RECORDS_FILE, SECRETS_FILE } from "./storage/data-files.ts";
import { makePrivateFolder, narrowAccess } from "./storage/private-files.ts";

export interface LocalPlatformOptions {
  /** The data folder; created if missing. Only one process at a time may open it. */
  dataDir: string;
  clock: Clock;
  logger: Logger;
  /** Consumers of the change feed. Each has a dead-letter queue, named by `deadLettersOf`. */
  streams: StreamSubscription[];
  /** Days that log lines are kept. */
  logRetentionDays: number;
  /** Queues, each with a dead-letter queue. */
  queues: QueueSettings[];
  /** The server's base URL; read whenever a blob link is created. */
  baseUrl: () => string;
}

/** The local ports that need only a folder; search, embedder and model are opened separately. */
export interface LocalPlatform extends Pick<Ports, "mailer" | "secrets"> {
  records: LocalRecordStore;
  blobs: LocalBlobStore;
  queue: LocalQueue;
  logs: LocalLogStore;
  /** The upgrade of the folder, which ends after the search index, opened separately, is upgraded too. */
  upgrade: FolderUpgrade;
  /** Closes the databases and releases the folder. */
  close(): void;
}

/** The folder is in use by another process, or by another platform of this process. */
export class DataDirInUseError extends Error {
  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another process. Stop that one first, or set DATA_DIR to another folder.`,
    );
    this.name = "DataDirInUseError";
  }
}

/** The lock file; the process that has the data folder open holds its lock. */
export const ownerLockOf = (dataDir: string): string => path.join(dataDir, "owner.lock");

const SIGNING_KEY_BYTES = 32;

/**
 * Opens and upgrades the folder. Throws DataDirInUseError if it is already open (the lock ends with its process),
 * NewerFormatError if a newer release wrote it, and DataFileError for missing or damaged files.
 */
export async function openLocalPlatform(options: LocalPlatformOptions): Promise<LocalPlatform> {
  const { dataDir } = options;
  makePrivateFolder(dataDir);
  const release = acquireLock(ownerLockOf(dataDir), 0);
  if (release === undefined) throw new DataDirInUseError(dataDir);
  try {
    narrowAccess(dataDir, options.logger);
    requireKnownFormats(dataDir);
    const reserve = new DiskReserve(dataDir);
    if (reserve.isReleased) options.logger.error("DISK_FULL", { folder: dataDir });
    const [fault] = findFolderFaults(dataDir);
    if (fault !== undefined) throw fault;
    return await openPorts(options, release, reserve);
  } catch (error) {
    release();
    throw error;
  }
}

async function openPorts(
  options: LocalPlatformOptions,
  release: () => void,
  reserve: DiskReserve,
): Promise<LocalPlatform> {
  const { dataDir, clock, logger, streams, queues, logRetentionDays: retentionDays, baseUrl } = options;
  const pathOf = (name: string) => path.join(dataDir, name);
  const upgrade = beginUpgrade(dataDir);
  const scratch = pathOf("unfinished");
  rmSync(scratch, { recursive: true, force: true });
  // The start check relies on this order: a file that a start creates later proves that the earlier ones existed.
  const records = new LocalRecordStore({ file: pathOf(RECORDS_FILE), clock, streams, logger, reserve });
  const deadLetters = streams.map(({ name }) => deadLettersOf(name));
  const queue = new LocalQueue({ file: pathOf(QUEUES_FILE), clock, queues, deadLetters, logger });
  const secrets = new LocalSecrets(pathOf(SECRETS_FILE));
  secrets.upgrade();
  const signingKey = await secrets.putIfAbsent(BLOB_LINKS_KEY, randomBytes(SIGNING_KEY_BYTES).toString("base64url"));
  const logs = new LocalLogStore({ folder: pathOf("logs"), clock, retentionDays });
  return {
    records,
    blobs: new LocalBlobStore({ folder: pathOf(BLOBS_FOLDER), scratch, clock, baseUrl, signingKey }),
    queue,
    mailer: new LocalMailer({ folder: pathOf("outbox"), scratch, clock, logger }),
    secrets,
    logs,
    upgrade,
    close: () => {
      try {
        logs.close();
        queue.close();
        records.close();
      } finally {
        release();
      }
    },
  };
}
