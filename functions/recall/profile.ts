import { beginErasure } from "../../shared/erasure/begin.ts";
import type { Context } from "../../shared/platform/context.ts";
import { observedOf, placeVisible } from "../../shared/profiles/known-facts.ts";
import { profileOf } from "../../shared/profiles/profile.ts";

/** Facts that a profile is made of. */
const MAX_OBSERVED = 10_000;

/**
 * `GET /profiles/{user_id}`: what is known of a user by their own words, as far as the caller may see it. It is computed from
 * the user's facts at each request, so that it is never behind them and differs by who asks.
 */
export async function readProfile(ctx: Context, user_id: string) {
  const known = await placeVisible(ctx, await observedOf(ctx, user_id, MAX_OBSERVED));
  return { user_id, ...profileOf(known, ctx.clock()) };
}

/** `DELETE /profiles/{user_id}?erase=true`: workers erase all that is stored of a user; also of one that the service never heard of. */
export async function eraseProfile(ctx: Context, user_id: string) {
  const { id: job_id } = await beginErasure(ctx, user_id);
  return { user_id, job_id, status: "erasing" as const };
}
