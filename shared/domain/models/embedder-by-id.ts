import type { Config } from "../../kernel/config.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { openAiAddress } from "./configured.ts";
import { createLexicalEmbedder } from "./lexical-embedder.ts";
import { createOpenAiEmbedder } from "./openai-embedder.ts";

const OPENAI_ID = /^openai:(?<model>.+):(?<dimensions>\d+)$/;

/** Returns the embedder with an id, if it is the lexical one or a model at the configured OpenAI-compatible address. */
export function embedderById(config: Config, id: string): Embedder | undefined {
  const lexical = createLexicalEmbedder();
  if (id === lexical.id) return lexical;
  const { model, dimensions } = OPENAI_ID.exec(id)?.groups ?? {};
  if (model === undefined) return undefined;
  return createOpenAiEmbedder({ ...openAiAddress(config), model, dimensions: Number(dimensions) });
}
