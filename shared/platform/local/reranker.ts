import { createLanguageModelReranker } from "../../models/language-model-reranker.ts";
import { ModelFolderError } from "../../models/onnx/model-folder.ts";
import { createOnnxReranker } from "../../models/onnx/onnx-reranker.ts";
import type { Home } from "../context.ts";
import type { LanguageModels, Reranker } from "../ports.ts";

interface OpenedReranker {
  reranker?: Reranker;
  close(): void;
}

/**
 * The reranker of the settings, its model loaded; none where they name none, and where ONNX Runtime does not work on this
 * machine, which the log says. Throws ModelFolderError, and for settings that do not fit together.
 */
export async function openLocalReranker(
  { RERANKER, RERANKER_MODEL_DIR: folder, RERANKER_TIMEOUT_MS: timeoutMs }: Home["config"],
  models: LanguageModels,
  logger: Home["logger"],
): Promise<OpenedReranker> {
  if (RERANKER === undefined) return { close: () => {} };
  if (RERANKER === "llm") {
    if (models.usual.provider === "built-in")
      throw new Error("RERANKER=llm needs a language model: set LANGUAGE_MODEL too, or choose RERANKER=onnx");
    return { reranker: createLanguageModelReranker(models, timeoutMs), close: () => {} };
  }
  if (folder === undefined) throw new Error("RERANKER=onnx needs RERANKER_MODEL_DIR, the folder of a cross-encoder");
  const reranker = createOnnxReranker({ folder, timeoutMs });
  try {
    await reranker.start();
    return { reranker, close: () => reranker.close() };
  } catch (error) {
    reranker.close();
    if (error instanceof ModelFolderError) throw error;
    logger.warn("RERANKER_UNUSABLE", { reranker: reranker.id, error });
    return { close: () => {} };
  }
}
