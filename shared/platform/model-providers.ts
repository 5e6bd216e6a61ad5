/** Who can provide a language model: the rules that ship, any OpenAI-compatible address, or Amazon Bedrock. */
export const MODEL_PROVIDERS = ["built-in", "openai", "bedrock"] as const;
