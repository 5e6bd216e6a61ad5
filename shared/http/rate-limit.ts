import { type LimitedOperation, planLimit } from "../identity/plans.ts";
import type { Principal } from "../identity/principal.ts";
import type { Clock } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import {
  type AttributeTests,
  ConditionFailed,
  type RecordKey,
  type RecordStore,
  type StoredRecord,
} from "../platform/ports.ts";

const MINUTE_MS = 60_000;
/** Writes tried before a request is let through; each failed one tells the state, so two are the rule. */
const MAX_ATTEMPTS = 6;

/** A token bucket: `perMinute` tokens flow in evenly, at most `burst` are held. */
interface Bucket {
  name: string;
  perMinute: number;
  burst: number;
}

/** What the RateLimit headers tell of the tightest bucket. */
export interface RateLimitState {
  policy: Bucket;
  remaining: number;
  resetSeconds: number;
}

function bucketsFor(principal: Principal, operation: LimitedOperation | undefined): Bucket[] {
  const buckets: Bucket[] = [];
  const add = (name: string, perMinute: number | undefined, burst = perMinute) => {
    if (perMinute !== undefined && burst !== undefined) buckets.push({ name, perMinute, burst });
  };
  add("general", planLimit(principal.plan, "general"));
  if (operation) add(operation, planLimit(principal.plan, operation));
  const own = principal.rateLimit;
  if (own) add("key", own.requests_per_minute, own.burst_limit);
  return buckets;
}

const limitsKey = (principal: Principal): RecordKey => ({ pk: `${principal.org}#${principal.id}`, sk: "rate_limits" });

const intervalOf = (bucket: Bucket): number => MINUTE_MS / bucket.perMinute;

/**
 * Limits requests a credential by the generic cell rate algorithm (ITU-T I.371): a bucket is one number, the time at
 * which it is full again. All buckets of a request move in one conditional update, by addition where they are in use,
 * so parallel requests in many processes neither exceed a limit nor collide.
 */
export class RateLimiter {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** Last seen state of each credential's record: a guess that saves the first failed write, never trusted. */
  readonly #seen = new Map<string, StoredRecord | undefined>();

  constructor(records: RecordStore, clock: Clock, logger: Logger) {
    this.#records = records;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Takes one token of each bucket, or throws RATE_LIMITED with `retry_after` seconds and takes none. Answers undefined
   * where nothing limits the principal. Lets requests through when the store cannot answer.
   */
  async take(principal: Principal, operation: LimitedOperation | undefined): Promise<RateLimitState | undefined> {
    const buckets = bucketsFor(principal, operation);
    if (buckets.length === 0) return undefined;
    try {
      return await this.#takeAll(limitsKey(principal), buckets);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.#logger.error("RATE_LIMIT_UNAVAILABLE", { error });
      return undefined;
    }
  }

  async #takeAll(key: RecordKey, buckets: Bucket[]): Promise<RateLimitState | undefined> {
    let state = this.#seen.get(key.pk);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const now = this.#clock();
      const plans = buckets.map((bucket) => planToken(bucket, fullAt(state, bucket), now));
      try {
        await this.#records.write(toUpdate(key, plans, now));
        this.#remember(key.pk, plans);
        return tightest(plans, now);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        state = error.existing;
        this.#seen.set(key.pk, state);
        refuseIfEmpty(buckets, state, now);
      }
    }
    this.#logger.warn("RATE_LIMIT_CONTENDED", { credential: key.pk });
    return undefined;
  }

  #remember(pk: string, plans: TokenPlan[]): void {
    if (this.#seen.size > 10_000) this.#seen.clear();
    const known = this.#seen.get(pk);
    const next = Object.fromEntries(plans.map((plan) => [plan.bucket.name, plan.nextFullAt]));
    this.#seen.set(pk, { pk, sk: "rate_limits", kind: "rate_limits", ...known, ...next });
  }
}

/** Epoch milliseconds at which a bucket was or will be full; 0 for one never used. */
function fullAt(state: StoredRecord | undefined, bucket: Bucket): number {
  const value = state?.[bucket.name];
  return typeof value === "number" ? value : 0;
}

/** Taking one token: from an idle bucket (`starts`: it was full) or from one in use. */
interface TokenPlan {
  bucket: Bucket;
  starts: boolean;
  nextFullAt: number;
}

function planToken(bucket: Bucket, full: number, now: number): TokenPlan {
  const starts = full <= now;
  return { bucket, starts, nextFullAt: (starts ? now : full) + intervalOf(bucket) };
}

function toUpdate(key: RecordKey, plans: TokenPlan[], now: number) {
  const set: Record<string, string | number> = { kind: "rate_limits" };
  const add: Record<string, number> = {};
  const condition: AttributeTests = {};
  for (const { bucket, starts, nextFullAt } of plans) {
    const lastMoment = now + (bucket.burst - 1) * intervalOf(bucket);
    if (starts) {
      set[bucket.name] = nextFullAt;
      condition[bucket.name] = { atMost: now, orAbsent: true };
    } else {
      add[bucket.name] = intervalOf(bucket);
      condition[bucket.name] = { greaterThan: now, atMost: lastMoment };
    }
  }
  return { update: key, set, add, condition };
}

function refuseIfEmpty(buckets: Bucket[], state: StoredRecord | undefined, now: number): void {
  for (const bucket of buckets) {
    const waitMs = fullAt(state, bucket) - (now + (bucket.burst - 1) * intervalOf(bucket));
    if (waitMs <= 0) continue;
    const retryAfter = Math.ceil(waitMs / 1000);
    throw new ServiceError("RATE_LIMITED", `Too many requests. Try again in ${retryAfter} s.`, {
      limit: bucket.name,
      requests_per_minute: bucket.perMinute,
      retry_after: retryAfter,
    });
  }
}

function tightest(plans: TokenPlan[], now: number): RateLimitState | undefined {
  const states = plans.map(({ bucket, nextFullAt }) => ({
    policy: bucket,
    remaining: Math.max(0, Math.floor(bucket.burst - (nextFullAt - now) / intervalOf(bucket))),
    resetSeconds: Math.ceil((nextFullAt - now) / 1000),
  }));
  return states.sort((a, b) => a.remaining - b.remaining)[0];
}

/** The RateLimit header fields of draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitHeaders(state: RateLimitState): [string, string][] {
  const { policy, remaining, resetSeconds } = state;
  return [
    ["RateLimit-Policy", `"${policy.name}";q=${policy.burst};w=60`],
    ["RateLimit", `"${policy.name}";r=${remaining};t=${resetSeconds}`],
  ];
}
