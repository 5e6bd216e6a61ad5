import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { Ports } from "../ports.ts";
import { deadLettersOf } from "../queues.ts";
import { BLOB_LINKS_KEY } from "../secret-names.ts";
import { LocalBlobStore } from "./blobs.ts";
import type { StreamSubscription } from "./changes.ts";
import { BLOBS_FOLDER, QUEUES_FILE, RECORDS_FILE, SECRETS_FILE } from "./data-files.ts";
import { beginUpgrade, type FolderUpgrade, requireKnownFormats } from "./data-manifest.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { acquireLock } from "./lock.ts";
import { LocalLogStore } from "./logs.ts";
import { LocalMailer } from "./mailer.ts";
import { makePrivateFolder, narrowAccess } from "./private-files.ts";
import { LocalQueue, type QueueSettings } from "./queue.ts";
import { LocalRecordStore } from "./records.ts";
import { LocalSecrets } from "./secrets.ts";
import { findFolderFaults } from "./start-check.ts";

export interface LocalPlatformOptions {
  /** Folder of everything; made when absent. One process at a time may have it open. */
  dataDir: string;
  clock: Clock;
  logger: Logger;
  /** Consumers of the change feed. Each has a queue of dead letters, named by `deadLettersOf`. */
  streams: StreamSubscription[];
  /** Days that log lines are kept. */
  logRetentionDays: number;
  /** Queues, each with one of dead letters besides. */
  queues: QueueSettings[];
  /** Where the process is reached; asked whenever a blob's link is made. */
  baseUrl: () => string;
}

/** The ports of the local home that need nothing but a folder; search, embedder and model come from elsewhere. */
export interface LocalPlatform extends Pick<Ports, "mailer" | "secrets"> {
  records: LocalRecordStore;
  blobs: LocalBlobStore;
  queue: LocalQueue;
  logs: LocalLogStore;
  /** Ends when the search index, which is opened besides, is upgraded as well. */
  upgrade: FolderUpgrade;
  /** Closes the databases and lets go of the folder. */
  close(): void;
}

/** The folder belongs to another process, or to another platform of this one. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another process. Stop that one first, or set DATA_DIR to another folder.`,
    );
    this.name = "DataDirInUse";
  }
}

/** Whoever has a data folder open holds this lock of it. */
export const ownerLockOf = (dataDir: string): string => path.join(dataDir, "owner.lock");

const SIGNING_KEY_BYTES = 32;

/**
 * Opens the folder, and upgrades it. Throws DataDirInUse when it is open already; a process that died has let go of it.
 * Throws NewerFormatError when a newer release wrote it. Throws DataFileError
 * for one that lost files or has damaged ones.
 */
export async function openLocalPlatform(options: LocalPlatformOptions): Promise<LocalPlatform> {
  const { dataDir } = options;
  makePrivateFolder(dataDir);
  const release = acquireLock(ownerLockOf(dataDir), 0);
  if (release === undefined) throw new DataDirInUse(dataDir);
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
  const within = (name: string) => path.join(dataDir, name);
  const upgrade = beginUpgrade(dataDir);
  const scratch = within("unfinished");
  rmSync(scratch, { recursive: true, force: true });
  // The start check relies on this order: what a start makes later shows that there was what it makes first.
  const records = new LocalRecordStore({ file: within(RECORDS_FILE), clock, streams, logger, reserve });
  const deadLetters = streams.map(({ name }) => deadLettersOf(name));
  const queue = new LocalQueue({ file: within(QUEUES_FILE), clock, queues, deadLetters, logger });
  const secrets = new LocalSecrets(within(SECRETS_FILE));
  secrets.upgrade();
  const signingKey = await secrets.putIfAbsent(BLOB_LINKS_KEY, randomBytes(SIGNING_KEY_BYTES).toString("base64url"));
  const logs = new LocalLogStore({ folder: within("logs"), clock, retentionDays });
  return {
    records,
    blobs: new LocalBlobStore({ folder: within(BLOBS_FOLDER), scratch, clock, baseUrl, signingKey }),
    queue,
    mailer: new LocalMailer({ folder: within("outbox"), scratch, clock, logger }),
    secrets,
    logs,
    upgrade,
    close: () => {
      logs.close();
      queue.close();
      records.close();
      release();
    },
  };
}
