import type { ViewerHome } from "../platform/context.ts";
import { findClaimant } from "./claims.ts";
import type { Memory } from "./memory.ts";
import { findMemory } from "./records.ts";
import { saysTheSame } from "./sameness.ts";

/** Best ones looked at: among those of all users only some may be of nobody in particular. */
const LOOKED_AT = 20;

type Finder = Pick<ViewerHome, "ports" | "clock" | "org" | "viewer">;

/** The memory of the same user that says what a new one would: the very same content, or a similar one in the same words. */
export async function findDuplicate(
  ctx: Finder,
  draft: Pick<Memory, "user_id" | "content">,
): Promise<Memory | undefined> {
  const claimant = await findClaimant(ctx.ports.records, { ...draft, org: ctx.org, agent_id: ctx.viewer });
  const same = claimant === undefined ? undefined : await findMemory(ctx, claimant);
  return same ?? findSimilar(ctx, draft);
}

/** One search: whatever says the same has the same words. */
async function findSimilar(
  ctx: Finder,
  { user_id, content }: Pick<Memory, "user_id" | "content">,
): Promise<Memory | undefined> {
  const { keyword } = await ctx.ports.search.search({
    org: ctx.org,
    now: ctx.clock(),
    filters: user_id === undefined ? undefined : { user_id: [user_id] },
    keyword: { text: content, limit: LOOKED_AT },
  });
  const same = keyword.find(({ document }) => document.user_id === user_id && saysTheSame(content, document.content));
  return same && findMemory(ctx, same.id);
}
