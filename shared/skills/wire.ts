import * as z from "zod";
import { storedObject } from "../http/fields.ts";
import { measured } from "../http/schema-parts.ts";
import { lowerBound, type Evidence as StoredEvidence } from "./confidence.ts";
import type { Skill as StoredSkill } from "./skill.ts";

/** What every answer tells of a skill. */
export const briefSkill = {
  id: z.string(),
  name: z.string(),
  trigger: z.string(),
  action: z.string(),
  domain: z.string(),
  confidence: z.number(),
  created_at: z.string(),
};

/** What the confidence of a version rests on. */
export const Evidence = z.object({
  /** The confidence that was stated when the version was made. */
  stated_confidence: z.number(),
  /** Reported outcomes of this version: of uses, reviews and checks. */
  outcomes: z.int(),
  successes: z.int(),
  /** What the chance that a use goes well exceeds with 90 % probability; found skills rank by fit times this. */
  lower_bound: z.number(),
});

/** A skill in the words of the API. */
export const Skill = z.object({
  ...briefSkill,
  tags: z.array(z.string()),
  examples: z.array(z.string()),
  metadata: storedObject,
  usage_count: measured(z.int()),
  last_used: measured(z.string().nullable()),
  evidence: measured(Evidence),
  verified: z.boolean(),
  human_reviewed: z.boolean(),
  /** Paths of the files that were imported beside its instructions. */
  files: z.array(z.string()),
  /** The skill that replaces it; it is found and carried out no more. */
  superseded_by: z.string().nullable(),
  /** The review of this version, while it is pending. */
  review_id: z.string().nullable(),
  version: z.int(),
  updated_at: z.string(),
});

/** What is told of a skill. */
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
