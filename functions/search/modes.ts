import { ServiceError } from "../../shared/kernel/errors.ts";

/** How enhanced search looks for memories: by spreading activation, by meaning alone, or by meaning and words weighed. */
export const ENHANCED_MODES = ["spreading", "semantic", "hybrid"] as const;

export type EnhancedMode = (typeof ENHANCED_MODES)[number];

/** The mode of that name. Throws INVALID_MODE for any other. */
export function checkMode(given: unknown): EnhancedMode {
  const mode = ENHANCED_MODES.find((known) => known === given);
  if (mode !== undefined) return mode;
  const modes = ENHANCED_MODES.join(", ");
  throw new ServiceError("INVALID_MODE", `There is no such mode. Use one of: ${modes}.`, { modes: ENHANCED_MODES });
}

/** Least activation of enhanced search where a request names none. */
export const USUAL_ACTIVATION_THRESHOLD = 0.1;
