import { serialize } from "node:v8";
import { BoundedMap } from "../kernel/bounded.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CacheUse } from "../stats/traffic.ts";

const MOST_REMEMBERED = 10_000;

interface Memory<Value> {
  value: Value;
  readAt: number;
  /** What it takes serialized. */
  bytes: number;
}

/**
 * What a process read lately, by name, so that it need not read it for every request. Requests that miss the same thing
 * at the same time read it once. What is absent is not remembered: it may be there a moment later.
 */
export class Remembered<Value> {
  readonly #clock: Clock;
  readonly #trustMs: number;
  readonly #memories = new BoundedMap<string, Memory<Value>>(MOST_REMEMBERED);
  readonly use: CacheUse = { hits: 0, misses: 0 };
  readonly #readings = new Map<string, Promise<Value | undefined>>();

  constructor(clock: Clock, trustMs: number) {
    this.#clock = clock;
    this.#trustMs = trustMs;
  }

  /** What everything takes that is remembered, serialized: what the heap takes of it the runtime does not tell. */
  get bytes(): number {
    let sum = 0;
    for (const [, { bytes }] of this.#memories) sum += bytes;
    return sum;
  }

  /** What is remembered of the name, else what `read` says. */
  get(name: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#memories.get(name);
    if (known && this.#clock() - known.readAt < this.#trustMs) {
      this.use.hits += 1;
      return Promise.resolve(known.value);
    }
    this.use.misses += 1;
    return this.#readings.get(name) ?? this.#read(name, read);
  }

  /** Has it read again at its next use; a reading that is under way is of before, and is not remembered. */
  forget(name: string): void {
    this.#memories.delete(name);
    this.#readings.delete(name);
  }

  /** Forgets every name whose value passes; and every reading under way, whose values are not known yet. */
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
