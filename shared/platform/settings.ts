import type { ZodType } from "zod";
import type { Clock } from "../kernel/clock.ts";
import type { Json, RecordKey, RecordStore } from "./ports.ts";

/** So long may a process go on with what it read; a change is in force everywhere after it. */
const TRUST_MS = 10_000;

/** A deployment-wide setting as data. What is stored is read through `schema`, so older forms may gain new defaults. */
export interface Setting<Value> {
  name: string;
  schema: ZodType<Value>;
  /** What holds until it is first written. */
  initial: Value;
}

const keyOf = (name: string): RecordKey => ({ pk: "settings", sk: name });

/** The deployment's settings: kept in the records, remembered for a few seconds, in force at once where they are written. */
export class Settings {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  readonly #known = new Map<string, { value: unknown; readAt: number }>();

  constructor(records: RecordStore, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  async read<Value>(setting: Setting<Value>): Promise<Value> {
    const known = this.#known.get(setting.name);
    if (known && this.#clock() - known.readAt < TRUST_MS) return known.value as Value;
    const record = await this.#records.get(keyOf(setting.name));
    const value = record === undefined ? setting.initial : setting.schema.parse(record.value);
    this.#known.set(setting.name, { value, readAt: this.#clock() });
    return value;
  }

  /** The value must be JSON, which its schema sees to. */
  async write<Value>(setting: Setting<Value>, value: Value): Promise<void> {
    await this.#records.write({ put: { ...keyOf(setting.name), kind: "setting", value: value as Json } });
    this.#known.set(setting.name, { value, readAt: this.#clock() });
  }
}
