import type { Skill } from "../../shared/domain/agents/skills/skill.ts";

/** A skill that was never used, changed by `change`. */
export function newSkill(change: Partial<Skill> = {}): Skill {
  return {
    id: "skill_1",
    org: "org_test",
    name: "Serve tea",
    trigger: "a guest asks for tea",
    action: "Serve tea.",
    domain: "house",
    confidence: 0.5,
    stated_confidence: 0.5,
    outcomes: 0,
    successes: 0,
    tags: [],
    examples: [],
    metadata: {},
    usage_count: 0,
    verified: false,
    human_reviewed: false,
    version: 1,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    created_by: "ak_test",
    ...change,
  };
}
