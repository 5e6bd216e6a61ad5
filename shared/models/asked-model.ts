import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { type Logger, silentLogger } from "../kernel/logger.ts";
import type { Json, LanguageAnswer, LanguageModel, LanguageTask, TaskLimits, TokenUsage } from "../platform/ports.ts";
import { runRule } from "./built-in-model.ts";
import { type Fitted, fitToSchema } from "./fit-to-schema.ts";
import { jsonObjectsIn } from "./lenient-json.ts";

/** A remote model, reduced to what differs between providers: one request, one reply. */
export interface ModelProvider {
  readonly provider: string;
  readonly model: string;
  /** Throws ProviderFailure, for a request that `signal` ended too. */
  ask(question: Question, signal: AbortSignal): Promise<Reply>;
}

export interface Question {
  /** Of the task; letters and underscores. */
  name: string;
  system: string;
  /** Begins with the user's, then takes turns. */
  messages: { role: "user" | "assistant"; content: string }[];
  /** JSON schema of the answer that is wanted. */
  schema: { [keyword: string]: Json };
  /** Most tokens of the answer; the provider's own limit unless told. */
  maxTokens?: number;
  /** 0 up to 2; 0 unless given. */
  temperature?: number | undefined;
}

export interface Reply {
  /** JSON, if the model did as it was asked. */
  text: string;
  usage: TokenUsage;
}

/** A request that brought no reply. Its message holds nothing of what was asked or answered, and no secret. */
export class ProviderFailure extends Error {
  /** Whether the same request may do better later: throttled, overloaded, out of reach. */
  readonly passing: boolean;
  /** What the provider asked to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, passing: boolean, retryAfterMs?: number, cause?: unknown) {
    super(message, { cause });
    this.name = "ProviderFailure";
    this.passing = passing;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface AskingOptions {
  /** For one task in all: its requests, the pauses between them and the repair. */
  timeoutMs: number;
  logger: Logger;
  clock: Clock;
  sleep(milliseconds: number): Promise<unknown>;
  /** 0 up to 1. */
  random(): number;
}

/** Leaves a request of 30 s the time to answer by rule. */
const DEFAULT_TIMEOUT_MS = 20_000;

/** What is not given: the real clock, timer and dice, no log. */
export function withDefaults(options: Partial<AskingOptions>): AskingOptions {
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
/** A timer may fire so much before the clock says that its time is over. */
const TIMER_PRECISION_MS = 2;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** Characters of a wrong answer that the model is shown again. */
const MAX_SHOWN_CHARACTERS = 20_000;

/**
 * A language model behind a provider. Passing failures are tried again. An answer is read leniently; one of the wrong shape
 * is shown its mistakes once. When none of it helps in time, the task's built-in rule answers and `fallback` says so.
 */
export function createAskedModel(provider: ModelProvider, options: AskingOptions): LanguageModel {
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
        if (!(failure instanceof ProviderFailure)) throw failure;
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

/** One task put to one provider, with what it costs in tokens and the time it has left. */
class Dialogue {
  readonly usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  calls = 0;
  readonly #provider: ModelProvider;
  readonly #options: AskingOptions;
  readonly #deadline: number;

  constructor(provider: ModelProvider, options: AskingOptions) {
    this.#provider = provider;
    this.#options = options;
    this.#deadline = options.clock() + options.timeoutMs;
  }

  /** Whether its time is over, or too short for another request. */
  get isLate(): boolean {
    return this.#options.clock() + TIMER_PRECISION_MS >= this.#deadline;
  }

  /** Throws ProviderFailure where there is no answer of the right shape. */
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
    const judged = judge(first, schema, question.schema);
    if (judged.mistakes === undefined) return judged.value;
    question.messages.push(
      { role: "assistant", content: first.slice(0, MAX_SHOWN_CHARACTERS) },
      { role: "user", content: `That does not fit: ${judged.mistakes}. Answer again, with the corrected JSON alone.` },
    );
    const second = judge(await this.#askUntilAnswered(question), schema, question.schema);
    if (second.mistakes === undefined) return second.value;
    throw new ProviderFailure("two answers of the wrong shape", false, undefined, second.mistakes);
  }

  async #askUntilAnswered(question: Question): Promise<string> {
    const { text, usage } = await askUntilAnswered(
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
 * Asks again after passing failures, until the deadline (epoch milliseconds) or MAX_REQUESTS. Throws the last
 * ProviderFailure. Pauses are what the provider says, or a random share of an exponentially growing ceiling ("full jitter").
 */
export async function askUntilAnswered<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  options: Pick<AskingOptions, "clock" | "sleep" | "random">,
  deadline: number,
): Promise<Answer> {
  const left = () => deadline - options.clock();
  let last: ProviderFailure | undefined;
  for (let request = 1; ; request++) {
    try {
      if (left() <= 0) throw new ProviderFailure("out of time", false, undefined, last);
      return await ask(AbortSignal.timeout(Math.ceil(left())));
    } catch (failure) {
      if (!(failure instanceof ProviderFailure) || !failure.passing || request === MAX_REQUESTS) throw failure;
      const pause = failure.retryAfterMs ?? pauseAfter(request, options.random);
      if (pause >= left()) throw failure;
      last = failure;
      await options.sleep(pause);
    }
  }
}

function pauseAfter(request: number, random: () => number): number {
  return random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (request - 1));
}

function judge<Output>(text: string, schema: z.ZodType<Output>, jsonSchema: Question["schema"]): Fitted<Output> {
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

/** The header of that name: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
