import type { Skill } from "./skill.ts";

/** pending until a reviewer decides; superseded by the review of a newer version; withdrawn with its skill. */
export const REVIEW_STATES = ["pending", "approved", "rejected", "superseded", "withdrawn"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** What created the version to review. */
export const REVIEW_REASONS = ["created", "updated", "extracted", "synthesized", "imported"] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** A version of a skill under review. */
export interface Review {
  id: string;
  org: string;
  skill_id: string;
  skill_version: number;
  reason: ReviewReason;
  /** The version to judge. */
  skill: Pick<Skill, "name" | "trigger" | "action" | "domain" | "confidence">;
  /** For a synthesized skill, its sources. */
  source_skills?: string[];
  status: ReviewState;
  approved?: boolean;
  notes?: string;
  reviewed_by?: string;
  /** ISO */
  reviewed_at?: string;
  created_at: string;
  /** The principal that created the version. */
  created_by: string;
}
