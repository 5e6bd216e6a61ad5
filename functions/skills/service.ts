import { confidenceOf, stated } from "../../shared/domain/agents/skills/confidence.ts";
import { recordUse } from "../../shared/domain/agents/skills/executions.ts";
import { findByTrigger } from "../../shared/domain/agents/skills/finding.ts";
import { insertFiles } from "../../shared/domain/agents/skills/folders/records.ts";
import {
  findSkill,
  isRenamed,
  listSkills as readSkills,
  removeSkill,
  replaceSkill,
  SKILL_SORTS,
  skillIdOf,
} from "../../shared/domain/agents/skills/records.ts";
import { closeReview, insertReview } from "../../shared/domain/agents/skills/review-records.ts";
import { type Bundle, isRetired, isUnapproved, type Skill } from "../../shared/domain/agents/skills/skill.ts";
import { getVersion, listVersions as readVersions } from "../../shared/domain/agents/skills/versions.ts";
import { evidenceOf, presentSkill } from "../../shared/domain/agents/skills/wire.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { existing, invalid, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination, parseSort } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { updateWithRetry, writeOrThrow } from "../../shared/ports/conflicts.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { bundleOf, nameTaken, type Origin, reviewOf, storeSkill } from "./store.ts";

/** Throws SKILL_NOT_FOUND for an id that is missing or of another organization. */
export async function getSkill(ctx: Context, id: string): Promise<Skill> {
  return existing(await findSkill(ctx, id), "skill", id);
}

/** Throws CONFLICT for a retired skill. */
export function refuseRetired(skill: Skill): void {
  if (!isRetired(skill)) return;
  const { id: skill_id, version, superseded_by } = skill;
  const reason = isUnapproved(skill)
    ? "It was extracted from a text, and nobody has approved its review. Approve the review"
    : `${superseded_by === undefined ? "A reviewer rejected this version" : `'${superseded_by}' replaces it`}. Change the skill`;
  const message = `The skill cannot be executed. ${reason}, or use another one.`;
  throw new ServiceError("CONFLICT", message, { skill_id, version, superseded_by });
}

export async function createSkill(ctx: Context, definition: Input<typeof schemas.CreateSkill>) {
  return presentSkill(await storeSkill(ctx, definition, { reason: "created" }));
}

export async function readSkill(ctx: Context, id: string) {
  return presentSkill(await getSkill(ctx, id));
}

export async function listSkills(ctx: Context, { limit, offset, sort, ...filter }: Input<typeof schemas.ListSkills>) {
  const page = { limit, offset };
  const { items: skills, total, hasNext } = await readSkills(ctx, filter, parseSort(sort, SKILL_SORTS), page);
  return { skills, pagination: pagination(page, total, hasNext) };
}

type SkillUpdate = Input<typeof schemas.UpdateSkill>;

/** Reads a skill and writes a change that depends on it, retried after a conflict. */
function withSkill<T>(ctx: Context, id: string, ifMatch: number | undefined, act: (skill: Skill) => Promise<T>) {
  return updateWithRetry({ resource: "skill", id, find: () => findSkill(ctx, id), ifMatch }, act);
}

/** Stores a new version with the given fields; others are kept. */
export async function updateSkill(ctx: Context, id: string, change: SkillUpdate, ifMatch?: number) {
  await requireOtherSkill(ctx, id, change.superseded_by);
  return withSkill(ctx, id, ifMatch, (before) => replace(ctx, before, change));
}

async function requireOtherSkill(ctx: Context, id: string, successor: string | null | undefined): Promise<void> {
  if (successor === null || successor === undefined) return;
  const exists = successor !== id && (await findSkill(ctx, successor)) !== undefined;
  if (!exists) throw invalid({ field: "superseded_by", problem: "must be the id of another skill" });
}

/** Creates a new version with the definition and stated confidence of an old one. */
export async function restoreSkill(ctx: Context, id: string, { version }: { version: number }, ifMatch?: number) {
  return withSkill(ctx, id, ifMatch, async (before) => {
    const old = await getVersion(ctx, before, version);
    const { name, trigger, action, domain, tags, examples, metadata, stated_confidence: confidence } = old;
    const restored = { name, trigger, action, domain, tags, examples, metadata, confidence };
    return replace(ctx, before, restored, { reason: "updated", bundle: old.bundle });
  });
}

/** Stores an imported version with its files, which replace the existing ones. */
export function replaceDefinition(ctx: Context, id: string, change: SkillUpdate, origin: Origin) {
  return withSkill(ctx, id, undefined, (before) => replace(ctx, before, change, origin));
}

/**
 * Stores a new, unused and unreviewed version: it starts with the stated confidence and no outcomes. The old version is
 * kept with its evidence; its pending review is superseded.
 */
async function replace(
  ctx: Context,
  before: Skill,
  change: SkillUpdate,
  { reason, files, bundle = before.bundle }: Origin & { bundle?: Bundle | undefined } = { reason: "updated" },
) {
  const { confidence = before.stated_confidence, superseded_by = before.superseded_by, ...definition } = change;
  const review_id = ctx.ids("review");
  const after: Skill = {
    ...before,
    ...definition,
    ...stated(confidence),
    superseded_by: superseded_by ?? undefined,
    verified: false,
    human_reviewed: false,
    review_id,
    version: before.version + 1,
    bundle: files === undefined ? bundle : bundleOf(files, before.version + 1),
    updated_at: timestamp(ctx.clock()),
  };
  const writes = [
    ...replaceSkill(before, after),
    insertReview(reviewOf(ctx, after, review_id, { reason })),
    ...insertFiles(after, files ?? []),
    ...closeReviewOf(before, "superseded"),
  ];
  await writeOrThrow(ctx, writes, (conflict) => {
    const holder = conflict.index === 0 && isRenamed(before, after) ? skillIdOf(conflict.existing) : undefined;
    return holder === undefined || holder === before.id ? conflict : nameTaken(after.name, holder);
  });
  return presentSkill(after);
}

/** The versions of a skill with their evidence, oldest first. */
export async function listVersions(ctx: Context, id: string, page: Input<typeof schemas.ListPage>) {
  const skill = await getSkill(ctx, id);
  const { items, total, hasNext } = await readVersions(ctx, skill, page);
  return {
    skill_id: id,
    versions: items.map((version) => ({
      ...version,
      confidence: confidenceOf(version),
      evidence: evidenceOf(version),
      created_at: version.updated_at,
    })),
    pagination: pagination(page, total, hasNext),
  };
}

function closeReviewOf({ org, review_id }: Skill, status: "superseded" | "withdrawn") {
  return review_id === undefined ? [] : [closeReview(org, review_id, status)];
}

/**
 * Deletes a skill, frees its name and withdraws its review; its executions and search document are deleted afterwards.
 */
export async function deleteSkill(ctx: Context, id: string, ifMatch?: number) {
  return withSkill(ctx, id, ifMatch, async (skill) => {
    await ctx.ports.records.write(...removeSkill(skill), ...closeReviewOf(skill, "withdrawn"));
    return { id, deleted_at: timestamp(ctx.clock()) };
  });
}

/** Counts a reported use, of the current version by default. */
export async function useSkill(ctx: Context, id: string, { version, ...use }: Input<typeof schemas.UseSkill>) {
  const skill = await getSkill(ctx, id);
  const used = await recordUse(ctx, { id, version: version ?? skill.version }, { ...use, via: "use" });
  const { usage_count, confidence } = used.skill;
  return {
    skill_id: id,
    usage_count,
    total_usage: usage_count,
    confidence,
    last_used: used.skill.last_used ?? used.execution.created_at,
  };
}

/** The skills for a situation, the nearest trigger first. */
export async function searchSkills(ctx: Context, query: Input<typeof schemas.SearchSkills>) {
  const { found, total } = await findByTrigger(ctx, query);
  return {
    query: query.trigger,
    results: found.map(({ skill, similarity }, index) => ({
      ...skill,
      similarity_score: similarity,
      rank: index + 1,
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
