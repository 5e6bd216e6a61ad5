import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../kernel/clock.ts";
import { SECOND_MS } from "../../kernel/durations.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import { queryPages } from "../../ports/pages.ts";
import type { Write } from "../../ports/record-store.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import type { JobHandler, JobTurn } from "../../runtime/jobs/handler.ts";
import type { Memory } from "../memory/memory.ts";
import { memoriesOfUser } from "../memory/memory-keys.ts";
import { isReadable, toMemories } from "../memory/records.ts";
import { isByUser } from "../memory/writer.ts";
import { FIND_PATTERNS_JOB } from "./job-kinds.ts";
import { patternsOf, type Said } from "./mine.ts";
import type { FoundPattern } from "./pattern.ts";
import {
  type LastReading,
  lastReading,
  MAX_PATTERNS,
  type Pattern,
  patternId,
  putPattern,
  putReading,
  removePattern,
  removeReading,
  storedPatterns,
} from "./records.ts";

export interface FindPatternsInput {
  user_id: string;
  /** ISO instant: what was stored before it is to be read. */
  due_at: string;
  /** A memory was deleted: its words must not stay in patterns. */
  is_urgent?: true;
}

/** Maximum memories of a user that are read, the latest ones, and of a page. */
const MAX_MEMORIES = 2_000;
const PAGE = 100;
/** A user's memories are read at most once in this time for each of them: 2,000 memories once in 100 minutes. */
const INTERVAL_MS_PER_MEMORY = 3 * SECOND_MS;
/** Longer memories are documents rather than messages. */
const MAX_TOKENS = 1_000;

/**
 * Finds the patterns of a user's latest memories and replaces the stored ones. It reads them all each time, so that the
 * result depends only on what is stored: deleted, changed and late memories need no care.
 */
export const findPatterns: JobHandler<"find_patterns"> = {
  job: FIND_PATTERNS_JOB,

  async step(runtime, turn) {
    const { org } = runtime;
    const { user_id, due_at, is_urgent } = turn.job.input;
    const last = await lastReading(runtime, user_id);
    if (last !== undefined && last.read_at >= due_at) return { end: "completed" };
    const waitMs = last === undefined || is_urgent ? 0 : nextReadingAfter(last) - runtime.clock();
    if (waitMs > 0) return { checkpoint: null, delayMs: waitMs };
    const read_at = timestamp(runtime.clock());
    const said = await readSaid(runtime, turn, user_id);
    await storePatterns(runtime, user_id, await patternsOf(said));
    const reading = { read_at, memories: said.length };
    // Nothing names a user without memories.
    return {
      end: "completed",
      writes: [said.length === 0 ? removeReading(org, user_id) : putReading(org, user_id, reading)],
    };
  },
};

function nextReadingAfter({ read_at, memories }: LastReading): number {
  return Date.parse(read_at) + memories * INTERVAL_MS_PER_MEMORY;
}

/** Returns what the user says in the latest memories, oldest first. */
async function readSaid(runtime: OrgRuntime, turn: JobTurn<"find_patterns">, user: string): Promise<Said[]> {
  // Workers act for the organization, regardless of who stored a memory.
  const reader = { ...runtime, viewer: undefined };
  const query = { index: "gsi2" as const, pk: memoriesOfUser(runtime.org, user), limit: PAGE, descending: true };
  const said: Said[] = [];
  let count = 0;
  for await (const items of queryPages(runtime.ports.records, query)) {
    count += items.length;
    const readable = items.filter((record) => isReadable(reader, record) && Number(record.tokens) <= MAX_TOKENS);
    said.push(...(await toMemories(runtime, readable)).filter(isOwn).map(toSaid));
    if (count >= MAX_MEMORIES) break;
    await turn.renew();
  }
  return said.reverse();
}

/** Whether a memory has words of the user; one that will expire leaves nothing behind. */
function isOwn(memory: Memory): boolean {
  return isByUser(memory) && memory.speaker === undefined && memory.expire_at === undefined && !memory.content_missing;
}

function toSaid({ id, content, entities, occurred_at, created_at }: Memory): Said {
  return { memory_id: id, day: (occurred_at ?? created_at).slice(0, "2026-01-31".length), content, names: entities };
}

/** Replaces the stored patterns of a user by those that were found; a declined one stays declined. */
async function storePatterns(runtime: OrgRuntime, user_id: string, found: FoundPattern[]): Promise<void> {
  const { org } = runtime;
  const stored = new Map((await storedPatterns(runtime, user_id)).map((pattern) => [pattern.id, pattern]));
  const now = timestamp(runtime.clock());
  const writes: Write[] = [];
  let room = MAX_PATTERNS - stored.size;
  const gone = new Map(stored);
  for (const { key, ...pattern } of found) {
    const id = patternId(org, user_id, key);
    const before = stored.get(id);
    gone.delete(id);
    if (before === undefined && --room < 0) continue;
    const { declined_at, declined_by, created_at = now, version = 0 } = before ?? {};
    const declined = declined_at !== undefined && { declined_at, declined_by };
    const after = { ...pattern, id, org, user_id, created_at, updated_at: now, ...declined, version: version + 1 };
    if (before === undefined || !isSame(before, after)) writes.push(putPattern(after as Pattern, before));
  }
  for (const pattern of gone.values()) {
    if (pattern.declined_at === undefined) writes.push(removePattern(pattern));
    else if (pattern.label !== "") writes.push(putPattern(withoutWords(pattern), pattern));
  }
  // A decision that somebody made meanwhile stays; the next reading follows it.
  for (const write of writes) await tryWrite(runtime, write);
}

function isSame(one: Pattern, other: object): boolean {
  const { version: _, updated_at: __, ...before } = one;
  const { version: ___, updated_at: ____, ...after } = other as Pattern;
  return isDeepStrictEqual(before, after);
}

/** Returns a declined pattern whose memories are gone: only its id stays, so that it does not come back. */
function withoutWords(pattern: Pattern): Pattern {
  return { ...pattern, label: "", terms: [], evidence: [], earlier: 0, version: pattern.version + 1 };
}
