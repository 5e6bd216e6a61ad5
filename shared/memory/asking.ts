import { BUILT_IN } from "../models/built-in-model.ts";
import type { OrgHome } from "../platform/context.ts";
import type { LanguageAnswer, LanguageModel, LanguageTask, TaskLimits } from "../platform/ports.ts";
import { runsOf } from "./extraction.ts";
import { costOf, countAsked } from "./figures.ts";
import { countingFor, readSteering, type Steering, timeLimitOf } from "./understand.ts";

/** An answer and what it cost. */
export interface PaidAnswer<Output> extends LanguageAnswer<Output> {
  /** US dollars, at the price that the deployment's settings name. */
  cost_usd: number;
}

/** The model that checks, the better one where there are two. */
export async function openVerifier(home: OrgHome): Promise<LanguageModel> {
  const { mode } = await readSteering(home);
  return home.ports.models.open(mode.providers.verify);
}

/**
 * Puts a task to the model that checks, the better one where there are two, and counts what it cost. `wanted` is the name
 * of another model, which is asked where the deployment has it.
 */
export async function askVerifier<Input, Output>(
  home: OrgHome,
  task: LanguageTask<Input, Output>,
  input: Input,
  limits: TaskLimits = {},
  wanted?: string,
): Promise<PaidAnswer<Output>> {
  const steering = await readSteering(home);
  const verify = named(home, steering, wanted) ?? steering.mode.providers.verify;
  const timeoutMs = Math.min(limits.timeoutMs ?? Number.POSITIVE_INFINITY, timeLimitOf(steering));
  const model = await home.ports.models.open(verify);
  const answer = await model.run(task, input, { ...limits, timeoutMs, org: home.org });
  countAsked(countingFor(home, steering), verify, answer.usage, runsOf(answer));
  return { ...answer, cost_usd: costOf(answer.usage, verify) };
}

/** A model of the deployment by its name; none where the deployment answers by rule. Its price is that of the model that checks. */
function named({ ports }: OrgHome, { mode }: Steering, wanted: string | undefined) {
  const { fast, verify } = mode.providers;
  if (wanted === undefined || verify.provider === BUILT_IN.provider) return undefined;
  const found = [verify, fast, ...ports.models.providers].find(({ model }) => model === wanted);
  return found && { cost_per_1k: verify.cost_per_1k, ...found };
}
