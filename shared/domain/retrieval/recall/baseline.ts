import { createHash } from "node:crypto";
import { MAX_OFFSET } from "../../../kernel/pagination.ts";
import type { SearchHit, SearchIndex } from "../../../ports/search-index.ts";
import { individualScores } from "../ranking/rank.ts";
import type { Finder, Hits } from "../retrieve.ts";

/** The sample: so many pages of the list, and so many memories of each. */
const PAGES = 4;
const PER_PAGE = 5;
const SAMPLE = PAGES * PER_PAGE;

/** What a measure of relevance is for random memories. */
interface Spread {
  median: number;
  highest: number;
}

/** What random memories get for a question, so that a reader can tell whether a line's score means anything. */
export interface Baseline {
  memories: number;
  score: Spread;
  meaning: Spread;
}

interface BaselineRequest {
  found: Hits;
  /** The moment that the question is ranked for, in epoch milliseconds. */
  now: number;
  /** Memories that are not random, because they are lines of the block. */
  without: ReadonlySet<string>;
  meaningOf: (hit: SearchHit) => number;
}

/**
 * Scores random memories of those that were searched, the same ones for the same question. Three round trips, which read
 * at most a page: the number of memories, some of them at random offsets, and how they fit the question.
 */
export async function baselineOf(
  { ports }: Pick<Finder, "ports">,
  { found, now, without, meaningOf }: BaselineRequest,
): Promise<Baseline | undefined> {
  const sample = (await idsAtRandom(ports.search, found)).filter((id) => !without.has(id));
  if (sample.length === 0) return undefined;
  const { query, asked, answer } = found;
  const among = await found.findAmong(sample);
  const merged = {
    ...answer,
    semantic: [...answer.semantic, ...unlisted(among.semantic, answer.semantic)],
    keyword: [...answer.keyword, ...unlisted(among.keyword, answer.keyword)],
  };
  const scores = individualScores(ports.embedder, { query, answer: merged, now, asked });
  const meanings = new Map(among.semantic.map((hit) => [hit.id, meaningOf(hit)]));
  return {
    memories: sample.length,
    score: spreadOf(sample.map((id) => scores.get(id) ?? 0)),
    meaning: spreadOf(sample.map((id) => meanings.get(id) ?? 0)),
  };
}

function unlisted(hits: SearchHit[], listed: SearchHit[]): SearchHit[] {
  const ids = new Set(listed.map(({ id }) => id));
  return hits.filter(({ id }) => !ids.has(id));
}

/** Ids of memories at random offsets of the list, by a digest of the question. */
async function idsAtRandom(search: Pick<SearchIndex, "count" | "browse">, { scope, query }: Hits): Promise<string[]> {
  const read = async (offset: number, limit: number) => {
    const { documents } = await search.browse({ ...scope, descending: true, offset, limit });
    return documents.map(({ id }) => id);
  };
  const listed = Math.min(await search.count(scope), MAX_OFFSET);
  if (listed <= SAMPLE) return read(0, SAMPLE);
  const digest = createHash("sha256").update(query.text).digest();
  const offsets = Array.from({ length: PAGES }, (_, index) => digest.readUInt32BE(4 * index) % (listed - PER_PAGE));
  const pages = await Promise.all(offsets.map((offset) => read(offset, PER_PAGE)));
  return [...new Set(pages.flat())];
}

function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, highest: sorted.at(-1) ?? 0 };
}
