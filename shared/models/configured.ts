import type { Config } from "../kernel/config.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Embedder, LanguageModel } from "../platform/ports.ts";

/** The embedder that is the same in both homes; a home's own is chosen by its platform. */
export async function openEmbedder(config: Config, choice: "built-in" | "openai"): Promise<Embedder> {
  if (choice === "built-in") {
    const { createBuiltInEmbedder } = await import("./built-in-embedder.ts");
    return createBuiltInEmbedder();
  }
  const { createOpenAiEmbedder } = await import("./openai-embedder.ts");
  return createOpenAiEmbedder({
    baseUrl: config.OPENAI_BASE_URL,
    apiKey: config.OPENAI_API_KEY,
    model: config.OPENAI_EMBEDDING_MODEL,
    dimensions: config.OPENAI_EMBEDDING_DIMENSIONS,
  });
}

/** The language model that is the same in both homes. */
export async function openModel(config: Config, choice: "built-in" | "openai", logger: Logger): Promise<LanguageModel> {
  if (choice === "built-in") {
    const { createBuiltInModel } = await import("./built-in-model.ts");
    return createBuiltInModel();
  }
  const { createOpenAiModel } = await import("./openai-model.ts");
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: model } = config;
  return createOpenAiModel({ baseUrl, apiKey, model }, { logger });
}
