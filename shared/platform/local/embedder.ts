import { fileURLToPath } from "node:url";
import { openEmbedder } from "../../models/configured.ts";
import { ModelFolderError } from "../../models/onnx/model-folder.ts";
import { createOnnxEmbedder } from "../../models/onnx/onnx-embedder.ts";
import type { Home } from "../context.ts";
import type { Embedder } from "../ports.ts";

/** The model that comes with the repository. */
const DEFAULT_MODEL = fileURLToPath(new URL("../../../models/minilm-bge-small", import.meta.url));

interface OpenedEmbedder {
  embedder: Embedder;
  close(): void;
}

/**
 * The embedder of the settings, its model loaded. Where ONNX Runtime does not work on this machine it is the lexical one,
 * which the log says. Throws ModelFolderError.
 */
export async function openLocalEmbedder(config: Home["config"], logger: Home["logger"]): Promise<OpenedEmbedder> {
  const { EMBEDDER = "onnx", EMBEDDING_MODEL_DIR: folder = DEFAULT_MODEL } = config;
  if (EMBEDDER === "bedrock") throw new Error("EMBEDDER=bedrock is for AWS");
  if (EMBEDDER !== "onnx") return { embedder: await openEmbedder(config, EMBEDDER), close: () => {} };
  const embedder = createOnnxEmbedder({ folder });
  try {
    await embedder.start();
    return { embedder, close: () => embedder.close() };
  } catch (error) {
    embedder.close();
    if (error instanceof ModelFolderError) throw error;
    logger.warn("EMBEDDER_UNUSABLE", { embedder: EMBEDDER, instead: "lexical", error });
    return { embedder: await openEmbedder(config, "lexical"), close: () => {} };
  }
}
