import type { Embedder } from "../../ports/embedder.ts";
import type { Runtime } from "../../runtime/context.ts";
import { ENVIRONMENT, type Environment } from "./environment.ts";
import { titanModels } from "./titan-model.ts";

/** Opens the embedder of an index; undefined if this deployment has no access to it. */
export type OpenEmbedder = (id: string) => Promise<Embedder | undefined>;

/**
 * Opens the lexical embedder, those behind the configured OpenAI-compatible URL, the model in the layer, and Titan if the
 * deployment names its model, because functions may then invoke it.
 */
export function embeddersById(config: Runtime["config"], environment: Environment): OpenEmbedder {
  const { EMBEDDING_MODEL_DIR: folder } = config;
  return async (id) => {
    const known = (await import("../../domain/models/embedder-by-id.ts")).embedderById(config, id);
    if (known !== undefined) return known;
    if (folder !== undefined) {
      const { createInProcessEmbedder, vectorSpaceOf } = await import("../../domain/models/onnx/onnx-embedder.ts");
      if (vectorSpaceOf(folder).id === id) return createInProcessEmbedder(folder);
    }
    const model = environment[ENVIRONMENT.embeddingModel]
      ? titanModels(environment).find((candidate) => candidate.id === id)
      : undefined;
    return model && new (await import("./titan-embedder.ts")).TitanEmbedder(model);
  };
}
