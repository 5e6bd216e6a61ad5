import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { type Clock, timestamp } from "../../kernel/clock.ts";
import { DAY_SECONDS, MINUTE_MS } from "../../kernel/durations.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { retryOnConflict } from "../../ports/conflicts.ts";
import type { ConditionFailedError } from "../../ports/errors.ts";
import { logFailure } from "../../ports/full-disk.ts";
import type { AttributeTests, RecordKey, RecordStore, StoredRecord } from "../../ports/record-store.ts";
import { type LimitedOperation, organizationLimit, type Plan, planLimit } from "./plans.ts";
import type { OwnRateLimit, Principal } from "./principal.ts";

/** Write attempts before a request is refused; a failed write returns the state, so two are usually enough. */
const MAX_ATTEMPTS = 10;
/** Maximum pause before the third write, doubled before each later one; the actual pause is a random part of it. */
const FIRST_PAUSE_MS = 2;
const CONTENDED_RETRY_SECONDS = 1;
/** Processes whose clocks differ by more than this do not share a limit: each enforces it alone. */
const MAX_SKEW_MS = MINUTE_MS;
/** How long an idle bucket's record is kept, so that it need not be created again. */
const IDLE_SECONDS = DAY_SECONDS;
/** Maximum number of subjects whose state a process caches. */
const MAX_CACHED = 10_000;

/**
 * A token bucket: it gains `perMinute` tokens evenly and holds at most `burst`. Its name is an attribute of the record.
 */
export interface Bucket {
  name: string;
  perMinute: number;
  burst: number;
}

/** The limits of public routes: a request counts as a sign-in, an exchange of a refresh token or a new OAuth client. */
export type VisitorLimit = "sign_in" | "refresh" | "client_registration";

/** The tightest bucket's state for the RateLimit headers. */
export interface RateLimitState {
  policy: Bucket;
  remaining: number;
  resetSeconds: number;
}

/** RATE_LIMITED with the state of the empty bucket for the RateLimit headers. */
export class RateLimitedError extends ServiceError {
  readonly state: RateLimitState;
  /** Seconds. */
  readonly retryAfter: number;

  constructor(policy: Bucket, retryAfter: number, resetSeconds: number) {
    super("RATE_LIMITED", `Too many requests. Try again in ${retryAfter} s.`, {
      limit: policy.name,
      requests_per_minute: policy.perMinute,
      retry_after: retryAfter,
    });
    this.name = "RateLimitedError";
    this.retryAfter = retryAfter;
    this.state = { policy, remaining: 0, resetSeconds };
  }
}

/** The buckets of one record: those of a credential, an organization or an address. */
interface SubjectLimits {
  subject: string;
  buckets: Bucket[];
}

function planBucket(plan: Plan, name: LimitedOperation | "general"): Bucket[] {
  const perMinute = planLimit(plan, name);
  return perMinute === undefined ? [] : [{ name, perMinute, burst: perMinute }];
}

function organizationBucket(plan: Plan, operation: LimitedOperation | "general"): Bucket[] {
  const perMinute = organizationLimit(plan, operation);
  return perMinute === undefined ? [] : [{ name: `organization_${operation}`, perMinute, burst: perMinute }];
}

function ownBucket({ requests_per_minute, burst_limit }: OwnRateLimit): Bucket {
  return { name: "key", perMinute: requests_per_minute, burst: burst_limit };
}

/** Returns the limits of a request: the credential's buckets and those that the whole organization shares. */
function limitsFor({ org, id, plan, rateLimit }: Principal, operation: LimitedOperation | undefined): SubjectLimits[] {
  const names = ["general" as const, ...(operation ? [operation] : [])];
  const own = rateLimit ? [ownBucket(rateLimit)] : [];
  return [
    { subject: limitsOf(org, id), buckets: [...names.flatMap((name) => planBucket(plan, name)), ...own] },
    { subject: limitsOf(org, "organization"), buckets: names.flatMap((name) => organizationBucket(plan, name)) },
  ];
}

const limitsOf = (org: string, id: string): string => `${org}#${id}`;
const limitsKey = (subject: string): RecordKey => ({ pk: subject, sk: "rate_limits" });

const intervalOf = (bucket: Bucket): number => MINUTE_MS / bucket.perMinute;

export interface RateLimiterOptions {
  /** What happens to requests while the store is unavailable: `refuse` answers SERVICE_UNAVAILABLE. */
  whenDown?: "admit" | "refuse";
}

/**
 * Limits requests with the generic cell rate algorithm (ITU-T I.371): it stores when each bucket is full again.
 * One conditional update changes all buckets of a record, by addition, so parallel requests neither exceed a limit nor
 * conflict. An organization has its own record, because a transaction would make its requests conflict.
 */
export class RateLimiter {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #whenDown: NonNullable<RateLimiterOptions["whenDown"]>;
  /** Last seen state of each subject's record: a hint that avoids a failed first write; each write checks it. */
  readonly #seen = new LRUCache<string, StoredRecord>({ max: MAX_CACHED });
  /** When buckets are full again according to this process; later than the record only if another one reset them. */
  readonly #taken = new LRUCache<string, Record<string, number>>({ max: MAX_CACHED });

  constructor(records: RecordStore, clock: Clock, logger: Logger, { whenDown = "admit" }: RateLimiterOptions = {}) {
    this.#records = records;
    this.#clock = clock;
    this.#logger = logger;
    this.#whenDown = whenDown;
  }

  /** Takes a token from the credential's and the organization's buckets, as `takeFrom` does. */
  take(principal: Principal, operation: LimitedOperation | undefined): Promise<RateLimitState | undefined> {
    return this.#takeFromEach(limitsFor(principal, operation), this.#logger);
  }

  /**
   * Takes one token from each bucket of a subject (a credential, an address …), or throws RateLimitedError and takes
   * none. Returns undefined if nothing limits the subject, or if the store is unavailable and such requests are
   * admitted. `logger` is the caller's.
   */
  takeFrom(subject: string, buckets: Bucket[], logger = this.#logger): Promise<RateLimitState | undefined> {
    return this.#takeFromEach([{ subject, buckets }], logger);
  }

  async #takeFromEach(limits: SubjectLimits[], logger: Logger): Promise<RateLimitState | undefined> {
    const limiting = limits.filter(({ buckets }) => buckets.length > 0);
    try {
      // Before any write: a token refused by one subject must not be taken from another.
      const now = this.#clock();
      refuseIfEmpty(
        limiting.flatMap(({ subject, buckets }) => this.#plansAt(limitsKey(subject), buckets, now)),
        now,
      );
      const outcomes = await Promise.allSettled(
        limiting.map(({ subject, buckets }) => this.#takeAll(limitsKey(subject), buckets)),
      );
      const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      const taken = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      const [refused] = failures
        .filter((failure) => failure instanceof RateLimitedError)
        .sort((a, b) => b.retryAfter - a.retryAfter);
      if (refused !== undefined) await Promise.all(taken.map((tokens) => this.#giveBack(tokens, logger)));
      if (failures.length > 0) throw refused ?? failures[0];
      return tightest(taken);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      logFailure(logger, "RATE_LIMIT_UNAVAILABLE", { when_down: this.#whenDown, error });
      if (this.#whenDown === "admit") return undefined;
      throw new ServiceError("SERVICE_UNAVAILABLE", "The request cannot be answered at the moment. Try again shortly.");
    }
  }

  #plansAt(key: RecordKey, buckets: Bucket[], now: number, state = this.#seen.get(key.pk)): TokenPlan[] {
    const taken = this.#taken.get(key.pk);
    return buckets.map((bucket) => planToken(bucket, fullAt(state, bucket), fullAt(taken, bucket), now));
  }

  async #takeAll(key: RecordKey, buckets: Bucket[]): Promise<Taken> {
    let state = this.#seen.get(key.pk);
    let pause = 0;
    const take = async (conflict?: ConditionFailedError) => {
      if (conflict) {
        state = conflict.existing;
        this.#seen.set(key.pk, state);
      }
      const asked = this.#clock();
      refuseIfEmpty(this.#plansAt(key, buckets, asked, state), asked);
      if (pause > 0) await sleep(Math.random() * pause);
      if (conflict) pause = pause * 2 || FIRST_PAUSE_MS;
      const now = this.#clock();
      const plans = this.#plansAt(key, buckets, now, state);
      await this.#records.write(toUpdate(key, plans, now));
      this.#remember(key.pk, plans, now);
      return { key, plans, now };
    };
    const exhausted = () => {
      this.#logger.warn("RATE_LIMIT_CONTENDED", { buckets: buckets.map(({ name }) => name) });
      return new RateLimitedError(buckets[0] as Bucket, CONTENDED_RETRY_SECONDS, CONTENDED_RETRY_SECONDS);
    };
    return retryOnConflict(take, { attempts: MAX_ATTEMPTS, exhausted });
  }

  /** Puts tokens back because another subject's bucket refused the request; if that fails, they are lost. */
  async #giveBack({ key, plans }: Taken, logger: Logger): Promise<void> {
    const returned = plans.map(({ bucket }) => [bucket.name, -intervalOf(bucket)] as const);
    try {
      await this.#records.write({ update: key, add: Object.fromEntries(returned), condition: "present" });
    } catch (error) {
      logFailure(logger, "RATE_LIMIT_NOT_RETURNED", { error });
      return;
    }
    const seen = this.#seen.get(key.pk);
    if (seen) this.#seen.set(key.pk, { ...seen, ...reducedBy(returned, seen) });
    const taken = this.#taken.get(key.pk);
    if (taken) this.#taken.set(key.pk, { ...taken, ...reducedBy(returned, taken) });
  }

  #remember(pk: string, plans: TokenPlan[], now: number): void {
    const known = this.#seen.get(pk);
    const taken = this.#taken.get(pk);
    const next = Object.fromEntries(plans.map(({ bucket, from }) => [bucket.name, from + intervalOf(bucket)]));
    this.#seen.set(pk, { pk, sk: "rate_limits", kind: "rate_limits", ...known, ...next });
    // Other requests of this process may have taken tokens since this was planned.
    const own = plans.map(({ bucket, from }) => [
      bucket.name,
      latestPlausible(bucket, now, from, fullAt(taken, bucket)) + intervalOf(bucket),
    ]);
    this.#taken.set(pk, { ...taken, ...Object.fromEntries(own) });
  }
}

/** What a request took from the buckets of one record, and when. */
interface Taken {
  key: RecordKey;
  plans: TokenPlan[];
  now: number;
}

function reducedBy(
  changes: (readonly [bucket: string, change: number])[],
  state: { [bucket: string]: unknown },
): Record<string, number> {
  return Object.fromEntries(
    changes.flatMap(([name, change]) => (typeof state[name] === "number" ? [[name, state[name] + change]] : [])),
  );
}

/** Returns when a bucket was or will be full, in epoch milliseconds; 0 for an unused one. */
function fullAt(state: { [bucket: string]: unknown } | undefined, bucket: Bucket): number {
  const value = state?.[bucket.name];
  return typeof value === "number" ? value : 0;
}

/**
 * How to take one token from a bucket. `idle`: it is full. `astray`: a process with a fast clock stored a time far in
 * the future, so the bucket is reset.
 */
interface TokenPlan {
  bucket: Bucket;
  state: "idle" | "in use" | "astray";
  /** When the bucket is full again without this token; now if it is full. */
  from: number;
}

/** Returns the latest time at which a bucket can be full again according to a roughly correct clock. */
function latestFullAt(bucket: Bucket, now: number): number {
  return now + bucket.burst * intervalOf(bucket) + MAX_SKEW_MS;
}

/** Returns the latest of the times that a roughly correct clock may have set, or `now` if there is none. */
function latestPlausible(bucket: Bucket, now: number, ...times: number[]): number {
  return Math.max(now, ...times.filter((time) => time <= latestFullAt(bucket, now)));
}

function planToken(bucket: Bucket, full: number, taken: number, now: number): TokenPlan {
  const state = full <= now ? "idle" : full <= latestFullAt(bucket, now) ? "in use" : "astray";
  return { bucket, state, from: latestPlausible(bucket, now, full, taken) };
}

function toUpdate(key: RecordKey, plans: TokenPlan[], now: number) {
  const longest = Math.max(...plans.map(({ bucket }) => bucket.burst * intervalOf(bucket)));
  const ttl = Math.ceil((now + longest) / 1000) + IDLE_SECONDS;
  const set: Record<string, string | number> = { kind: "rate_limits", ttl };
  const add: Record<string, number> = {};
  const condition: AttributeTests = {};
  for (const { bucket, state, from } of plans) {
    const nextFullAt = from + intervalOf(bucket);
    const lastMoment = now + (bucket.burst - 1) * intervalOf(bucket);
    if (state === "idle") {
      set[bucket.name] = nextFullAt;
      condition[bucket.name] = { atMost: now, orAbsent: true };
    } else if (state === "astray") {
      set[bucket.name] = nextFullAt;
      condition[bucket.name] = { greaterThan: latestFullAt(bucket, now) };
    } else {
      add[bucket.name] = intervalOf(bucket);
      condition[bucket.name] = { greaterThan: now, atMost: lastMoment };
    }
  }
  return { update: key, set, add, condition };
}

/**
 * Throws RateLimitedError if a bucket has no token, for the bucket that takes longest to refill. Buckets refill only
 * with time and empty only by requests, so a bucket seen empty needs no write to refuse.
 */
function refuseIfEmpty(plans: TokenPlan[], now: number): void {
  const waits = plans.map(({ bucket, from }) => {
    const waitMs = from - (now + (bucket.burst - 1) * intervalOf(bucket));
    return { bucket, waitMs, resetMs: from - now };
  });
  const [longest] = waits.filter(({ waitMs }) => waitMs > 0).sort((a, b) => b.waitMs - a.waitMs);
  if (longest === undefined) return;
  throw new RateLimitedError(longest.bucket, Math.ceil(longest.waitMs / 1000), Math.ceil(longest.resetMs / 1000));
}

/** Returns the state of the bucket with the fewest tokens left; undefined without buckets. */
function tightest(taken: Taken[]): RateLimitState | undefined {
  const states = taken.flatMap(({ plans, now }) =>
    plans.map(({ bucket, from }) => {
      const used = from + intervalOf(bucket) - now;
      return {
        policy: bucket,
        remaining: Math.max(0, Math.floor(bucket.burst - used / intervalOf(bucket))),
        resetSeconds: Math.ceil(used / 1000),
      };
    }),
  );
  return states.sort((a, b) => a.remaining - b.remaining)[0];
}

/** Returns how many requests of a key's own limit are used, and when all are available again. */
export async function readOwnUse(
  records: RecordStore,
  key: { org: string; id: string; rate_limit: OwnRateLimit },
  now: number,
): Promise<{ current_usage: number; reset_time: string }> {
  const bucket = ownBucket(key.rate_limit);
  const left = fullAt(await records.get(limitsKey(limitsOf(key.org, key.id))), bucket);
  const full = left > latestFullAt(bucket, now) ? now : Math.max(now, left);
  return { current_usage: Math.ceil((full - now) / intervalOf(bucket)), reset_time: timestamp(full) };
}
