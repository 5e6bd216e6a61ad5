import { ServiceError } from "../../shared/kernel/errors.ts";

/** Modes of enhanced search: spreading activation, meaning only, or meaning and keywords weighted. */
export const ENHANCED_MODES = ["spreading", "semantic", "hybrid"] as const;

export type EnhancedMode = (typeof ENHANCED_MODES)[number];

/** The mode with that name. Throws INVALID_MODE for any other. */
export function checkMode(given: unknown): EnhancedMode {
  const mode = ENHANCED_MODES.find((known) => known === given);
  if (mode !== undefined) return mode;
  const modes = ENHANCED_MODES.join(", ");
  throw new ServiceError("INVALID_MODE", `There is no such mode. Use one of: ${modes}.`, { modes: ENHANCED_MODES });
}

/** Default minimum activation of enhanced search. */
export const DEFAULT_ACTIVATION_THRESHOLD = 0.1;
