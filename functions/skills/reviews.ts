import { findSkill, judgeSkill, settleUses } from "../../shared/domain/agents/skills/records.ts";
import {
  closeReview,
  findReview,
  type Review,
  listReviews as readReviews,
} from "../../shared/domain/agents/skills/review-records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { existing, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { writeOrThrow } from "../../shared/ports/conflicts.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** Throws REVIEW_NOT_FOUND for an id that is missing or of another organization. */
async function getReview(ctx: Context, id: string): Promise<Review> {
  return existing(await findReview(ctx, id), "review", id);
}

function present(review: Review) {
  const { approved = null, notes = null, reviewed_by = null, reviewed_at = null } = review;
  return { ...review, approved, notes, reviewed_by, reviewed_at };
}

export async function readReview(ctx: Context, id: string) {
  return present(await getReview(ctx, id));
}

export async function listReviews(ctx: Context, { limit, offset, ...filter }: Input<typeof schemas.ListReviews>) {
  const page = { limit, offset };
  const { items, total, hasNext } = await readReviews(ctx, filter, page);
  return { reviews: items.map(present), pagination: pagination(page, total, hasNext) };
}

/**
 * Stores a decision on a review together with the skill's state; it is evidence of that version. Throws CONFLICT if the
 * review is no longer pending, because somebody else decided or there is a newer version.
 */
export async function decideReview(ctx: Context, id: string, { approved, notes }: Input<typeof schemas.DecideReview>) {
  const review = await getReview(ctx, id);
  const skill = await findSkill(ctx, review.skill_id);
  const isCurrent = review.status === "pending" && skill?.version === review.skill_version;
  if (!isCurrent) throw closed(review);
  const decision = { approved, notes, reviewed_by: ctx.principal.id, reviewed_at: timestamp(ctx.clock()) };
  const status = approved ? "approved" : "rejected";
  const writes = [closeReview(ctx.org, id, status, decision), ...judgeSkill(skill, approved)];
  await writeOrThrow(ctx, writes, async () => closed(await getReview(ctx, id)));
  const judged = await findSkill(ctx, skill.id);
  if (judged) await settleUses(ctx.ports.records, judged);
  return present({ ...review, ...decision, status });
}

const WHY_CLOSED: Record<Review["status"], string> = {
  pending: "The skill is being changed. Read it again; its new version has its own review.",
  approved: "This version is already approved.",
  rejected: "This version is already rejected.",
  superseded: "There is a newer version of the skill. Decide on its review.",
  withdrawn: "The skill was deleted.",
};

function closed({ id, status, skill_id }: Review): ServiceError {
  return new ServiceError("CONFLICT", WHY_CLOSED[status], { review_id: id, status, skill_id });
}
