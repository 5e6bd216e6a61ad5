import { loadTokenCounter, stretches, type TokenCounter } from "../../compression/condensing/tokens.ts";

/** Vocabularies in which budgets may be counted: of models since GPT-4o, and of earlier ones. */
export const TOKENIZERS = ["o200k_base", "cl100k_base"] as const;

export type Tokenizer = (typeof TOKENIZERS)[number];

let loading: Promise<TokenCounter> | undefined;

/** Returns the token counter of a vocabulary; it is loaded at first use and shared by the process. */
export function loadTokenizer(name: Tokenizer): Promise<TokenCounter> {
  if (name === "o200k_base") return loadTokenCounter();
  loading ??= loadCl100k();
  return loading;
}

async function loadCl100k(): Promise<TokenCounter> {
  const { countTokens, encode } = await import("gpt-tokenizer/encoding/cl100k_base");
  const asText = { disallowedSpecial: new Set<string>() };
  return {
    count: (text) => stretches(text).reduce((sum, stretch) => sum + countTokens(stretch, asText), 0),
    encode: (text) => stretches(text).flatMap((stretch) => encode(stretch, asText)),
  };
}
