import type { LanguageAnswer, LanguageModel, LanguageTask, TaskLimits } from "../../ports/ports.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import { BUILT_IN } from "../models/built-in-model.ts";
import { runsOf } from "./extraction.ts";
import { costOf, countAsked } from "./metrics.ts";
import { countingFor, loadProcessingSettings, type ProcessingSettings, timeLimitOf } from "./understand.ts";

/** An answer with its cost. */
export interface PaidAnswer<Output> extends LanguageAnswer<Output> {
  /** US dollars at the price in the deployment's settings. */
  cost_usd: number;
}

/** The verification model, the better one of two. */
export async function openVerifier(runtime: OrgRuntime): Promise<LanguageModel> {
  const { mode } = await loadProcessingSettings(runtime);
  return runtime.ports.models.open(mode.providers.verify);
}

/** Runs and counts a task with the verification model, or with the model `wanted` if the deployment has it. */
export async function runVerificationTask<Input, Output>(
  runtime: OrgRuntime,
  task: LanguageTask<Input, Output>,
  input: Input,
  limits: TaskLimits = {},
  wanted?: string,
): Promise<PaidAnswer<Output>> {
  const settings = await loadProcessingSettings(runtime);
  const verify = named(runtime, settings, wanted) ?? settings.mode.providers.verify;
  const timeoutMs = Math.min(limits.timeoutMs ?? Number.POSITIVE_INFINITY, timeLimitOf(settings));
  const model = await runtime.ports.models.open(verify);
  const answer = await model.run(task, input, { ...limits, timeoutMs, org: runtime.org });
  countAsked(countingFor(runtime, settings), verify, answer.usage, runsOf(answer));
  return { ...answer, cost_usd: costOf(answer.usage, verify) };
}

/** A model by name at the verification model's price; undefined if the deployment uses rules. */
function named({ ports }: OrgRuntime, { mode }: ProcessingSettings, wanted: string | undefined) {
  const { fast, verify } = mode.providers;
  if (wanted === undefined || verify.provider === BUILT_IN.provider) return undefined;
  const found = [verify, fast, ...ports.models.providers].find(({ model }) => model === wanted);
  return found && { cost_per_1k: verify.cost_per_1k, ...found };
}
