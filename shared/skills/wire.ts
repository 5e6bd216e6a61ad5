import * as z from "zod";
import { storedObject } from "../http/fields.ts";
import { measured } from "../http/schema-parts.ts";
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

/** A skill in the words of the API. */
export const Skill = z.object({
  ...briefSkill,
  tags: z.array(z.string()),
  examples: z.array(z.string()),
  metadata: storedObject,
  usage_count: measured(z.int()),
  last_used: measured(z.string().nullable()),
  verified: z.boolean(),
  human_reviewed: z.boolean(),
  /** The review of this version, while it is pending. */
  review_id: z.string().nullable(),
  version: z.int(),
  updated_at: z.string(),
});

/** What is told of a skill. */
export function presentSkill(skill: StoredSkill) {
  const { last_used = null, review_id = null } = skill;
  return { ...skill, last_used, review_id };
}
