import { isMadeByRules } from "../../shared/domain/models/built-in-model.ts";
import type { LanguageAnswer } from "../../shared/ports/ports.ts";

/** The producer of an answer for responses. */
export function processingOf({ provider, model, fallback }: LanguageAnswer<unknown>) {
  const produced_by = isMadeByRules({ provider, fallback }) ? ("rules" as const) : ("model" as const);
  return { provider, model, fallback, produced_by };
}
