import type { LanguageAnswer, LanguageModel, LanguageTask } from "../../ports/language-model.ts";
import { runTextTask } from "../../runtime/text-work/run.ts";
import type { TextTask } from "../../runtime/text-work/task.ts";

export const BUILT_IN = { provider: "built-in", model: "rules" } as const;

const NO_COST = { usage: { inputTokens: 0, outputTokens: 0 }, calls: 0 };
/** Size of the input up to which a rule runs without a thread. */
const INLINE_SIZE = 2_000;

/** Returns the rule of a language task as a text task. */
export function ruleOf<Input, Output>(task: LanguageTask<Input, Output>): TextTask<Input, Output> {
  return { name: `rule:${task.name}`, run: (input) => task.builtIn(input), inlineSize: INLINE_SIZE };
}

/** Whether rules produced an answer, because no model is configured or the model failed. */
export function isMadeByRules({ provider, fallback }: Pick<LanguageAnswer<unknown>, "provider" | "fallback">): boolean {
  return fallback || provider === BUILT_IN.provider;
}

/** Runs a task's rule, in a thread if the input is large. */
export function runRule<Input, Output>(task: LanguageTask<Input, Output>, input: Input, org = ""): Promise<Output> {
  return runTextTask(ruleOf(task), input, { org });
}

/** A model that runs every task by its rule: no network, no key, the same answer every time. */
const ruleModel = (apply: typeof runRule): LanguageModel => ({
  isRules: true,
  async run(task, input, { org } = {}) {
    return { value: await apply(task, input, org), ...BUILT_IN, fallback: false, ...NO_COST };
  },
});

export const createBuiltInModel = (): LanguageModel => ruleModel(runRule);

/** The same model, for callers that are text tasks themselves. */
export const rulesWithinTask = ruleModel(async (task, input) => task.builtIn(input));
