import type { MemoryScope } from "../../runtime/context.ts";

/** Type or category of preference memories. */
const PREFERENCE = ["preference"];

export interface RememberedPreference {
  id: string;
  content: string;
}

/**
 * Returns a user's memories of type or category `preference` that the viewer may see, newest first, at most `max`. They
 * are from the index, so that the cost does not grow with the user's memories.
 */
export async function findPreferences(ctx: MemoryScope, user: string, max: number): Promise<RememberedPreference[]> {
  const { documents } = await ctx.ports.search.browse({
    org: ctx.org,
    now: ctx.clock(),
    filters: {
      user_id: [user],
      where: { any: ["type", "category"].map((path) => ({ path, equals: PREFERENCE })) },
    },
    order: "created_at",
    descending: true,
    offset: 0,
    limit: max,
  });
  return documents.map(({ id, content }) => ({ id, content }));
}
