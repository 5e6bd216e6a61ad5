import type { JsonObject } from "../../shared/platform/ports.ts";
import type { SkillRun } from "./carry-out.ts";

/** Skills in an order, with what decides whether to go on. */
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

export interface ChainStep {
  skill_id: string;
  order: number;
  continue_if?: string;
}

export const CHAIN_STATES = ["completed", "stopped", "failed"] as const;

/** Why a chain failed. */
export const STEP_FAULTS = [
  "SKILL_NOT_FOUND",
  "CONTEXT_INCOMPLETE",
  "STEP_FAILED",
  "EXPRESSION_FAILED",
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
  execution_time_ms: number;
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
