import type { Embedder } from "../../ports/embedder.ts";
import type { Runtime } from "../../runtime/context.ts";
import { ENVIRONMENT, type Environment } from "./environment.ts";
import { titanModels } from "./titan-model.ts";

/** Embedders that earlier deployments may have used. */
export interface FormerEmbedders {
  /** Ids of embedders that may have written an index of an earlier release; such an index does not name its embedder. */
  ids(): Promise<string[]>;
  /** Opens an embedder by id; undefined if this deployment has no access to it. */
  open(id: string): Promise<Embedder | undefined>;
}

export const NO_FORMER_EMBEDDERS: FormerEmbedders = { ids: async () => [], open: async () => undefined };

/**
 * The lexical embedder, those behind the configured OpenAI-compatible URL, the model in the layer, and Titan if the
 * deployment names its model, because functions may then invoke it.
 */
export function formerEmbedders(config: Runtime["config"], environment: Environment): FormerEmbedders {
  const { EMBEDDING_MODEL_DIR: folder } = config;
  const onnx = () => import("../../domain/models/onnx/onnx-embedder.ts");
  const folderId = async () => (folder === undefined ? undefined : (await onnx()).vectorSpaceOf(folder).id);
  return {
    async ids() {
      const { createLexicalEmbedder } = await import("../../domain/models/lexical-embedder.ts");
      const inFolder = await folderId();
      const titan = titanModels(environment).map(({ id }) => id);
      return [createLexicalEmbedder().id, ...titan, ...(inFolder === undefined ? [] : [inFolder])];
    },
    async open(id) {
      const known = (await import("../../domain/models/embedder-by-id.ts")).embedderById(config, id);
      if (known !== undefined) return known;
      if (folder !== undefined && (await folderId()) === id) return (await onnx()).createInProcessEmbedder(folder);
      const model = environment[ENVIRONMENT.embeddingModel]
        ? titanModels(environment).find((candidate) => candidate.id === id)
        : undefined;
      return model && new (await import("./titan-embedder.ts")).TitanEmbedder(model);
    },
  };
}
