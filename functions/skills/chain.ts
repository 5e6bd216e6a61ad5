import type * as z from "zod";
import type { JsonObject } from "../../shared/ports/ports.ts";
import type * as schemas from "./schemas.ts";

/** A sequence of skills with conditions for the next step. */
export interface Chain extends z.output<typeof schemas.Chain> {
  org: string;
  /** The principal that created it. */
  created_by: string;
}

export type ChainStep = Chain["steps"][number];

/** The target that completes a chain. */
export const END = "end";
/** The order of a step, or the end of the chain. */
export type Target = number | typeof END;

/** Maximum steps of one run including repetitions, which bounds loops. */
export const MAX_STEPS_RUN = 30;

export const CHAIN_STATES = ["completed", "prepared", "stopped", "failed"] as const;

/** Why a chain failed. */
export const STEP_FAULTS = [
  "SKILL_NOT_FOUND",
  "SKILL_RETIRED",
  "CONTEXT_INCOMPLETE",
  "STEP_FAILED",
  "EXPRESSION_FAILED",
  "STEP_LIMIT",
  "TIMEOUT",
  "INTERNAL_ERROR",
] as const;

export type ChainFault = z.output<typeof schemas.ChainFault>;

/** One run of a chain, however it ended. */
export interface ChainExecution extends Omit<z.output<typeof schemas.ChainExecution>, "execution_id"> {
  id: string;
  org: string;
  context: JsonObject;
  /** The principal that ran it. */
  created_by: string;
}

export type StepTrace = NonNullable<ChainExecution["trace"]>[number];
