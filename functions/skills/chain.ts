import type { JsonObject } from "../../shared/ports/ports.ts";
import type { SkillRun } from "./carry-out.ts";

/** A sequence of skills with conditions for the next step. */
export interface Chain {
  id: string;
  org: string;
  name: string;
  trigger: string;
  /** In order. */
  steps: ChainStep[];
  conditions: string[];
  created_at: string;
  /** The principal that created it. */
  created_by: string;
}

/** The target that completes a chain. */
export const END = "end";
/** The order of a step, or the end of the chain. */
export type Target = number | typeof END;

export interface ChainStep {
  skill_id: string;
  order: number;
  /** Whether the chain continues after this step. */
  continue_if?: string;
  /** Where it continues; the next step by default. */
  goto?: Target;
  /** Where it continues if `continue_if` is false; by default the chain stops. */
  else?: Target;
  /** Whether a model's result is a success. */
  check?: string;
  /** Further attempts after a failed one. */
  retries?: number;
  /** The effect of a failed step on the chain; by default the chain fails. */
  on_failure?: FailurePolicy;
}

/** continue: with the next step. */
export type FailurePolicy = "stop" | "continue" | { goto: Target };

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

export interface ChainFault {
  code: (typeof STEP_FAULTS)[number];
  message: string;
  /** The step at which it failed. */
  order?: number;
  skill_ids?: string[];
}

export interface StepRun {
  order: number;
  skill_id: string;
  name: string;
  result: SkillRun["result"];
  /** Number of attempts; the result is the last one's. */
  attempts: number;
  execution_time_ms: number;
  /** The error of a failed step, whatever the chain did next. */
  error?: ChainFault;
}

export interface StepTrace extends Pick<SkillRun, "provider" | "model" | "fallback" | "explanation"> {
  order: number;
  skill_id: string;
  skill_version: number;
  /** ISO */
  started_at: string;
  execution_time_ms: number;
  timeout_ms: number;
  continue_if?: string;
  continued: boolean;
  /** Where the chain continued, unless it ended. */
  next?: Target;
}

/** One run of a chain, however it ended. */
export interface ChainExecution {
  id: string;
  org: string;
  chain_id: string;
  status: (typeof CHAIN_STATES)[number];
  context: JsonObject;
  steps: StepRun[];
  result: StepRun["result"] | null;
  stopped_by?: string;
  error?: ChainFault;
  trace?: StepTrace[];
  performance: SkillRun["performance"];
  /** ISO */
  started_at: string;
  completed_at: string;
  /** The principal that ran it. */
  created_by: string;
}
