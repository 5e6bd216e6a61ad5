import type { OrgHome } from "../platform/context.ts";
import { skillsPartition } from "../retrieval/partitions.ts";
import { embedderOf } from "../retrieval/ranking/confidence.ts";
import type { Candidate } from "../retrieval/ranking/features.ts";
import { toCandidates } from "../retrieval/ranking/rank.ts";
import { type Finder, findHits } from "../retrieval/retrieve.ts";
import { lowerBound } from "./confidence.ts";
import { fitOf } from "./fit.ts";
import { isOfCurrentVersion } from "./indexing.ts";
import { findSkills } from "./records.ts";
import { isRetired, type Skill } from "./skill.ts";

/** A skill that was found, and how well it fits what comes up, 0..1. */
export interface FoundSkill {
  skill: Skill;
  similarity: number;
}

/** Least fit of what counts as found, unless a request says otherwise: fit.json is calibrated to it. */
export const USUAL_THRESHOLD = 0.7;

/** Best candidates that are read; more than ever fit by themselves. */
const MAX_READ = 50;

export interface SkillQuery {
  /** What comes up, in words. */
  trigger: string;
  domain?: string;
  /** Least fit. */
  threshold: number;
  limit: number;
}

/**
 * The skills that fit what comes up, and how many they are. They rank by their fit times the lower bound of their confidence,
 * so a proven one comes before one that fits as well. What is rejected or superseded is not among them, nor what an earlier
 * version of a skill said.
 */
export async function findByTrigger(
  ctx: Finder & Pick<OrgHome, "ports">,
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
    .sort((one, other) => other.rank - one.rank);
  return { found: found.slice(0, limit).map(({ skill, similarity }) => ({ skill, similarity })), total: found.length };
}

/** What the index holds that is near, and how well each fits, best first. */
export async function findCandidates(
  ctx: Finder,
  { trigger, domain, depth }: { trigger: string; domain: string | undefined; depth: number },
): Promise<(Candidate & { fit: number })[]> {
  const { answer } = await findHits(
    { ...ctx, org: skillsPartition(ctx.org) },
    { query: trigger, filters: domain === undefined ? undefined : { category: [domain] }, depth },
  );
  const embedder = embedderOf(answer, ctx.ports.embedder);
  return toCandidates(ctx.ports.embedder, answer)
    .map((candidate) => ({ ...candidate, fit: fitOf(embedder, candidate) }))
    .sort((one, other) => other.fit - one.fit);
}
