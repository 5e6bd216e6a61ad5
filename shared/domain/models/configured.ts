import type { Config } from "../../kernel/config.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { LanguageModel, LanguageModels, ModelChoice } from "../../ports/language-model.ts";
import { BUILT_IN, createBuiltInModel } from "./built-in-model.ts";
import { OPENAI_API_URL } from "./config.ts";
import type { OpenAiAddress } from "./openai-http.ts";

/** Opens an embedder that runs on both platforms. `onnx` is opened by the local platform, `bedrock` by AWS. */
export async function openEmbedder(config: Config, choice: "lexical" | "openai"): Promise<Embedder> {
  if (choice === "lexical") {
    const { createLexicalEmbedder } = await import("./lexical-embedder.ts");
    return createLexicalEmbedder();
  }
  const { createOpenAiEmbedder } = await import("./openai-embedder.ts");
  const { OPENAI_EMBEDDING_MODEL: model, OPENAI_EMBEDDING_DIMENSIONS: dimensions } = config;
  return createOpenAiEmbedder({ ...openAiAddress(config), model, dimensions });
}

/** Returns the model for extraction and inference, unless the stored settings name another. */
export function defaultModel(config: Config): ModelChoice {
  const provider = config.LANGUAGE_MODEL ?? (config.PLATFORM === "aws" ? "bedrock" : "built-in");
  return { provider, model: modelOf(config, provider) };
}

/** Returns the available models: the default, the built-in rules, and an OpenAI-compatible server if configured. */
function availableProviders(config: Config): ModelChoice[] {
  const standard = defaultModel(config);
  const hasOpenAi = config.OPENAI_API_KEY !== undefined || config.OPENAI_BASE_URL !== OPENAI_API_URL;
  const others: ModelChoice[] = [
    BUILT_IN,
    ...(hasOpenAi ? [{ provider: "openai" as const, model: config.OPENAI_MODEL }] : []),
  ];
  return [standard, ...others.filter(({ provider }) => provider !== standard.provider)];
}

function modelOf(config: Config, provider: ModelChoice["provider"]): string {
  return { "built-in": BUILT_IN.model, openai: config.OPENAI_MODEL, bedrock: config.BEDROCK_MODEL }[provider];
}

type OpenModel = (model: string) => Promise<LanguageModel>;

/** Creates the language models of a runtime; only the AWS runtime has `openBedrock`. */
export function createLanguageModels(config: Config, logger: Logger, openBedrock?: OpenModel): LanguageModels {
  const standard = defaultModel(config);
  const providers = availableProviders(config);
  const openers: Record<ModelChoice["provider"], OpenModel | undefined> = {
    "built-in": async () => createBuiltInModel(),
    openai: (model) => openOpenAi(config, model, logger),
    bedrock: openBedrock,
  };
  const opened = new Map<string, Promise<LanguageModel>>();
  return {
    default: standard,
    providers,
    async open({ provider, model } = standard) {
      const open = providers.some((available) => available.provider === provider) ? openers[provider] : undefined;
      if (open === undefined) throw new Error(`the provider '${provider}' is not available on this platform`);
      const name = JSON.stringify([provider, model]);
      const opening = opened.get(name) ?? open(model);
      opened.set(name, opening);
      return opening;
    },
  };
}

async function openOpenAi(config: Config, model: string, logger: Logger): Promise<LanguageModel> {
  const { createOpenAiModel } = await import("./openai-model.ts");
  return createOpenAiModel({ ...openAiAddress(config), model }, { logger });
}

export function openAiAddress({ OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey }: Config): OpenAiAddress {
  return { baseUrl, apiKey };
}
