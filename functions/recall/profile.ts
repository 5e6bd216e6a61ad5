import { findEntity } from "../../shared/domain/memory/entities.ts";
import { beginErasure } from "../../shared/domain/operations/erasure/begin.ts";
import { describePattern } from "../../shared/domain/patterns/describe.ts";
import { listPatterns } from "../../shared/domain/patterns/read-patterns.ts";
import type { Pattern } from "../../shared/domain/patterns/records.ts";
import { placeStated } from "../../shared/domain/retrieval/profiles/known-facts.ts";
import { type Profile, profileOf } from "../../shared/domain/retrieval/profiles/profile.ts";
import { profileFacts, withinProfileTime } from "../../shared/domain/retrieval/profiles/profile-facts.ts";
import { confineTo } from "../../shared/domain/retrieval/recall/scope.ts";
import { DERIVED_HEADING } from "../../shared/language/statements/recalled.ts";
import type { SearchFilters } from "../../shared/ports/search-index.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type { ProfileType } from "./schemas.ts";

/** Maximum number of latest memories for the profile of an agent or an entity. */
const MAX_MEMORIES = 200;
/** Maximum patterns of a user's profile. */
const MAX_PATTERNS = 10;

/**
 * `GET /profiles/{user_id}`: the profile of a user, an agent or an entity, as far as the caller may see it. Computed
 * from facts for each request, so that it is current and respects the caller's rights.
 */
export async function readProfile(ctx: Context, id: string, type: ProfileType) {
  const user = type === "user" ? { user_id: id } : {};
  return { ...user, type, id, ...(await READERS[type](ctx, id)) };
}

const READERS: Record<ProfileType, (ctx: Context, id: string) => Promise<Profile>> = {
  async user(ctx, id) {
    const [known, patterns] = await Promise.all([profileFacts(ctx, id), listPatterns(ctx, id, "active")]);
    return withPatterns(profileOf(known, ctx.clock()), patterns.slice(0, MAX_PATTERNS));
  },
  async agent(ctx, id) {
    const { ctx: reader, filters } = confineTo(ctx, { agent_id: id });
    const known = await withinProfileTime(reader, (each) => knownFromLatest(each, filters));
    return profileOf(known, ctx.clock(), { isOfMany: true });
  },
  async entity(ctx, id) {
    const [entity, known] = await withinProfileTime(ctx, (reader) =>
      Promise.all([findEntity(reader, id), knownFromLatest(reader, { entity_ids: [id] })]),
    );
    // An unknown id is taken as an entity's name.
    return profileOf(known, ctx.clock(), { entity: entity?.name ?? id });
  },
};

/** Adds a user's patterns to the profile, apart from its sections: nobody said them. */
function withPatterns(profile: Profile, patterns: Pattern[]) {
  const derived = patterns.map((pattern) => {
    return { pattern_id: pattern.id, text: describePattern(pattern), confidence: pattern.confidence };
  });
  if (derived.length === 0) return { ...profile, derived };
  const lines = [DERIVED_HEADING, ...derived.map(({ text }) => `- ${text}`)].join("\n");
  return { ...profile, text: profile.text === "" ? lines : `${profile.text}\n\n${lines}`, derived };
}

/** The facts of the latest memories that match the filters. Two round trips. */
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

/** `DELETE /profiles/{user_id}?erase=true`: erases all data of a user in the background, even of an unknown one. */
export async function eraseProfile(ctx: Context, user_id: string) {
  const { id: job_id } = await beginErasure(ctx, user_id);
  return { user_id, job_id, status: "erasing" as const };
}
