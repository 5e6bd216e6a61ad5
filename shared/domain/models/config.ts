import * as z from "zod";
import { integer } from "../../kernel/settings.ts";

declare module "../../kernel/config.ts" {
  interface Config extends z.infer<typeof ModelsConfig> {}
}

/** The only OpenAI-compatible URL that always needs a key. */
export const OPENAI_API_URL = "https://api.openai.com/v1";

/** The settings of this folder with their defaults and meanings. */
export const ModelsConfig = z.object({
  EMBEDDER: z
    .enum(["onnx", "lexical", "openai", "bedrock"])
    .optional()
    .describe(
      "The embedder: `onnx` (a model on this machine), `lexical` (hashed words), `openai` or `bedrock`; by default onnx on a local server and bedrock on AWS",
    ),
  EMBEDDING_MODEL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Folder of the model of `onnx`, see docs/embedders.md; models/multilingual-e5-small when unset"),
  MAX_PENDING_VECTORS: z.coerce
    .number()
    .int()
    .min(1)
    .default(100_000)
    .describe(
      "Documents of an organization that may wait for their vectors on a local server; beyond this, writes fail with 503",
    ),
  FACT_READER: z
    .enum(["onnx", "rules"])
    .optional()
    .describe(
      "What reads facts behind the rules: `onnx` (the model of models/reader) or `rules` alone; by default onnx where EMBEDDER is",
    ),
  RERANKER: z
    .enum(["onnx", "llm"])
    .optional()
    .describe(
      "Second stage of a search, on one machine: `onnx` (a cross-encoder) or `llm` (LANGUAGE_MODEL) reads the best 30; none when unset",
    ),
  RERANKER_MODEL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe("Folder of the cross-encoder of RERANKER=onnx, see docs/ranking.md"),
  RERANKER_TIMEOUT_MS: integer(10, 20_000)
    .default(2000)
    .describe("Milliseconds that a search waits for the second stage, at most half of the time that it has left"),
  LANGUAGE_MODEL: z
    .enum(["built-in", "openai", "bedrock"])
    .optional()
    .describe(
      "The language model for extraction and inference; by default built-in on a local server and bedrock on AWS",
    ),
  LANGUAGE_MODEL_WHEN: z
    .enum(["always", "unsure"])
    .default("always")
    .describe(
      "Which messages the language model reads: all, or only those in which the model of FACT_READER is unsure; the others are read by rules and by that model",
    ),
  OPENAI_BASE_URL: z.url().default(OPENAI_API_URL).describe("Base URL of an OpenAI-compatible provider"),
  OPENAI_API_KEY: z.string().optional().describe("API key for OPENAI_BASE_URL, if it needs one"),
  OPENAI_MODEL: z.string().default("gpt-4o-mini").describe("Chat model of OPENAI_BASE_URL"),
  OPENAI_EMBEDDING_MODEL: z.string().default("text-embedding-3-small").describe("Embedding model of OPENAI_BASE_URL"),
  OPENAI_EMBEDDING_DIMENSIONS: integer(1, 4096)
    .default(1536)
    .describe("Length of the vectors of OPENAI_EMBEDDING_MODEL"),
  BEDROCK_MODEL: z.string().default("amazon.nova-lite-v1:0").describe("Bedrock chat model"),
});
