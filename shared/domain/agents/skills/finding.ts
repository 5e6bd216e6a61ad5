import { Query } from "../../../language/questions/query.ts";
import { skillsPartition } from "../../../ports/partitions.ts";
import type { HasPorts } from "../../../runtime/context.ts";
import { embedderOf } from "../../retrieval/ranking/confidence.ts";
import type { Candidate } from "../../retrieval/ranking/features.ts";
import { toCandidates } from "../../retrieval/ranking/rank.ts";
import { type Finder, findHits } from "../../retrieval/retrieve.ts";
import { lowerBound } from "./confidence.ts";
import { fitOf } from "./fit.ts";
import { isOfCurrentVersion } from "./indexing.ts";
import { findSkills } from "./records.ts";
import { isRetired, type Skill } from "./skill.ts";

/** A found skill with its fit, 0..1. */
export interface FoundSkill {
  skill: Skill;
  similarity: number;
}

/** Default minimum fit of results; fit.json is calibrated to it. */
export const DEFAULT_THRESHOLD = 0.7;

/** Maximum number of skills to read, which is more than ever fit. */
const MAX_READ = 50;

export interface SkillQuery {
  /** The situation in words. */
  trigger: string;
  domain?: string;
  /** Minimum fit. */
  threshold: number;
  limit: number;
}

/**
 * The skills that fit a situation, with their number, ranked by fit times the lower bound of confidence, so that a
 * proven skill comes first among equals. Excludes rejected, superseded and unapproved extracted skills, and texts of earlier versions.
 */
export async function findByTrigger(
  ctx: Finder & HasPorts,
  { trigger, domain, threshold, limit }: SkillQuery,
): Promise<{ found: FoundSkill[]; total: number }> {
  const candidates = await findCandidates(ctx, { trigger, domain, depth: limit });
  const near = candidates.filter(({ fit }) => fit >= threshold).slice(0, Math.max(MAX_READ, limit));
  const ids = near.map(({ id }) => id);
  const skills = new Map((await findSkills(ctx, ids)).map((skill) => [skill.id, skill]));
  const found = near
    .flatMap(({ id, fit, document }) => {
      const skill = skills.get(id);
      if (skill === undefined || isRetired(skill) || !isOfCurrentVersion(document, skill)) return [];
      return [{ skill, similarity: fit, rank: fit * lowerBound(skill) }];
    })
    .sort((a, b) => b.rank - a.rank);
  return { found: found.slice(0, limit).map(({ skill, similarity }) => ({ skill, similarity })), total: found.length };
}

/** The nearest skills of the index with their fit, best first. */
export async function findCandidates(
  ctx: Finder,
  { trigger, domain, depth }: { trigger: string; domain: string | undefined; depth: number },
): Promise<(Candidate & { fit: number })[]> {
  const { answer } = await findHits(
    { ...ctx, org: skillsPartition(ctx.org) },
    {
      query: new Query(trigger),
      filters: domain === undefined ? undefined : { category: [domain] },
      depth,
      hasTime: false,
    },
  );
  const embedder = embedderOf(answer, ctx.ports.embedder);
  return toCandidates(ctx.ports.embedder, answer)
    .map((candidate) => ({ ...candidate, fit: fitOf(embedder, candidate) }))
    .sort((a, b) => b.fit - a.fit);
}
