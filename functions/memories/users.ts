import { conditionOf, listSubjects, type Subject } from "../../shared/domain/integration/compat/subjects.ts";
import { countFacts } from "../../shared/domain/memory/list-facts.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import { inParallel } from "../../shared/kernel/parallel.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** Users counted concurrently. */
const CONCURRENCY = 8;
/** Facts of a user are counted up to this number. */
const MAX_FACTS = 1000;

/** One page of the users that memories are stored under, by id. */
export async function listUsers(ctx: Context, { q, limit, offset }: Input<typeof schemas.ListMemoryUsers>) {
  const page = { limit, offset };
  const { items, total, hasNext } = await listSubjects(ctx.ports.records, ctx.org, page, { type: "user", name: q });
  const users = await inParallel(items, CONCURRENCY, (user) => describe(ctx, user));
  return { users, pagination: pagination(page, total, hasNext) };
}

async function describe(ctx: Context, user: Subject) {
  const filters = { where: conditionOf(user) };
  const search = { org: ctx.org, now: ctx.clock(), filters, offset: 0, limit: 1, descending: true };
  const [newest, facts] = await Promise.all([
    ctx.ports.search.browse(search),
    countFacts(ctx, { user_id: user.name }, MAX_FACTS),
  ]);
  const last_seen = newest.documents[0]?.created_at;
  return { id: user.name, memories: newest.total, facts, ...(last_seen !== undefined && { last_seen }) };
}
