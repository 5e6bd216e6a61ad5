import { type AddingStep, adding } from "./step.ts";

export const step: AddingStep = {
  version: 8,
  name: "store which facts are guesses, which their confidence told before",
  kinds: ["fact"],
  upgrade: adding(({ is_guess, confidence }) =>
    is_guess === undefined ? { is_guess: typeof confidence === "number" && confidence <= 0.4 } : undefined,
  ),
};
