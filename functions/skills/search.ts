import type { Context } from "../../shared/platform/context.ts";
import { findByTrigger } from "../../shared/skills/finding.ts";
import type * as schemas from "./schemas.ts";
import { getSkill, type Input } from "./service.ts";

/** The skills for what comes up, the nearest trigger first. */
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

/** The other skills whose triggers are like this one's. */
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
