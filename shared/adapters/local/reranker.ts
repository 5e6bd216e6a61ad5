import { createLanguageModelReranker } from "../../domain/models/language-model-reranker.ts";
import { ModelFolderError } from "../../domain/models/onnx/model-folder.ts";
import { createOnnxReranker } from "../../domain/models/onnx/onnx-reranker.ts";
import type { LanguageModels } from "../../ports/language-model.ts";
import type { Reranker } from "../../ports/reranker.ts";
import type { Runtime } from "../../runtime/context.ts";

interface OpenedReranker {
  reranker?: Reranker;
  close(): void;
}

/**
 * The reranker of the settings with its model loaded; undefined if none is configured, or if ONNX Runtime does not work
 * on this host, which is logged. Throws ModelFolderError, and for inconsistent settings.
 */
export async function openLocalReranker(
  { RERANKER, RERANKER_MODEL_DIR: folder, RERANKER_TIMEOUT_MS: timeoutMs }: Runtime["config"],
  models: LanguageModels,
  logger: Runtime["logger"],
): Promise<OpenedReranker> {
  if (RERANKER === undefined) return { close: () => {} };
  if (RERANKER === "llm") {
    if (models.default.provider === "built-in")
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
