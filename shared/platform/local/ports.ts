import path from "node:path";
import { createLanguageModels } from "../../models/configured.ts";
import type { Home } from "../context.ts";
import type { Ports } from "../ports.ts";
import { SEARCH_FOLDER } from "./data-files.ts";
import { openLocalEmbedder } from "./embedder.ts";
import { type LocalPlatform, type LocalPlatformOptions, openLocalPlatform } from "./platform.ts";
import { openLocalSearch } from "./search.ts";

/** All ports of the local home, and the platform beneath, whose feed and queues the process must work off. */
export interface LocalPorts {
  ports: Ports;
  platform: LocalPlatform;
  close(): void;
}

type Wiring = Pick<LocalPlatformOptions, "streams" | "queues" | "baseUrl">;

/** Opens everything in DATA_DIR. Throws DataDirInUse when another process has it, and ModelFolderError. */
export async function openLocalPorts(
  { config, clock, logger }: Pick<Home, "config" | "clock" | "logger">,
  wiring: Wiring,
): Promise<LocalPorts> {
  const { EMBEDDER, LANGUAGE_MODEL = "built-in", DATA_DIR: dataDir } = config;
  if (EMBEDDER === "bedrock" || LANGUAGE_MODEL === "bedrock") {
    throw new Error("EMBEDDER and LANGUAGE_MODEL take 'bedrock' on AWS alone; choose another here");
  }
  const { embedder, close: closeEmbedder } = await openLocalEmbedder(config, logger);
  const models = createLanguageModels(config, logger);
  const platform = await openLocalPlatform({
    dataDir,
    clock,
    logger,
    logRetentionDays: config.LOG_RETENTION_DAYS,
    ...wiring,
  });
  const search = openLocalSearch({
    folder: path.join(dataDir, SEARCH_FOLDER),
    embedder,
    embedsLater: !embedder.isLexical,
    clock,
    logger,
  });
  const close = () => {
    closeEmbedder();
    search.close();
    platform.close();
  };
  try {
    if (platform.upgrade.isDue) search.upgrade();
    platform.upgrade.finish();
  } catch (error) {
    close();
    throw error;
  }
  const { records, blobs, queue, mailer, secrets, logs } = platform;
  return {
    ports: { records, inventory: records, search, blobs, queue, embedder, models, mailer, secrets, logs },
    platform,
    close,
  };
}
