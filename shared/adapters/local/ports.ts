import path from "node:path";
import { resolveTesseract } from "../../domain/knowledge/sources/extraction/tesseract.ts";
import { createLanguageModels } from "../../domain/models/configured.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Runtime } from "../../runtime/context.ts";
import { formerEmbedders, type OpenedEmbedder, openLocalEmbedder } from "./embedder.ts";
import { type LocalPlatform, type LocalPlatformOptions, openLocalPlatform } from "./platform.ts";
import { openLocalReader } from "./reader.ts";
import type { LocalRecordStore } from "./records.ts";
import { openLocalReranker } from "./reranker.ts";
import type { FindEmbedder } from "./search/organizations.ts";
import { LocalSearchIndex } from "./search.ts";
import { openSmtpMailer } from "./smtp-mailer.ts";
import { SEARCH_FOLDER } from "./storage/data-files.ts";
import { findIndexesBehind } from "./storage/index-marks.ts";

/** All local ports, and the platform whose feed and queues the process must process. */
export interface LocalPorts {
  ports: Ports;
  platform: LocalPlatform;
  /** Organizations with a search index too old to upgrade: `fillIndex` rebuilds it; `noteFilled` ends the upgrade. */
  emptied: string[];
  noteFilled(): void;
  index: IndexFollowing;
  isBacklogged: LocalSearchIndex["isBacklogged"];
  /** Whether the embedder's model is being loaded, and when that ends. */
  isModelLoading: OpenedEmbedder["isLoading"];
  modelLoaded: OpenedEmbedder["loaded"];
  /** Resolves when no mail is being sent any more, or after some seconds. */
  finishMails(): Promise<void>;
  close(): void;
}

/** The state of the search index at the start. */
export interface IndexFollowing {
  /** Organizations whose index is behind the records, usually empty; undefined means all. */
  behind: string[] | undefined;
  /** To be called once these indexes have caught up with the records. */
  markCaughtUp(): void;
}

type Wiring = Pick<LocalPlatformOptions, "streams" | "queues" | "baseUrl">;

/**
 * Opens DATA_DIR. Throws DataDirInUseError if another process uses it, DataFileError, and ModelFolderError. `opening`
 * is the embedder if the caller began to open it.
 */
export async function openLocalPorts(
  base: Pick<Runtime, "config" | "clock" | "logger">,
  wiring: Wiring,
  opening?: Promise<OpenedEmbedder>,
): Promise<LocalPorts> {
  const { config, clock, logger } = base;
  const { DATA_DIR: dataDir, LOG_RETENTION_DAYS: logRetentionDays } = config;
  requireLocal(config);
  const smtp = openSmtpMailer(config, logger);
  const models = await openModels(base, opening);
  const platform = await openLocalPlatform({ dataDir, clock, logger, logRetentionDays, ...wiring });
  try {
    const { records, blobs, queue, secrets, logs, upgrade } = platform;
    const search = openSearch(base, records, models);
    const emptied = upgrade.isDue ? search.upgrade() : [];
    if (emptied.length === 0) upgrade.finish();
    search.preload();
    return {
      ports: {
        ...{ records, inventory: records, search, blobs, queue, secrets, logs, ...models.ports },
        mailer: smtp ?? platform.mailer,
      },
      platform,
      emptied,
      noteFilled: () => {
        search.noteFilled();
        upgrade.finish();
      },
      index: followIndex(dataDir, records, search),
      isBacklogged: (org) => search.isBacklogged(org),
      isModelLoading: models.isLoading,
      modelLoaded: models.loaded,
      finishMails: async () => smtp?.close(),
      close: () => {
        models.close();
        // On a full disk the changes stay, and are delivered again; the rest is closed all the same.
        try {
          records.deleteAcknowledged();
        } finally {
          search.close();
          platform.close();
        }
      },
    };
  } catch (error) {
    platform.close();
    throw error;
  }
}

/** Throws if the settings need AWS, or a program that is not installed. */
function requireLocal({ EMBEDDER, LANGUAGE_MODEL, OCR, OCR_LANGUAGE }: Runtime["config"]): void {
  if (EMBEDDER === "bedrock" || LANGUAGE_MODEL === "bedrock") {
    throw new Error("'bedrock' for EMBEDDER or LANGUAGE_MODEL is only available on AWS; choose another value");
  }
  if (OCR !== undefined) resolveTesseract(OCR_LANGUAGE);
}

interface OpenedModels extends Pick<OpenedEmbedder, "loaded" | "isLoading" | "close"> {
  ports: Pick<Ports, "embedder" | "reranker" | "reader" | "models">;
  /** Opens an earlier start's embedder. */
  findFormer: FindEmbedder;
}

async function openModels(
  { config, logger }: Pick<Runtime, "config" | "logger">,
  opening = openLocalEmbedder(config, logger),
): Promise<OpenedModels> {
  const { embedder, loaded, isLoading, close: closeEmbedder } = await opening;
  const former = await formerEmbedders(config);
  const models = createLanguageModels(config, logger);
  const { reranker, close: closeReranker } = await openLocalReranker(config, models, logger).catch((error: unknown) => {
    closeEmbedder();
    throw error;
  });
  const { reader, close: closeReader } = openLocalReader(config, embedder);
  return {
    ports: { embedder, reranker, reader, models },
    findFormer: former.find,
    loaded,
    isLoading,
    close: () => {
      closeEmbedder();
      closeReranker();
      closeReader();
      former.close();
    },
  };
}

function openSearch(
  { config, clock, logger }: Pick<Runtime, "config" | "clock" | "logger">,
  records: LocalRecordStore,
  { ports: { embedder }, findFormer }: OpenedModels,
): LocalSearchIndex {
  return new LocalSearchIndex({
    folder: path.join(config.DATA_DIR, SEARCH_FOLDER),
    embedder,
    formerEmbedder: findFormer,
    embedsLater: !embedder.isLexical,
    maxPending: config.MAX_PENDING_VECTORS,
    clock,
    logger,
    sequence: () => records.sequence(),
    onLost: () => records.redeliver(),
  });
}

/** Compares index files with their marks in the records, which are kept from now on, or once all have caught up. */
function followIndex(dataDir: string, records: LocalRecordStore, search: LocalSearchIndex): IndexFollowing {
  const behind = findIndexesBehind(dataDir, records, search.states());
  const follow = () => records.followIndexes(() => search.takeMarks());
  search.isCatchingUp = behind?.length !== 0;
  if (!search.isCatchingUp) follow();
  return {
    behind,
    markCaughtUp() {
      records.replaceIndexMarks([...search.states()]);
      follow();
      search.isCatchingUp = false;
    },
  };
}
