import path from "node:path";
import { createLanguageModels } from "../../models/configured.ts";
import type { Home } from "../context.ts";
import type { Ports } from "../ports.ts";
import { SEARCH_FOLDER } from "./data-files.ts";
import { formerEmbedders, openLocalEmbedder } from "./embedder.ts";
import { findIndexesBehind } from "./index-marks.ts";
import { type LocalPlatform, type LocalPlatformOptions, openLocalPlatform } from "./platform.ts";
import type { LocalRecordStore } from "./records.ts";
import { openLocalReranker } from "./reranker.ts";
import { type LocalSearch, openLocalSearch } from "./search.ts";

/** All ports of the local home, and the platform beneath, whose feed and queues the process must work off. */
export interface LocalPorts {
  ports: Ports;
  platform: LocalPlatform;
  /** Organizations whose search index was too old to be upgraded: `fillIndex` makes it anew, then `noteFilled` ends the upgrade. */
  emptied: string[];
  noteFilled(): void;
  index: IndexFollowing;
  isBacklogged: LocalSearch["isBacklogged"];
  close(): void;
}

/** What the start found of the search index. */
export interface IndexFollowing {
  /** Organizations whose index is behind the records: none as a rule, undefined for all. */
  behind: string[] | undefined;
  /** To be called once these are in line with the records. */
  markInLine(): void;
}

type Wiring = Pick<LocalPlatformOptions, "streams" | "queues" | "baseUrl">;

/** Opens everything in DATA_DIR. Throws DataDirInUse when another process has it, DataFileError, and ModelFolderError. */
export async function openLocalPorts(
  { config, clock, logger }: Pick<Home, "config" | "clock" | "logger">,
  wiring: Wiring,
): Promise<LocalPorts> {
  const { EMBEDDER, LANGUAGE_MODEL = "built-in", DATA_DIR: dataDir } = config;
  if (EMBEDDER === "bedrock" || LANGUAGE_MODEL === "bedrock") {
    throw new Error("EMBEDDER and LANGUAGE_MODEL take 'bedrock' on AWS alone; choose another here");
  }
  const { embedder, close: closeEmbedder } = await openLocalEmbedder(config, logger);
  const former = await formerEmbedders(config);
  const models = createLanguageModels(config, logger);
  const { reranker, close: closeReranker } = await openLocalReranker(config, models, logger).catch((error: unknown) => {
    closeEmbedder();
    throw error;
  });
  const platform = await openLocalPlatform({
    dataDir,
    clock,
    logger,
    logRetentionDays: config.LOG_RETENTION_DAYS,
    ...wiring,
  });
  try {
    const { records, blobs, queue, mailer, secrets, logs } = platform;
    const search = openLocalSearch({
      folder: path.join(dataDir, SEARCH_FOLDER),
      embedder,
      formerEmbedder: former.find,
      embedsLater: !embedder.isLexical,
      maxPending: config.MAX_PENDING_VECTORS,
      clock,
      logger,
      sequence: () => records.sequence(),
    });
    const emptied = platform.upgrade.isDue ? search.upgrade() : [];
    if (emptied.length === 0) platform.upgrade.finish();
    search.preload();
    return {
      ports: { records, inventory: records, search, blobs, queue, embedder, reranker, models, mailer, secrets, logs },
      platform,
      emptied,
      noteFilled: () => {
        search.noteFilled();
        platform.upgrade.finish();
      },
      index: followIndex(dataDir, records, search),
      isBacklogged: (org) => search.isBacklogged(org),
      close: () => {
        closeEmbedder();
        closeReranker();
        former.close();
        records.deleteAcknowledged();
        search.close();
        platform.close();
      },
    };
  } catch (error) {
    platform.close();
    throw error;
  }
}

/** Compares the index files with their marks in the records, which are kept up from now on, or once all is in line. */
function followIndex(dataDir: string, records: LocalRecordStore, search: LocalSearch): IndexFollowing {
  const behind = findIndexesBehind(dataDir, records, search.states());
  const follow = () => records.followIndexes(() => search.takeMarks());
  search.isCatchingUp = behind?.length !== 0;
  if (!search.isCatchingUp) follow();
  return {
    behind,
    markInLine() {
      records.replaceIndexMarks([...search.states()]);
      follow();
      search.isCatchingUp = false;
    },
  };
}
