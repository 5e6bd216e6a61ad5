import type { JsonObject } from "../../shared/platform/ports.ts";
import type { SkillRun } from "./carry-out.ts";

/** Skills in an order, with what decides which one comes next. */
export interface Chain {
  id: string;
  org: string;
  name: string;
  trigger: string;
  /** In their order. */
  steps: ChainStep[];
  conditions: string[];
  created_at: string;
  /** Principal that made it. */
  created_by: string;
}

/** The target that ends a chain, completed. */
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
  /** Where it goes when `continue_if` is false; the chain stops by default. */
  else?: Target;
  /** Whether a model's result is a success. */
  check?: string;
  /** Further attempts after a failed one. */
  retries?: number;
  /** What a step that failed does to the chain; it fails by default. */
  on_failure?: FailurePolicy;
}

/** continue: with the next step. */
export type FailurePolicy = "stop" | "continue" | { goto: Target };

/** Most steps of one run, repeated ones included: what bounds a chain that goes back. */
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
  /** Of the step it happened at. */
  order?: number;
  skill_ids?: string[];
}

export interface StepRun {
  order: number;
  skill_id: string;
  name: string;
  result: SkillRun["result"];
  /** Times that it was carried out; the result is the last one's. */
  attempts: number;
  execution_time_ms: number;
  /** Of a step that failed, whatever the chain did then. */
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
  /** Where the chain went from here, unless it ended. */
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
  /** Principal that ran it. */
  created_by: string;
}
