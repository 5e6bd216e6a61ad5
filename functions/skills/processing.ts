import { isMadeByRules } from "../../shared/models/built-in-model.ts";
import type { LanguageAnswer } from "../../shared/platform/ports.ts";

/** Who made an answer, as the API says it. */
export function processingOf({ provider, model, fallback }: LanguageAnswer<unknown>) {
  const produced_by = isMadeByRules({ provider, fallback }) ? ("rules" as const) : ("model" as const);
  return { provider, model, fallback, produced_by };
}
