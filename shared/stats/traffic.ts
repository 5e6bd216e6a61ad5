import { BoundedMap } from "../kernel/bounded.ts";
import type { Clock } from "../kernel/clock.ts";
import { fromItem } from "../platform/item.ts";
import type { RecordKey, RecordStore } from "../platform/ports.ts";
import { bucketOf, sumCounters } from "./histogram.ts";
import type { Gatherer, Rollups } from "./rollups.ts";
import { DEPLOYMENT, keyOf, type Point, readSeries, readTotal, type Subject } from "./series.ts";

/** Counters of the requests of all organizations, with a histogram of how long they took. */
const REQUESTS: Subject = { scope: DEPLOYMENT, name: "requests" };
/** The same of each route by itself, the route's name at the end of each key. */
const ROUTES: Subject = { scope: DEPLOYMENT, name: "routes" };
/** Users who were active, one record each until they have not been for `ACTIVE_DAYS`. */
const ACTIVE_USERS = `${DEPLOYMENT}#active-users`;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
const KEPT_MINUTES_DAYS = 1;
const KEPT_HOURS_DAYS = 30;
/** A user who did anything within so many days is active. */
export const ACTIVE_DAYS = 30;
/** Active users are counted no further. */
const MOST_COUNTED = 100_000;
const MOST_ROUTES = 1000;

/** One request, as far as it is counted. */
export interface Served {
  /** `GET /memories/{id}`. */
  route: string;
  status: number;
  durationMs: number;
  /** User who answers for it. */
  user?: string;
}

type Counters = Record<string, number>;

/** How often a cache had what it was asked for, and how often not. */
export interface CacheUse {
  hits: number;
  misses: number;
}

interface Minute {
  at: number;
  routes: Map<string, Counters>;
}

/**
 * Counts requests in memory, a map entry and a few additions each, by minute and route; every few seconds they are
 * added to the records of all processes.
 */
export class Traffic implements Gatherer {
  readonly #clock: Clock;
  readonly #cacheUse: () => CacheUse;
  #knownUse: CacheUse = { hits: 0, misses: 0 };
  #minutes: Minute[] = [];
  /** Users whose activity today is on record or about to be. */
  readonly #active = new BoundedMap<string, number>(MOST_COUNTED);
  #newlyActive: string[] = [];

  /** `cacheUse`: of the process's cache of credentials, since it started. */
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

  handOver(rollups: Rollups): void {
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

  /** What became of the cache since it was last asked. */
  #takeCacheUse(): Counters {
    const { hits, misses } = this.#cacheUse();
    const since = { cache_hits: hits - this.#knownUse.hits, cache_misses: misses - this.#knownUse.misses };
    this.#knownUse = { hits, misses };
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

/** Requests that were ever answered: `successful`, `refused` (4xx), `failed` (5xx), `duration_ms` and the histogram. */
export function readRequests(records: RecordStore): Promise<Counters> {
  return readTotal(records, REQUESTS);
}

/** The same, minute by minute or hour by hour, where there were any; minutes go after a day, hours after thirty. */
export function readRequestSeries(
  records: RecordStore,
  granularity: "minute" | "hour",
  from: number,
): Promise<Point[]> {
  return readSeries(records, REQUESTS, granularity, from);
}

/** The same of every route that was ever asked for, in alphabetical order. */
export async function readRoutes(records: RecordStore): Promise<{ route: string; counters: Counters }[]> {
  const { pk, sk } = totalOfRoute("");
  const { items } = await records.query({ pk, sk: { beginsWith: sk }, limit: MOST_ROUTES });
  return items.map((record) => ({ route: record.sk.slice(sk.length), counters: sumCounters([fromItem(record)]) }));
}

/** How many users did anything in the last `ACTIVE_DAYS` days, by themselves or by their keys. */
export function countActiveUsers(records: RecordStore): Promise<number> {
  return records.count({ pk: ACTIVE_USERS }, MOST_COUNTED);
}
