import { stated } from "../../shared/domain/agents/skills/confidence.ts";
import { type BundledFile, insertFiles } from "../../shared/domain/agents/skills/folders/records.ts";
import { insertSkill, SKILLS, skillIdOf } from "../../shared/domain/agents/skills/records.ts";
import { insertReview, type Review, type ReviewReason } from "../../shared/domain/agents/skills/review-records.ts";
import type { Bundle, Skill } from "../../shared/domain/agents/skills/skill.ts";
import { ownerOf, storeOwned } from "../../shared/domain/identity/owned-counts.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { type Context, newResource } from "../../shared/runtime/context.ts";

/** The definition of a skill. */
export type Definition = Pick<
  Skill,
  "name" | "trigger" | "action" | "domain" | "confidence" | "tags" | "examples" | "metadata"
>;

/** The origin of a version. */
export interface Origin {
  reason: ReviewReason;
  source_skills?: string[];
  /** Files besides the instructions. */
  files?: BundledFile[];
}

/** Stores a new skill together with the review of its first version. Throws SKILL_NAME_EXISTS, LIMIT_REACHED. */
export async function storeSkill(ctx: Context, definition: Definition, origin: Origin): Promise<Skill> {
  const { files = [] } = origin;
  const review_id = ctx.ids("review");
  const skill: Skill = {
    ...definition,
    ...stated(definition.confidence),
    ...newResource(ctx, "skill"),
    usage_count: 0,
    verified: false,
    human_reviewed: false,
    review_id,
    ...(origin.reason === "extracted" && { awaits_review: true as const }),
    bundle: bundleOf(files, 1),
  };
  const review = reviewOf(ctx, skill, review_id, origin);
  const writes = [...insertSkill(skill), insertReview(review), ...insertFiles(skill, files)];
  await storeOwned(ctx, SKILLS, ownerOf(ctx), writes, ({ existing }) => nameTaken(skill.name, skillIdOf(existing)));
  return skill;
}

/** The bundle of a version that imports these files. */
export function bundleOf(files: BundledFile[], version: number): Bundle | undefined {
  return files.length === 0 ? undefined : { version, paths: files.map(({ path }) => path) };
}

/** The pending review of a version; `id` is the review's id. */
export function reviewOf(ctx: Context, version: Skill, id: string, { reason, source_skills }: Origin): Review {
  const { org, id: skill_id, version: skill_version, name, trigger, action, domain, confidence } = version;
  return {
    id,
    org,
    skill_id,
    skill_version,
    reason,
    skill: { name, trigger, action, domain, confidence },
    source_skills,
    status: "pending",
    created_at: timestamp(ctx.clock()),
    created_by: ctx.principal.id,
  };
}

export function nameTaken(name: string, holder: string | undefined): ServiceError {
  return new ServiceError("SKILL_NAME_EXISTS", `A skill named '${name}' already exists. Choose another name.`, {
    name,
    skill_id: holder,
  });
}
