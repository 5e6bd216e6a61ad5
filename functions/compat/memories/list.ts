import type * as z from "zod";
import { occurredMs } from "../../../shared/kernel/event-time.ts";
import type { PageRequest } from "../../../shared/kernel/pagination.ts";
import { listMemories as readMemories } from "../../../shared/memory/records.ts";
import type { Context } from "../../../shared/platform/context.ts";
import type { SearchFilters } from "../../../shared/platform/ports.ts";
import { pageLinks, toPageRequest } from "../pages.ts";
import { project, readNarrowing } from "./narrowing.ts";
import { type Told, toCompatMemory } from "./present.ts";
import { type CompatList, type CompatListed, type CompatPage, DEFAULTS } from "./schemas.ts";

const NEWEST_FIRST = { field: "created_at", descending: true } as const;

/** Memories of one user that are put in order here: no index of the records is by event time. */
const MAX_SORTED = 200;
/** Memories that are looked through for words. */
const MOST_BY_WORDS = 1000;

interface Listing {
  memories: Told[];
  total: number;
}

/**
 * A page of the memories that pass the filters, the latest event first: clients show it as their creation. Those of a user
 * who has few are read from their records, and so show what was just stored; all others from the search index.
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
  const isRecorded = where === undefined && user !== undefined && users.length === 1 && !given.show_expired;
  const { memories, total } = given.keywords
    ? await findByWords(ctx, given.keywords, filters, given.show_expired === true, page)
    : isRecorded
      ? await listOfUser(ctx, user, page)
      : await browse(ctx, filters, given.show_expired === true, page);
  return {
    ...pageLinks(ctx, path, numbered, total),
    results: memories.map((memory) => project(toCompatMemory(memory), given.fields)),
  };
}

async function listOfUser(ctx: Context, user_id: string, page: PageRequest): Promise<Listing> {
  const { memories, hasNext } = await readMemories(ctx, { user_id }, NEWEST_FIRST, { limit: MAX_SORTED, offset: 0 });
  if (hasNext) return browse(ctx, { user_id: [user_id] }, false, page);
  const { limit, offset } = page;
  return { memories: memories.toSorted(latestFirst).slice(offset, offset + limit), total: memories.length };
}

/** Those with all the words, among the ones that have most of them. */
async function findByWords(
  ctx: Context,
  text: string,
  filters: SearchFilters,
  withExpired: boolean,
  { limit, offset }: PageRequest,
): Promise<Listing> {
  const expired = withExpired ? { expired: "shown" as const } : {};
  const scope = { org: ctx.org, filters, now: ctx.clock(), ...expired };
  const request = { ...scope, keyword: { text, limit: MOST_BY_WORDS } };
  const { keyword, statistics } = await ctx.ports.search.search(request);
  const wanted = statistics?.terms ?? [];
  const memories = keyword
    .filter(({ terms = [] }) => wanted.every(({ term }) => terms.includes(term)))
    .map(({ document }) => document)
    .sort(latestFirst);
  return { memories: memories.slice(offset, offset + limit), total: memories.length };
}

function latestFirst(one: Told, other: Told): number {
  const orderOf = ({ created_at, id }: Told) => `${created_at}#${id}`;
  return occurredMs(other) - occurredMs(one) || (orderOf(one) < orderOf(other) ? 1 : -1);
}

async function browse(ctx: Context, filters: SearchFilters, withExpired: boolean, page: PageRequest): Promise<Listing> {
  const expired = withExpired ? { expired: "shown" as const } : {};
  const order = { order: "occurred_at" as const, descending: true };
  const request = { org: ctx.org, filters, now: ctx.clock(), ...order, ...expired, ...page };
  const { documents, total } = await ctx.ports.search.browse(request);
  return { memories: documents, total };
}
