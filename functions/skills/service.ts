import type * as z from "zod";
import { timestamp } from "../../shared/kernel/clock.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { pagination, parseSort } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import { ConditionFailed } from "../../shared/platform/errors.ts";
import { readThenWrite } from "../../shared/platform/read-then-write.ts";
import { stated } from "../../shared/skills/confidence.ts";
import { recordUse } from "../../shared/skills/executions.ts";
import {
  findSkill,
  holderOf,
  isRenamed,
  listSkills as readSkills,
  removeSkill,
  replaceSkill,
  SKILL_SORTS,
} from "../../shared/skills/records.ts";
import { closeReview, insertReview } from "../../shared/skills/review-records.ts";
import type { Skill } from "../../shared/skills/skill.ts";
import { presentSkill } from "../../shared/skills/wire.ts";
import type * as schemas from "./schemas.ts";
import { nameTaken, reviewOf, storeSkill } from "./store.ts";

/** What a verb takes: a request as its schema has it. */
export type Input<Schema extends z.ZodType> = z.output<Schema>;

/** Throws SKILL_NOT_FOUND for an absent and a foreign id alike. */
export async function getSkill(ctx: Context, id: string): Promise<Skill> {
  const skill = await findSkill(ctx, id);
  if (!skill) throw notFound("skill", id);
  return skill;
}

export async function createSkill(ctx: Context, definition: Input<typeof schemas.CreateSkill>) {
  return presentSkill(await storeSkill(ctx, definition, "created"));
}

export async function readSkill(ctx: Context, id: string) {
  return presentSkill(await getSkill(ctx, id));
}

export async function listSkills(ctx: Context, { limit, offset, sort, ...filter }: Input<typeof schemas.ListSkills>) {
  const page = { limit, offset };
  const { skills, total, hasNext } = await readSkills(ctx, filter, parseSort(sort, SKILL_SORTS), page);
  return { skills, pagination: pagination(page, total, hasNext) };
}

/** Reads a skill and writes what depends on it, again from the start when someone else wrote in between. */
function withSkill<T>(ctx: Context, id: string, ifMatch: number | undefined, act: (skill: Skill) => Promise<T>) {
  return readThenWrite({ resource: "skill", id, find: () => findSkill(ctx, id), ifMatch }, act);
}

/** Stores a new version, which nobody has reviewed yet; a review of the old one that is still pending gives way to its own. */
export async function updateSkill(
  ctx: Context,
  id: string,
  { confidence, ...change }: Input<typeof schemas.UpdateSkill>,
  ifMatch?: number,
) {
  return withSkill(ctx, id, ifMatch, async (before) => {
    const review_id = ctx.ids("review");
    const after: Skill = {
      ...before,
      ...change,
      ...(confidence === undefined ? {} : stated(confidence)),
      verified: false,
      human_reviewed: false,
      review_id,
      version: before.version + 1,
      updated_at: timestamp(ctx.clock()),
    };
    try {
      await ctx.ports.records.write(
        ...replaceSkill(before, after, confidence !== undefined),
        insertReview(reviewOf(ctx, after, review_id, "updated")),
        ...closeReviewOf(before, "superseded"),
      );
    } catch (error) {
      const isNameMet = error instanceof ConditionFailed && error.index === 0 && isRenamed(before, after);
      const holder = isNameMet ? holderOf(error.existing) : undefined;
      throw holder === undefined || holder === id ? error : nameTaken(after.name, holder);
    }
    return presentSkill(after);
  });
}

function closeReviewOf({ org, review_id }: Skill, status: "superseded" | "withdrawn") {
  return review_id === undefined ? [] : [closeReview(org, review_id, status)];
}

/** Removes a skill, frees its name and withdraws its review; its executions and its search document follow. */
export async function deleteSkill(ctx: Context, id: string, ifMatch?: number) {
  return withSkill(ctx, id, ifMatch, async (skill) => {
    await ctx.ports.records.write(...removeSkill(skill), ...closeReviewOf(skill, "withdrawn"));
    return { id, deleted_at: timestamp(ctx.clock()) };
  });
}

/** Counts a use that happened elsewhere. */
export async function useSkill(ctx: Context, id: string, use: Input<typeof schemas.UseSkill>) {
  const used = await recordUse(ctx, await getSkill(ctx, id), { ...use, via: "use" });
  const { usage_count, confidence } = used.skill;
  return {
    skill_id: id,
    usage_count,
    total_usage: usage_count,
    confidence,
    last_used: used.skill.last_used ?? used.execution.created_at,
  };
}
