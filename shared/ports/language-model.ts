import type { ZodType } from "zod";
import type { MODEL_PROVIDERS } from "./model-providers.ts";

/**
 * A task for a language model, as data: the prompt, the shape of the answer, and the built-in rule that answers if
 * there is no model or it fails. The rule may load its dependencies at first use, so it returns a promise.
 */
export interface LanguageTask<Input, Output> {
  name: string;
  schema: ZodType<Output>;
  prompt(input: Input): { system: string; user: string };
  builtIn(input: Input): Output | Promise<Output>;
}

export interface LanguageAnswer<Output> {
  value: Output;
  provider: string;
  model: string;
  /** Whether a model was asked but the built-in rule was used, because the model failed. */
  fallback: boolean;
  /** Why the rule was used, without prompts, answers and secrets. */
  failure?: string;
  /** Whether the rule was used because the model ran out of time. */
  isLate?: boolean;
  /** Tokens of all requests, including those without a usable answer; zero for the built-in rules. */
  usage: TokenUsage;
  /** Requests to the model, including failed ones. */
  calls: number;
}

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

/** A model's limits for a task, in addition to the model's own limits. */
export interface TaskLimits {
  /** The organization of the task; organizations take turns in running the rules. */
  org?: string;
  timeoutMs?: number;
  /** Maximum tokens of one answer. A truncated answer is unusable, so the task itself should ask for less. */
  maxTokens?: number;
  /** 0 to 2, as OpenAI counts; the default is 0. Rules ignore it. */
  temperature?: number | undefined;
}

export interface LanguageModel {
  /** Present if it uses only the built-in rules of tasks. */
  readonly isRules?: true;
  /** Asks the model, retries and repairs its answers within the limits, and otherwise uses the built-in rule. */
  run<Input, Output>(
    task: LanguageTask<Input, Output>,
    input: Input,
    limits?: TaskLimits,
  ): Promise<LanguageAnswer<Output>>;
}

/** A model by its provider and its name there. */
export interface ModelChoice {
  provider: (typeof MODEL_PROVIDERS)[number];
  model: string;
}

/** The language models that a deployment can use. */
export interface LanguageModels {
  /** The configured model. */
  readonly default: ModelChoice;
  /** Available providers with their default models, including `default`. */
  readonly providers: readonly ModelChoice[];
  /** The chosen model or the default one. Opened at first use and cached. Rejects for an unavailable provider. */
  open(choice?: ModelChoice): Promise<LanguageModel>;
}
