import { beginErasure } from "../../shared/erasure/begin.ts";
import { findEntity } from "../../shared/memory/entities.ts";
import type { Context } from "../../shared/platform/context.ts";
import type { SearchFilters } from "../../shared/platform/ports.ts";
import { knownOfUser, placeStated } from "../../shared/profiles/known-facts.ts";
import { type Profile, profileOf } from "../../shared/profiles/profile.ts";
import { confineTo } from "../../shared/recall/scope.ts";
import type { ProfileType } from "./schemas.ts";

/** Facts that a user's profile is made of. */
const MAX_OBSERVED = 10_000;
/** The latest memories whose facts another profile is made of. */
const MAX_MEMORIES = 200;

/**
 * `GET /profiles/{user_id}`: what is known of a user, of an entity or to an agent by users' own words, as far as the caller
 * may see it. It is computed from facts at each request, so that it is never behind them and differs by who asks.
 */
export async function readProfile(ctx: Context, id: string, type: ProfileType) {
  const whose = type === "user" ? { user_id: id } : {};
  return { ...whose, type, id, ...(await READERS[type](ctx, id)) };
}

const READERS: Record<ProfileType, (ctx: Context, id: string) => Promise<Profile>> = {
  async user(ctx, id) {
    return profileOf(await knownOfUser(ctx, id, MAX_OBSERVED), ctx.clock());
  },
  async agent(ctx, id) {
    const { ctx: reader, filters } = confineTo(ctx, { agent_id: id });
    return profileOf(await knownFromLatest(reader, filters), ctx.clock(), { isOfMany: true });
  },
  async entity(ctx, id) {
    const [entity, known] = await Promise.all([findEntity(ctx, id), knownFromLatest(ctx, { entity_ids: [id] })]);
    // An id that the caller knows no entity by is the name of none.
    return profileOf(known, ctx.clock(), { entity: entity?.name ?? id });
  },
};

/** What the latest memories state that pass the filters. Two round trips. */
async function knownFromLatest(ctx: Context, filters: SearchFilters) {
  const { documents } = await ctx.ports.search.browse({
    org: ctx.org,
    now: ctx.clock(),
    filters,
    order: "occurred_at",
    descending: true,
    offset: 0,
    limit: MAX_MEMORIES,
  });
  return placeStated(
    ctx,
    documents.map(({ id }) => id),
  );
}

/** `DELETE /profiles/{user_id}?erase=true`: workers erase all that is stored of a user; also of one that the service never heard of. */
export async function eraseProfile(ctx: Context, user_id: string) {
  const { id: job_id } = await beginErasure(ctx, user_id);
  return { user_id, job_id, status: "erasing" as const };
}
