import type { Context } from "../platform/context.ts";
import { corroborate, plainWeights } from "../retrieval/fusion.ts";
import { skillsPartition } from "../retrieval/partitions.ts";
import { retrieve } from "../retrieval/retrieve.ts";
import { findSkills } from "./records.ts";
import type { Skill } from "./skill.ts";

/** A skill that was found, and how near its trigger is: the fused score of plain search, 0..1. */
export interface FoundSkill {
  skill: Skill;
  similarity: number;
}

/** Least similarity of what counts as found, unless a request says otherwise. */
export const USUAL_THRESHOLD = 0.7;

export interface SkillQuery {
  /** What comes up, in words. */
  trigger: string;
  domain?: string;
  /** Least similarity. */
  threshold: number;
  limit: number;
}

/**
 * The skills whose triggers are nearest, best first, and how many are near enough. Words and meaning are fused as for
 * memories, so that a threshold means the same: about 0.5 is unrelated, 0.7 takes a good half of the trigger's words.
 */
export async function findByTrigger(
  ctx: Pick<Context, "org" | "clock" | "logger" | "ports" | "rollups" | "settings">,
  { trigger, domain, threshold, limit }: SkillQuery,
): Promise<{ found: FoundSkill[]; total: number }> {
  const { ranked } = await retrieve(
    { ...ctx, org: skillsPartition(ctx.org) },
    {
      query: trigger,
      filters: domain === undefined ? undefined : { category: [domain] },
      fusion: { weights: plainWeights(ctx.ports.embedder), combine: corroborate },
      depth: limit,
    },
  );
  const near = ranked.filter(({ score }) => score >= threshold);
  const shown = near.slice(0, limit);
  const skills = await findSkills(
    ctx,
    shown.map(({ id }) => id),
  );
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  const found = shown.flatMap(({ id, score }): FoundSkill[] => {
    const skill = byId.get(id);
    return skill === undefined ? [] : [{ skill, similarity: score }];
  });
  return { found, total: near.length };
}
