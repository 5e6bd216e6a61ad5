import type { Skill } from "./skill.ts";

/** pending until a reviewer decides; superseded by the review of a newer version; withdrawn with its skill. */
export const REVIEW_STATES = ["pending", "approved", "rejected", "superseded", "withdrawn"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** What made the version that is to be reviewed. */
export const REVIEW_REASONS = ["created", "updated", "extracted", "synthesized", "imported"] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** One version of a skill before a person's judgement. */
export interface Review {
  id: string;
  org: string;
  skill_id: string;
  skill_version: number;
  reason: ReviewReason;
  /** The version as it is to be judged. */
  skill: Pick<Skill, "name" | "trigger" | "action" | "domain" | "confidence">;
  /** Of a synthesized one: what it was made of. */
  source_skills?: string[];
  status: ReviewState;
  approved?: boolean;
  notes?: string;
  reviewed_by?: string;
  /** ISO */
  reviewed_at?: string;
  created_at: string;
  /** Principal that made the version. */
  created_by: string;
}
