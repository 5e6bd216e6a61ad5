import type { Home } from "../context.ts";
import type { Embedder } from "../ports.ts";
import { ENVIRONMENT, type Environment } from "./environment.ts";
import { titanModels } from "./titan-model.ts";

/** Embedders that earlier deployments may have used. */
export interface FormerEmbedders {
  /** Ids by which an index of an earlier release, which does not name its embedder, is known. */
  ids(): Promise<string[]>;
  /** Opens one by its id; undefined where this deployment has no access to it. */
  open(id: string): Promise<Embedder | undefined>;
}

export const NO_FORMER_EMBEDDERS: FormerEmbedders = { ids: async () => [], open: async () => undefined };

/**
 * The lexical embedder and those behind the configured OpenAI-compatible address, the model of the layer, and Titan where
 * the deployment names its model, which it does where functions may invoke it.
 */
export function formerEmbedders(config: Home["config"], environment: Environment): FormerEmbedders {
  const { EMBEDDING_MODEL_DIR: folder } = config;
  const onnx = () => import("../../models/onnx/onnx-embedder.ts");
  const folderId = async () => (folder === undefined ? undefined : (await onnx()).vectorSpaceOf(folder).id);
  return {
    async ids() {
      const { createLexicalEmbedder } = await import("../../models/lexical-embedder.ts");
      const inFolder = await folderId();
      const titan = titanModels(environment).map(({ id }) => id);
      return [createLexicalEmbedder().id, ...titan, ...(inFolder === undefined ? [] : [inFolder])];
    },
    async open(id) {
      const known = (await import("../../models/embedder-by-id.ts")).embedderById(config, id);
      if (known !== undefined) return known;
      if (folder !== undefined && (await folderId()) === id) return (await onnx()).createInProcessEmbedder(folder);
      const model = environment[ENVIRONMENT.embeddingModel]
        ? titanModels(environment).find((one) => one.id === id)
        : undefined;
      return model && new (await import("./titan-embedder.ts")).TitanEmbedder(model);
    },
  };
}
