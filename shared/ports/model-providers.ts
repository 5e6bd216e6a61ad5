/** Providers of language models: the built-in rules, any OpenAI-compatible URL, or Amazon Bedrock. */
export const MODEL_PROVIDERS = ["built-in", "openai", "bedrock"] as const;
