import type * as z from "zod";
import type { PageRequest } from "../../../shared/kernel/pagination.ts";
import { isCountCut, listMemories as readMemories } from "../../../shared/memory/records.ts";
import type { Context } from "../../../shared/platform/context.ts";
import type { SearchFilters } from "../../../shared/platform/ports.ts";
import { pageLinks, toPageRequest } from "../pages.ts";
import { project, readNarrowing } from "./narrowing.ts";
import { type Told, toCompatMemory } from "./present.ts";
import { type CompatList, type CompatListed, type CompatPage, DEFAULTS } from "./schemas.ts";

const NEWEST_FIRST = { field: "created_at", descending: true } as const;

/** Memories that are looked through for words. */
const MOST_BY_WORDS = 1000;

interface Listing {
  memories: Told[];
  total: number;
}

/**
 * A page of the memories that pass the filters, newest first. One user's are read from their records;
 * what other filters leave, and what expired, from the search index.
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
      ? await readRecords(ctx, user, page)
      : await browse(ctx, filters, given.show_expired === true, page);
  return {
    ...pageLinks(ctx, path, numbered, total),
    results: memories.map((memory) => project(toCompatMemory(memory), given.fields)),
  };
}

async function readRecords(ctx: Context, user_id: string, page: PageRequest): Promise<Listing> {
  const { memories, total } = await readMemories(ctx, { user_id }, NEWEST_FIRST, page);
  if (!isCountCut(total)) return { memories, total };
  const filters = { user_id: [user_id] };
  return { memories, total: await ctx.ports.search.count({ org: ctx.org, filters, now: ctx.clock() }) };
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
    .sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1));
  return { memories: memories.slice(offset, offset + limit), total: memories.length };
}

const orderOf = ({ created_at, id }: Told): string => `${created_at}#${id}`;

async function browse(ctx: Context, filters: SearchFilters, withExpired: boolean, page: PageRequest): Promise<Listing> {
  const expired = withExpired ? { expired: "shown" as const } : {};
  const request = { org: ctx.org, filters, now: ctx.clock(), descending: true, ...expired, ...page };
  const { documents, total } = await ctx.ports.search.browse(request);
  return { memories: documents, total };
}
