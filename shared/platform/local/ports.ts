import path from "node:path";
import { fileURLToPath } from "node:url";
import { createLanguageModels, openEmbedder } from "../../models/configured.ts";
import type { Home } from "../context.ts";
import type { Ports } from "../ports.ts";
import { type LocalPlatform, type LocalPlatformOptions, openLocalPlatform } from "./platform.ts";
import { openLocalSearch } from "./search.ts";

/** All ports of the local home, and the platform beneath, whose feed and queues the process must work off. */
export interface LocalPorts {
  ports: Ports;
  platform: LocalPlatform;
  close(): void;
}

/** The model that comes with the repository. */
const DEFAULT_MODEL = fileURLToPath(new URL("../../../models/all-minilm-l6-v2", import.meta.url));

type Wiring = Pick<LocalPlatformOptions, "streams" | "queues" | "baseUrl">;

/** Throws ModelFolderError. */
async function openLocalEmbedder(config: Home["config"], choice: "onnx" | "lexical" | "openai") {
  if (choice !== "onnx") return { embedder: await openEmbedder(config, choice), close: () => {} };
  const { createOnnxEmbedder } = await import("../../models/onnx/onnx-embedder.ts");
  const embedder = createOnnxEmbedder({ folder: config.EMBEDDING_MODEL_DIR ?? DEFAULT_MODEL });
  return { embedder, close: () => embedder.close() };
}

/** Opens everything in DATA_DIR. Throws DataDirInUse when another process has it. */
export async function openLocalPorts(
  { config, clock, logger }: Pick<Home, "config" | "clock" | "logger">,
  wiring: Wiring,
): Promise<LocalPorts> {
  const { EMBEDDER = "lexical", LANGUAGE_MODEL = "built-in", DATA_DIR: dataDir } = config;
  if (EMBEDDER === "bedrock" || LANGUAGE_MODEL === "bedrock") {
    throw new Error("EMBEDDER and LANGUAGE_MODEL take 'bedrock' on AWS alone; choose another here");
  }
  const { embedder, close: closeEmbedder } = await openLocalEmbedder(config, EMBEDDER);
  const models = createLanguageModels(config, logger);
  const platform = await openLocalPlatform({
    dataDir,
    clock,
    logger,
    logRetentionDays: config.LOG_RETENTION_DAYS,
    ...wiring,
  });
  const search = openLocalSearch({ folder: path.join(dataDir, "search"), embedder, clock });
  const { records, blobs, queue, mailer, secrets, logs } = platform;
  return {
    ports: { records, inventory: records, search, blobs, queue, embedder, models, mailer, secrets, logs },
    platform,
    close: () => {
      closeEmbedder();
      search.close();
      platform.close();
    },
  };
}
