import { serialize } from "node:v8";
import { BoundedMap } from "../../kernel/bounded.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CacheUse } from "../../runtime/stats/traffic.ts";

const MAX_CACHED = 10_000;

interface Memory<Value> {
  value: Value;
  readAt: number;
  /** Its serialized size. */
  bytes: number;
}

/**
 * A cache of recent reads by name with a time to live. Concurrent misses of the same name share one read. Absent values
 * are not cached, because they may appear a moment later.
 */
export class TtlCache<Value> {
  readonly #clock: Clock;
  readonly #trustMs: number;
  readonly #memories = new BoundedMap<string, Memory<Value>>(MAX_CACHED);
  readonly use: CacheUse = { hits: 0, misses: 0 };
  readonly #readings = new Map<string, Promise<Value | undefined>>();

  constructor(clock: Clock, trustMs: number) {
    this.#clock = clock;
    this.#trustMs = trustMs;
  }

  /** The serialized size of all entries, because the runtime does not report their heap size. */
  get bytes(): number {
    let sum = 0;
    for (const [, { bytes }] of this.#memories) sum += bytes;
    return sum;
  }

  /** The cached value of the name, otherwise what `read` returns. */
  get(name: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#memories.get(name);
    if (known && this.#clock() - known.readAt < this.#trustMs) {
      this.use.hits += 1;
      return Promise.resolve(known.value);
    }
    this.use.misses += 1;
    return this.#readings.get(name) ?? this.#read(name, read);
  }

  /** Drops the name; the result of a read in progress is not cached. */
  forget(name: string): void {
    this.#memories.delete(name);
    this.#readings.delete(name);
  }

  /**
   * Drops every name with a value that passes the test, and every read in progress, because its value is not known yet.
   */
  forgetWhere(test: (value: Value) => boolean): void {
    this.#readings.clear();
    for (const [name, { value }] of this.#memories) if (test(value)) this.#memories.delete(name);
  }

  #read(name: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    this.#memories.delete(name);
    const readAt = this.#clock();
    const reading: Promise<Value | undefined> = read().then((value) => {
      if (value !== undefined && this.#readings.get(name) === reading) {
        this.#memories.set(name, { value, readAt, bytes: serialize([name, value]).byteLength });
      }
      return value;
    });
    this.#readings.set(name, reading);
    return reading.finally(() => {
      if (this.#readings.get(name) === reading) this.#readings.delete(name);
    });
  }
}
