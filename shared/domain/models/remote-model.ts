import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { msUntil } from "../../kernel/durations.ts";
import { type Logger, silentLogger } from "../../kernel/logger.ts";
import type { Json } from "../../ports/json.ts";
import type {
  LanguageAnswer,
  LanguageModel,
  LanguageTask,
  TaskLimits,
  TokenUsage,
} from "../../ports/language-model.ts";
import { runRule } from "./built-in-model.ts";
import { type Fitted, fitToSchema } from "./fit-to-schema.ts";
import { jsonObjectsIn } from "./lenient-json.ts";

/** A remote model, reduced to what differs between providers: one request, one reply. */
export interface ModelProvider {
  readonly provider: string;
  readonly model: string;
  /** Throws ModelProviderError, also for a request that `signal` aborted. */
  ask(question: Question, signal: AbortSignal): Promise<Reply>;
}

export interface Question {
  /** Name of the task; letters and underscores. */
  name: string;
  system: string;
  /** Starts with the user's message, then alternates. */
  messages: { role: "user" | "assistant"; content: string }[];
  /** JSON schema of the expected answer. */
  schema: { [keyword: string]: Json };
  /** Maximum tokens of the answer; the provider's own limit by default. */
  maxTokens?: number;
  /** 0 to 2; 0 by default. */
  temperature?: number | undefined;
}

export interface Reply {
  /** JSON, if the model followed the instructions. */
  text: string;
  usage: TokenUsage;
}

/** A request without a reply. The message contains nothing of the question or the answer, and no secret. */
export class ModelProviderError extends Error {
  /** Whether the same request may succeed later: throttled, overloaded or unreachable. */
  readonly transient: boolean;
  /** The wait that the provider asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, transient: boolean, retryAfterMs?: number, cause?: unknown) {
    super(message, { cause });
    this.name = "ModelProviderError";
    this.transient = transient;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface RemoteModelOptions {
  /** For one task in total: its requests, the pauses between them and the repair. */
  timeoutMs: number;
  logger: Logger;
  clock: Clock;
  sleep(milliseconds: number): Promise<unknown>;
  /** Returns a number from 0 up to 1. */
  random(): number;
}

/** Leaves enough of a 30 s request to answer by rule. */
const DEFAULT_TIMEOUT_MS = 20_000;

/** Fills in the defaults: the real clock, timer and random numbers, and no log. */
export function withDefaults(options: Partial<RemoteModelOptions>): RemoteModelOptions {
  return {
    timeoutMs: DEFAULT_TIMEOUT_MS,
    logger: silentLogger,
    clock: systemClock,
    sleep,
    random: Math.random,
    ...options,
  };
}

const MAX_REQUESTS = 4;
/** How much earlier than the clock's deadline a timer may fire. */
const TIMER_PRECISION_MS = 2;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;
/** Maximum characters of a wrong answer that the model is shown again. */
const MAX_SHOWN_CHARACTERS = 20_000;

/**
 * Creates a language model behind a provider. Transient failures are retried. An answer is parsed leniently; if it has
 * the wrong shape, the model is shown its mistakes once. If there is no valid answer in time, the task's built-in rule
 * answers and `fallback` is true.
 */
export function createRemoteModel(provider: ModelProvider, options: RemoteModelOptions): LanguageModel {
  return {
    async run<Input, Output>(
      task: LanguageTask<Input, Output>,
      input: Input,
      { timeoutMs = options.timeoutMs, maxTokens, temperature, org }: TaskLimits = {},
    ): Promise<LanguageAnswer<Output>> {
      const dialogue = new Dialogue(provider, { ...options, timeoutMs: Math.min(timeoutMs, options.timeoutMs) });
      const origin = { provider: provider.provider, model: provider.model };
      try {
        const value = await dialogue.answer(task, task.prompt(input), { maxTokens, temperature });
        return { value, ...origin, fallback: false, usage: dialogue.usage, calls: dialogue.calls };
      } catch (failure) {
        if (!(failure instanceof ModelProviderError)) throw failure;
        const { message: reason, cause } = failure;
        const mistakes = typeof cause === "string" ? { mistakes: cause } : {};
        options.logger.warn("LANGUAGE_MODEL_FELL_BACK", { ...origin, task: task.name, reason, ...mistakes });
        const { usage, calls, isLate } = dialogue;
        const value = await runRule(task, input, org);
        return { value, ...origin, fallback: true, failure: reason, isLate, usage, calls };
      }
    },
  };
}

/** One task sent to one provider, with its token usage and its deadline. */
class Dialogue {
  readonly usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  calls = 0;
  readonly #provider: ModelProvider;
  readonly #options: RemoteModelOptions;
  readonly #deadline: number;

  constructor(provider: ModelProvider, options: RemoteModelOptions) {
    this.#provider = provider;
    this.#options = options;
    this.#deadline = options.clock() + options.timeoutMs;
  }

  /** Whether the time is over, or too short for another request. */
  get isLate(): boolean {
    return this.#options.clock() + TIMER_PRECISION_MS >= this.#deadline;
  }

  /** Throws ModelProviderError if there is no answer of the right shape. */
  async answer<Output>(
    { name, schema }: Pick<LanguageTask<never, Output>, "name" | "schema">,
    { system, user }: { system: string; user: string },
    { maxTokens, temperature }: Pick<Question, "maxTokens" | "temperature">,
  ): Promise<Output> {
    const question: Question = {
      name,
      system,
      messages: [{ role: "user", content: user }],
      schema: jsonSchemaOf(schema),
      maxTokens,
      temperature,
    };
    const first = await this.#askUntilAnswered(question);
    const judged = parseAnswer(first, schema, question.schema);
    if (judged.mistakes === undefined) return judged.value;
    question.messages.push(
      { role: "assistant", content: first.slice(0, MAX_SHOWN_CHARACTERS) },
      { role: "user", content: `That does not fit: ${judged.mistakes}. Answer again, with the corrected JSON alone.` },
    );
    const second = parseAnswer(await this.#askUntilAnswered(question), schema, question.schema);
    if (second.mistakes === undefined) return second.value;
    throw new ModelProviderError("two answers of the wrong shape", false, undefined, second.mistakes);
  }

  async #askUntilAnswered(question: Question): Promise<string> {
    const { text, usage } = await askWithRetries(
      (signal) => {
        this.calls++;
        return this.#provider.ask(question, signal);
      },
      this.#options,
      this.#deadline,
    );
    this.usage.inputTokens += usage.inputTokens;
    this.usage.outputTokens += usage.outputTokens;
    return text;
  }
}

/**
 * Retries transient failures until the deadline (epoch milliseconds) or MAX_REQUESTS. Throws the last
 * ModelProviderError. Pauses are those that the provider asked for, or a random share of an exponentially growing
 * ceiling ("full jitter").
 */
export async function askWithRetries<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  options: Pick<RemoteModelOptions, "clock" | "sleep" | "random">,
  deadline: number,
): Promise<Answer> {
  const remainingMs = () => msUntil(deadline, options.clock());
  let last: ModelProviderError | undefined;
  for (let request = 1; ; request++) {
    try {
      if (remainingMs() <= 0) throw new ModelProviderError("out of time", false, undefined, last);
      return await ask(AbortSignal.timeout(Math.ceil(remainingMs())));
    } catch (failure) {
      if (!(failure instanceof ModelProviderError) || !failure.transient || request === MAX_REQUESTS) throw failure;
      const pause =
        failure.retryAfterMs ?? options.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (request - 1));
      if (pause >= remainingMs()) throw failure;
      last = failure;
      await options.sleep(pause);
    }
  }
}

function parseAnswer<Output>(text: string, schema: z.ZodType<Output>, jsonSchema: Question["schema"]): Fitted<Output> {
  let first: Fitted<Output> | undefined;
  for (const value of jsonObjectsIn(text)) {
    const fitted = fitToSchema(value, schema, jsonSchema);
    if (fitted.mistakes === undefined) return fitted;
    first ??= fitted;
  }
  return first ?? { mistakes: "it holds no JSON object" };
}

function jsonSchemaOf(schema: z.ZodType): Question["schema"] {
  const { $schema: _dialect, ...keywords } = z.toJSONSchema(schema, { unrepresentable: "any" });
  return keywords as Question["schema"];
}

/** Parses the Retry-After header: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
