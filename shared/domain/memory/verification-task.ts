import type { LanguageAnswer, LanguageModel, LanguageTask, TaskLimits } from "../../ports/language-model.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import { BUILT_IN } from "../models/built-in-model.ts";
import { runsOf } from "./extraction.ts";
import { costOf, countAsked } from "./metrics.ts";
import { countingFor, loadProcessingSettings, type ProcessingSettings, timeLimitOf } from "./understand.ts";

/** An answer with its cost. */
export interface PaidAnswer<Output> extends LanguageAnswer<Output> {
  /** In US dollars, at the price in the deployment's settings. */
  cost_usd: number;
}

/** Opens the verification model, the better of the two models. */
export async function openVerifier(runtime: OrgRuntime): Promise<LanguageModel> {
  const { mode } = await loadProcessingSettings(runtime);
  return runtime.ports.models.open(mode.providers.verify);
}

/** Runs and counts a task with the verification model, or with the model `modelName` if the deployment has it. */
export async function runVerificationTask<Input, Output>(
  runtime: OrgRuntime,
  task: LanguageTask<Input, Output>,
  input: Input,
  limits: TaskLimits = {},
  modelName?: string,
): Promise<PaidAnswer<Output>> {
  const settings = await loadProcessingSettings(runtime);
  const verify = modelNamed(runtime, settings, modelName) ?? settings.mode.providers.verify;
  const timeoutMs = Math.min(limits.timeoutMs ?? Number.POSITIVE_INFINITY, timeLimitOf(settings));
  const model = await runtime.ports.models.open(verify);
  const answer = await model.run(task, input, { ...limits, timeoutMs, org: runtime.org });
  countAsked(countingFor(runtime, settings), verify, answer.usage, runsOf(answer));
  return { ...answer, cost_usd: costOf(answer.usage, verify) };
}

/** Returns a model by name, at the verification model's price; undefined if unknown or if the deployment uses rules. */
function modelNamed({ ports }: OrgRuntime, { mode }: ProcessingSettings, modelName: string | undefined) {
  const { fast, verify } = mode.providers;
  if (modelName === undefined || verify.provider === BUILT_IN.provider) return undefined;
  const found = [verify, fast, ...ports.models.providers].find(({ model }) => model === modelName);
  return found && { cost_per_1k: verify.cost_per_1k, ...found };
}
