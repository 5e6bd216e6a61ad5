import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../kernel/clock.ts";
import { DAY_MS, SECOND_MS } from "../../kernel/durations.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import { queryPages } from "../../ports/pages.ts";
import type { Write } from "../../ports/record-store.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import type { JobHandler, JobTurn } from "../../runtime/jobs/handler.ts";
import type { Memory } from "../memory/memory.ts";
import { memoriesOfUser } from "../memory/memory-keys.ts";
import { isReadable, toMemories } from "../memory/records.ts";
import { loadProcessingSettings } from "../memory/understand.ts";
import { openVerifier, runVerificationTask } from "../memory/verification-task.ts";
import { isByUser } from "../memory/writer.ts";
import { FIND_PATTERNS_JOB } from "./job-kinds.ts";
import { patternsOf } from "./mine.ts";
import { checkedObservations, isSameObservation, isStillShown, shownOf } from "./observations.ts";
import { observingTask } from "./observing-task.ts";
import type { FoundPattern, Said } from "./pattern.ts";
import {
  type LastObserving,
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
/** A model observes a user at most once in this time, and only one with so many memories. */
const OBSERVING_INTERVAL_MS = DAY_MS;
const MIN_OBSERVED = 10;
const MAX_ANSWER_TOKENS = 4_000;

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
    const patterns = await patternsOf(said);
    await storePatterns(runtime, user_id, { found: patterns, said });
    const observed = await observe(runtime, user_id, { said, last: last?.observed });
    const reading = { read_at, memories: said.length, ...(observed && { observed }) };
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

// ---------------------------------------------------------------- observations

interface Observing {
  said: readonly Said[];
  last: LastObserving | undefined;
}

/**
 * Lets the language model, if there is one, observe the user's latest memories, at most once a day; returns the last time
 * it did. Without a usable answer the stored observations stay, and it is asked again a day later.
 */
async function observe(runtime: OrgRuntime, user_id: string, { said, last }: Observing) {
  const now = runtime.clock();
  if (last !== undefined && now < Date.parse(last.at) + OBSERVING_INTERVAL_MS) return last;
  const [{ mode }, model] = await Promise.all([loadProcessingSettings(runtime), openVerifier(runtime)]);
  if (model.isRules || !mode.settings.extraction_enabled) return last;
  const shown = shownOf(said);
  if (shown.length < MIN_OBSERVED) return last;
  const stored = await storedPatterns(runtime, user_id);
  const declined = stored.filter(({ type, declined_at }) => type === "observation" && declined_at !== undefined);
  const question = { shown, declined: declined.flatMap(({ label }) => label || []) };
  const answer = await runVerificationTask(runtime, observingTask, question, { maxTokens: MAX_ANSWER_TOKENS });
  const checked = answer.fallback ? [] : checkedObservations(answer.value, shown);
  const kept = checked.filter((found) => !declined.some((before) => isSameObservation(found, before)));
  if (!answer.fallback) await storePatterns(runtime, user_id, { found: kept, said, isObserved: true });
  return {
    at: timestamp(now),
    memories: shown.length,
    ...{ provider: answer.provider, model: answer.model },
    ...{ kept: kept.length, dropped: answer.value.observations.length - kept.length },
    ...{ input_tokens: answer.usage.inputTokens, output_tokens: answer.usage.outputTokens },
    cost_usd: answer.cost_usd,
    ...(answer.failure !== undefined && { failure: answer.failure }),
  };
}

// ---------------------------------------------------------------- storage

interface Finding {
  found: FoundPattern[];
  said: readonly Said[];
  /** Whether these are a model's observations rather than counts. */
  isObserved?: boolean;
}

/**
 * Replaces the stored counts or observations of a user by those that were found; a declined one stays declined. Counts
 * leave the observations that still rest on the user's words.
 */
async function storePatterns(runtime: OrgRuntime, user_id: string, finding: Finding): Promise<void> {
  const { org } = runtime;
  const stored = new Map((await storedPatterns(runtime, user_id)).map((pattern) => [pattern.id, pattern]));
  const now = timestamp(runtime.clock());
  const writes: Write[] = [];
  let room = MAX_PATTERNS - stored.size;
  const gone = new Map([...stored].filter(([, pattern]) => isReplaced(pattern, finding)));
  for (const { key, ...pattern } of finding.found) {
    const same = [...gone.values()].find(
      (before) => pattern.type === "observation" && isSameObservation(before, pattern),
    );
    const id = same?.id ?? patternId(org, user_id, key);
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
    else if (pattern.label !== "" && !isShownIn(finding.said, pattern))
      writes.push(putPattern(withoutWords(pattern), pattern));
  }
  // A decision that somebody made meanwhile stays; the next reading follows it.
  for (const write of writes) await tryWrite(runtime, write);
}

/** Whether a stored pattern is replaced by what was found, or has lost its words. */
function isReplaced(pattern: Pattern, { said, isObserved = false }: Finding): boolean {
  const isObservation = pattern.type === "observation";
  return isObservation === isObserved || (isObservation && !isShownIn(said, pattern));
}

function isShownIn(said: readonly Said[], pattern: Pattern): boolean {
  return pattern.type === "observation" && isStillShown(pattern, said);
}

function isSame(one: Pattern, other: object): boolean {
  const { version: _, updated_at: __, ...before } = one;
  const { version: ___, updated_at: ____, ...after } = other as Pattern;
  return isDeepStrictEqual(before, after);
}

/**
 * Returns a declined pattern whose memories are gone: its id stays, so that it does not come back, and the ids of an
 * observation's memories, by which it is recognized in other words.
 */
function withoutWords(pattern: Pattern): Pattern {
  const ids = pattern.evidence.map(({ memory_id, day }) => ({ memory_id, day }));
  const evidence = pattern.type === "observation" ? ids : [];
  return { ...pattern, label: "", terms: [], evidence, earlier: 0, version: pattern.version + 1 };
}
