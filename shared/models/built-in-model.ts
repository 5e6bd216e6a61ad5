import type { LanguageAnswer, LanguageModel, LanguageTask } from "../platform/ports.ts";
import { runTextTask } from "../text-work/run.ts";
import type { TextTask } from "../text-work/task.ts";

export const BUILT_IN = { provider: "built-in", model: "rules" } as const;

const NO_COST = { usage: { inputTokens: 0, outputTokens: 0 }, calls: 0 };
/** Of any rule's input. */
const INLINE_SIZE = 2_000;

/** The rule of a language task, as work on text. */
export function ruleOf<Input, Output>(task: LanguageTask<Input, Output>): TextTask<Input, Output> {
  return { name: `rule:${task.name}`, run: (input) => task.builtIn(input), inlineSize: INLINE_SIZE };
}

/** Whether rules made an answer: no model is configured, or it failed. */
export function isMadeByRules({ provider, fallback }: Pick<LanguageAnswer<unknown>, "provider" | "fallback">): boolean {
  return fallback || provider === BUILT_IN.provider;
}

/** Answers by a task's rule, in a thread where the input is large. */
export function runRule<Input, Output>(task: LanguageTask<Input, Output>, input: Input, org = ""): Promise<Output> {
  return runTextTask(ruleOf(task), input, { org });
}

/** Does every task by its own rule: no network, no key, the same answer every time. */
export function createBuiltInModel(): LanguageModel {
  return {
    isRules: true,
    async run<Input, Output>(task: LanguageTask<Input, Output>, input: Input, { org }: { org?: string } = {}) {
      return { value: await runRule(task, input, org), ...BUILT_IN, fallback: false, ...NO_COST };
    },
  };
}

/** The same where the caller is a text task itself. */
export const rulesWithinTask: LanguageModel = {
  isRules: true,
  async run<Input, Output>(task: LanguageTask<Input, Output>, input: Input) {
    return { value: await task.builtIn(input), ...BUILT_IN, fallback: false, ...NO_COST };
  },
};
