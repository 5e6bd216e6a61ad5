import { findByTrigger } from "../../shared/domain/agents/skills/finding.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { getSkill } from "./service.ts";

/** The skills for a situation, the nearest trigger first. */
export async function searchSkills(ctx: Context, query: Input<typeof schemas.SearchSkills>) {
  const { found, total } = await findByTrigger(ctx, query);
  return {
    query: query.trigger,
    results: found.map(({ skill, similarity }, place) => ({
      ...skill,
      similarity_score: similarity,
      rank: place + 1,
    })),
    total_results: total,
  };
}

/** Other skills with similar triggers. */
export async function findSimilar(ctx: Context, id: string, { limit, threshold }: Input<typeof schemas.FindSimilar>) {
  const { trigger, domain } = await getSkill(ctx, id);
  const { found } = await findByTrigger(ctx, { trigger, threshold, limit: limit + 1 });
  const others = found.filter(({ skill }) => skill.id !== id).slice(0, limit);
  return {
    skill_id: id,
    similar_skills: others.map(({ skill, similarity }) => ({
      id: skill.id,
      name: skill.name,
      similarity_score: similarity,
      common_domains: skill.domain === domain ? [domain] : [],
    })),
  };
}
