import type * as z from "zod";
import { listMemories as readMemories } from "../../../shared/domain/memory/memory-lists.ts";
import { onlyUserOf, revealerFor } from "../../../shared/domain/memory/reveal-secrets.ts";
import { occurredMs } from "../../../shared/kernel/event-time.ts";
import type { PageRequest } from "../../../shared/kernel/pagination.ts";
import type { SearchScope } from "../../../shared/ports/search-index.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { pageLinks, toPageRequest } from "../common/pages.ts";
import { project, readNarrowing } from "./narrowing.ts";
import { type MemoryView, toCompatMemory } from "./present.ts";
import { type CompatList, type CompatListed, type CompatPage, DEFAULTS } from "./schemas.ts";

const NEWEST_FIRST = { field: "created_at", descending: true } as const;

/** Maximum memories of a user that are sorted here, because no index of the records is ordered by event time. */
const MAX_SORTED = 200;
/** Maximum number of memories searched for words. */
const MAX_BY_WORDS = 1000;

interface Listing {
  memories: MemoryView[];
  total: number;
}

/**
 * A page of the memories that match the filters, by event time, latest first: clients show it as the creation time. For
 * a user with few memories it is read from records, including those just stored; otherwise from the search index.
 */
export async function listMemories(
  ctx: Context,
  query: z.output<typeof CompatPage>,
  given: z.output<typeof CompatList>,
  path = "/v3/memories",
): Promise<z.input<typeof CompatListed>> {
  const numbered = {
    page: query.page ?? given.page ?? DEFAULTS.page,
    page_size: query.page_size ?? given.page_size ?? DEFAULTS.page_size,
  };
  const page = toPageRequest(numbered);
  const filters = readNarrowing(given);
  const { user_id: users = [], where } = filters;
  const [user] = users;
  const readsRecords = where === undefined && user !== undefined && users.length === 1 && !given.show_expired;
  const expired = given.show_expired ? { expired: "shown" as const } : {};
  const scope = { org: ctx.org, filters, now: ctx.clock(), ...expired };
  const { memories, total } = given.keywords
    ? await findByWords(ctx, given.keywords, scope, page)
    : readsRecords
      ? await listOfUser(ctx, user, scope, page)
      : await browse(ctx, scope, page);
  const reveal = await revealerFor(ctx, onlyUserOf(filters), memories);
  return {
    ...pageLinks(ctx, path, numbered, total),
    results: memories.map((memory) => project(toCompatMemory(reveal(memory)), given.fields)),
  };
}

/** The latest memories of the organization, of all users. */
export async function listEverything(ctx: Context, limit: number) {
  const { memories } = await browse(ctx, { org: ctx.org, filters: {}, now: ctx.clock() }, { limit, offset: 0 });
  return memories.map(toCompatMemory);
}

async function listOfUser(ctx: Context, user_id: string, scope: SearchScope, page: PageRequest): Promise<Listing> {
  const { memories, hasNext } = await readMemories(ctx, { user_id }, NEWEST_FIRST, { limit: MAX_SORTED, offset: 0 });
  if (hasNext) return browse(ctx, scope, page);
  const { limit, offset } = page;
  return { memories: memories.toSorted(latestFirst).slice(offset, offset + limit), total: memories.length };
}

/** Returns the memories that contain all the words, among the best hits of a keyword search. */
async function findByWords(
  ctx: Context,
  text: string,
  scope: SearchScope,
  { limit, offset }: PageRequest,
): Promise<Listing> {
  const { keyword, statistics } = await ctx.ports.search.search({ ...scope, keyword: { text, limit: MAX_BY_WORDS } });
  const terms = statistics?.terms ?? [];
  const memories = keyword
    .filter((hit) => terms.every(({ term }) => hit.terms?.includes(term)))
    .map(({ document }) => document)
    .sort(latestFirst);
  return { memories: memories.slice(offset, offset + limit), total: memories.length };
}

function latestFirst(one: MemoryView, other: MemoryView): number {
  const orderOf = ({ created_at, id }: MemoryView) => `${created_at}#${id}`;
  return occurredMs(other) - occurredMs(one) || (orderOf(one) < orderOf(other) ? 1 : -1);
}

async function browse(ctx: Context, scope: SearchScope, page: PageRequest): Promise<Listing> {
  const request = { ...scope, order: "occurred_at" as const, descending: true, ...page };
  const { documents, total } = await ctx.ports.search.browse(request);
  return { memories: documents, total };
}
