import * as z from "zod";
import { each, storedObject } from "../../../runtime/schemas/fields.ts";
import { measured } from "../../../runtime/schemas/schema-parts.ts";
import { lowerBound, type Evidence as StoredEvidence } from "./confidence.ts";
import { REVIEW_REASONS, REVIEW_STATES } from "./review-records.ts";
import type { Skill as StoredSkill } from "./skill.ts";

/** Skill fields of every response. */
export const briefSkill = {
  id: z.string(),
  /** Unique in the organization, ignoring case and white space. */
  name: z.string(),
  trigger: z.string(),
  /** May have slots such as `{customer.name}`, which execution fills from its context. */
  action: z.string(),
  domain: z.string(),
  /** 0..1; derived from the evidence of this version. */
  confidence: z.number(),
  created_at: z.string(),
};

/** The evidence for a version's confidence. */
export const Evidence = z.object({
  /** The initial confidence of the version. */
  stated_confidence: z.number(),
  /** Reported outcomes of this version: of uses, reviews and checks. */
  outcomes: z.int(),
  successes: z.int(),
  /** The success probability that is exceeded with 90 % probability; found skills rank by fit times this. */
  lower_bound: z.number(),
});

/** A skill in the API's form. */
export const Skill = z.object({
  ...briefSkill,
  tags: z.array(z.string()),
  examples: z.array(z.string()),
  metadata: storedObject,
  /** Uses and executions of all versions. */
  usage_count: measured(z.int()),
  last_used: measured(z.string().nullable()),
  evidence: measured(Evidence),
  /** Whether a reviewer approved this version, and whether one decided on it. */
  verified: z.boolean(),
  human_reviewed: z.boolean(),
  /** Paths of imported files besides the instructions. */
  files: z.array(z.string()),
  /** The skill that replaces it; this one is no longer found or executed. */
  superseded_by: z.string().nullable(),
  /** The pending review of this version. */
  review_id: z.string().nullable(),
  /** Counts definitions; uses and reviews do not change it. */
  version: z.int(),
  updated_at: z.string(),
});

/** A skill for responses. */
export function presentSkill(skill: StoredSkill) {
  const { last_used = null, review_id = null, superseded_by = null } = skill;
  return {
    ...skill,
    evidence: evidenceOf(skill),
    files: skill.bundle?.paths ?? [],
    last_used,
    review_id,
    superseded_by,
  };
}

export function evidenceOf(evidence: StoredEvidence): z.output<typeof Evidence> {
  const { stated_confidence, outcomes, successes } = evidence;
  return { stated_confidence, outcomes, successes, lower_bound: lowerBound(evidence) };
}

/** A version of a skill under review, in the API's form. */
export const Review = z.object({
  id: z.string(),
  skill_id: z.string(),
  skill_version: z.int(),
  reason: z.enum(REVIEW_REASONS),
  /** The version to judge. */
  skill: Skill.pick(each(true, "name", "trigger", "action", "domain", "confidence")),
  source_skills: z.array(z.string()).optional(),
  status: z.enum(REVIEW_STATES),
  approved: z.boolean().nullable(),
  notes: z.string().nullable(),
  reviewed_by: z.string().nullable(),
  reviewed_at: z.string().nullable(),
  created_at: z.string(),
});
