import { serialize } from "node:v8";
import { LRUCache } from "lru-cache";
import { type Clock, validFor } from "../../kernel/clock.ts";
import type { CacheUse } from "../../runtime/stats/traffic.ts";

const MAX_CACHED = 10_000;

/** A cache of recent reads by name. Concurrent misses share one read; absent values are not cached. */
export class TtlCache<Value extends object> {
  readonly #clock: Clock;
  readonly #values: LRUCache<string, Value>;
  readonly use: CacheUse = { hits: 0, misses: 0 };
  readonly #readings = new Map<string, Promise<Value | undefined>>();

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#values = new LRUCache({
      max: MAX_CACHED,
      ...validFor(ttlMs, clock),
      maxSize: Number.MAX_SAFE_INTEGER,
      sizeCalculation: (value, name) => serialize([name, value]).byteLength,
    });
  }

  /** The serialized size of all entries, because the runtime does not report their heap size. */
  get bytes(): number {
    return this.#values.calculatedSize;
  }

  /** The cached value of the name, otherwise what `read` returns. */
  get(name: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const cached = this.#values.get(name);
    if (cached) {
      this.use.hits += 1;
      return Promise.resolve(cached);
    }
    this.use.misses += 1;
    return this.#readings.get(name) ?? this.#read(name, read);
  }

  /** Drops the name; the result of a read in progress is not cached. */
  forget(name: string): void {
    this.#values.delete(name);
    this.#readings.delete(name);
  }

  /** Drops every name whose value passes the test, and every read in progress, because its value is not known yet. */
  forgetWhere(test: (value: Value) => boolean): void {
    this.#readings.clear();
    for (const [name, value] of [...this.#values.entries()]) if (test(value)) this.#values.delete(name);
  }

  #read(name: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const start = this.#clock();
    const reading: Promise<Value | undefined> = read().then((value) => {
      if (value && this.#readings.get(name) === reading) this.#values.set(name, value, { start });
      return value;
    });
    this.#readings.set(name, reading);
    return reading.finally(() => {
      if (this.#readings.get(name) === reading) this.#readings.delete(name);
    });
  }
}
