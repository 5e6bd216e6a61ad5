import { LRUCache } from "lru-cache";
import type { Clock } from "../../kernel/clock.ts";
import { DAY_MS, DAY_SECONDS, MINUTE_MS } from "../../kernel/durations.ts";
import { fromItem } from "../../ports/item.ts";
import type { RecordKey, RecordStore } from "../../ports/record-store.ts";
import { bucketOf, sumCounters } from "./histogram.ts";
import type { CounterSource, Rollups } from "./rollups.ts";
import { DEPLOYMENT, keyOf, type Point, readSeries, readTotal, type Subject } from "./series.ts";

/** Request counters of all organizations with a latency histogram. */
const REQUESTS: Subject = { scope: DEPLOYMENT, name: "requests" };
/** Request counters per route, with the route's name at the end of each key. */
const ROUTES: Subject = { scope: DEPLOYMENT, name: "routes" };
/** Active users, one record each that expires after `ACTIVE_DAYS` without activity. */
const ACTIVE_USERS = `${DEPLOYMENT}#active-users`;

const KEPT_MINUTES_DAYS = 1;
const KEPT_HOURS_DAYS = 30;
/** Days within which any activity makes a user active. */
export const ACTIVE_DAYS = 30;
/** Maximum number of active users that are counted. */
const MAX_COUNTED = 100_000;
const MAX_ROUTES = 1000;

/** The counted properties of a request. */
export interface Served {
  /** `GET /memories/{id}`. */
  route: string;
  status: number;
  durationMs: number;
  /** The responsible user. */
  user?: string;
}

/** A served request with what places it in a trace. */
export interface TracedRequest extends Served {
  /** Epoch milliseconds. */
  startedAt: number;
  /** The header of W3C Trace Context, as sent. */
  traceparent?: string;
}

type Counters = Record<string, number>;

/** Hits and misses of a cache. */
export interface CacheUse {
  hits: number;
  misses: number;
}

interface Minute {
  at: number;
  routes: Map<string, Counters>;
}

/** Counts requests in memory by minute and route; every few seconds the counts are added to the shared records. */
export class Traffic implements CounterSource {
  readonly #clock: Clock;
  readonly #cacheUse: () => CacheUse;
  #countedUse: CacheUse = { hits: 0, misses: 0 };
  #minutes: Minute[] = [];
  /**
   * The last day of activity by user, which is stored or about to be. `max` instead of `maxSize` would allocate at
   * once.
   */
  readonly #active = new LRUCache<string, number>({ maxSize: MAX_COUNTED, sizeCalculation: () => 1 });
  #newlyActive: string[] = [];

  /** `cacheUse` returns the hits and misses of the process's credential caches since its start. */
  constructor(clock: Clock, cacheUse: () => CacheUse) {
    this.#clock = clock;
    this.#cacheUse = cacheUse;
  }

  count({ route, status, durationMs, user }: Served): void {
    const now = this.#clock();
    const counters = this.#countersOf(route, now);
    const outcome = outcomeOf(status);
    counters[outcome] = (counters[outcome] ?? 0) + 1;
    counters.duration_ms = (counters.duration_ms ?? 0) + durationMs;
    const bucket = bucketOf(durationMs);
    counters[bucket] = (counters[bucket] ?? 0) + 1;
    if (user !== undefined) this.#markActive(user, now);
  }

  isEmpty(): boolean {
    return this.#minutes.length === 0 && this.#newlyActive.length === 0;
  }

  flushTo(rollups: Rollups): void {
    for (const { at, routes } of this.#minutes) {
      const all = { ...sumCounters([...routes.values()]), ...this.#takeCacheUse() };
      add(rollups, keyOf(REQUESTS, "minute", at), all, at, KEPT_MINUTES_DAYS);
      add(rollups, keyOf(REQUESTS, "hour", at), all, at, KEPT_HOURS_DAYS);
      add(rollups, keyOf(REQUESTS, "total", at), all, at);
      for (const [route, counters] of routes) add(rollups, totalOfRoute(route), counters, at);
    }
    for (const user of this.#newlyActive) {
      const ttl = Math.ceil(this.#clock() / 1000) + ACTIVE_DAYS * DAY_SECONDS;
      rollups.count({ pk: ACTIVE_USERS, sk: user }, { add: { days: 1 }, set: { kind: "active_user", ttl } });
    }
    this.#minutes = [];
    this.#newlyActive = [];
  }

  /** Returns the cache's hits and misses since the last call. */
  #takeCacheUse(): Counters {
    const { hits, misses } = this.#cacheUse();
    const since = { cache_hits: hits - this.#countedUse.hits, cache_misses: misses - this.#countedUse.misses };
    this.#countedUse = { hits, misses };
    return since;
  }

  #countersOf(route: string, now: number): Counters {
    const at = now - (now % MINUTE_MS);
    let minute = this.#minutes.at(-1);
    if (minute?.at !== at) {
      minute = { at, routes: new Map() };
      this.#minutes.push(minute);
    }
    let counters = minute.routes.get(route);
    if (counters === undefined) {
      counters = {};
      minute.routes.set(route, counters);
    }
    return counters;
  }

  #markActive(user: string, now: number): void {
    const day = Math.floor(now / DAY_MS);
    if (this.#active.get(user) === day) return;
    this.#active.set(user, day);
    this.#newlyActive.push(user);
  }
}

function outcomeOf(status: number): "successful" | "refused" | "failed" {
  if (status < 400) return "successful";
  return status < 500 ? "refused" : "failed";
}

function totalOfRoute(route: string): RecordKey {
  const { pk, sk } = keyOf(ROUTES, "total", 0);
  return { pk, sk: `${sk}#${route}` };
}

function add(rollups: Rollups, key: RecordKey, counters: Counters, at: number, keptDays?: number): void {
  const kept: Counters = keptDays === undefined ? {} : { ttl: Math.ceil(at / 1000) + keptDays * DAY_SECONDS };
  rollups.count(key, { add: counters, set: { kind: "rollup", ...kept } });
}

/**
 * Returns the counters of all requests: `successful`, `refused` (4xx), `failed` (5xx), `duration_ms` and the histogram.
 */
export function readRequests(records: RecordStore): Promise<Counters> {
  return readTotal(records, REQUESTS);
}

/**
 * Returns these counters by minute (for a day) or hour (for 30 days) since `from`; those without requests are left out.
 */
export function readRequestSeries(
  records: RecordStore,
  granularity: "minute" | "hour",
  from: number,
): Promise<Point[]> {
  return readSeries(records, REQUESTS, granularity, from);
}

/** Returns these counters of every route that was ever called, in alphabetical order. */
export async function readRoutes(records: RecordStore): Promise<{ route: string; counters: Counters }[]> {
  const { pk, sk } = totalOfRoute("");
  const { items } = await records.query({ pk, sk: { beginsWith: sk }, limit: MAX_ROUTES });
  return items.map((record) => ({ route: record.sk.slice(sk.length), counters: sumCounters([fromItem(record)]) }));
}

/** Counts the users with activity in the last `ACTIVE_DAYS` days, directly or through their keys. */
export function countActiveUsers(records: RecordStore): Promise<number> {
  return records.count({ pk: ACTIVE_USERS }, MAX_COUNTED);
}
