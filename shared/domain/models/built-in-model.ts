import type { LanguageAnswer, LanguageModel, LanguageTask } from "../../ports/ports.ts";
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

/** Creates a model that runs every task by its rule: no network, no key, the same answer every time. */
export function createBuiltInModel(): LanguageModel {
  return {
    isRules: true,
    async run<Input, Output>(task: LanguageTask<Input, Output>, input: Input, { org }: { org?: string } = {}) {
      return { value: await runRule(task, input, org), ...BUILT_IN, fallback: false, ...NO_COST };
    },
  };
}

/** The same model, for callers that are text tasks themselves. */
export const rulesWithinTask: LanguageModel = {
  isRules: true,
  async run<Input, Output>(task: LanguageTask<Input, Output>, input: Input) {
    return { value: await task.builtIn(input), ...BUILT_IN, fallback: false, ...NO_COST };
  },
};
