import { LRUCache } from "lru-cache";
import type { ZodType } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { validFor } from "../kernel/clock.ts";
import { changedNames } from "../kernel/objects.ts";
import { retryOnConflict } from "../ports/conflicts.ts";
import type { Json } from "../ports/json.ts";
import type { RecordKey, RecordStore, StoredRecord } from "../ports/record-store.ts";
import { type AuditScope, audit } from "./audit/audit.ts";

/** Lifetime of a cached value; after it, a change is effective in all processes. */
const CACHE_MS = 10_000;
/** Maximum number of cached settings; more than there are. */
const MAX_CACHED = 100;

/** A deployment-wide setting as data. The stored value is parsed by `schema`, so older forms may get new defaults. */
export interface Setting<Value extends object> {
  name: string;
  schema: ZodType<Value>;
  /** The value before the first change. */
  initial: Value;
}

const keyOf = (name: string): RecordKey => ({ pk: "settings", sk: name });

function valueIn<Value extends object>(record: StoredRecord | undefined, { schema, initial }: Setting<Value>): Value {
  return record === undefined ? initial : schema.parse(record.value);
}

/** The deployment's settings: stored as records, cached for seconds, effective at once in the changing process. */
export class Settings {
  readonly #records: RecordStore;
  readonly #cache: LRUCache<string, object>;

  constructor(records: RecordStore, clock: Clock) {
    this.#records = records;
    this.#cache = new LRUCache({ max: MAX_CACHED, ...validFor(CACHE_MS, clock) });
  }

  async read<Value extends object>(setting: Setting<Value>): Promise<Value> {
    const cached = this.#cache.get(setting.name);
    if (cached) return cached as Value;
    const value = valueIn(await this.#records.get(keyOf(setting.name)), setting);
    this.#cache.set(setting.name, value);
    return value;
  }

  /**
   * Applies `apply` to the stored value, so that no concurrent change is lost, and stores the result with an audit
   * record of the changed parts. `apply` may be called again and must be pure; its result must be JSON (ensured by its
   * schema).
   */
  async change<Value extends object>(
    by: AuditScope,
    setting: Setting<Value>,
    apply: (current: Value) => Value,
  ): Promise<{ previous: Value; value: Value }> {
    const key = keyOf(setting.name);
    return retryOnConflict(async () => {
      const record = await this.#records.get(key);
      const previous = valueIn(record, setting);
      const value = apply(previous);
      const revision = Number(record?.revision ?? 0);
      const put = { ...key, kind: "setting", value: value as Json, revision: revision + 1 };
      const details = { changed: changedNames(previous, value) };
      const entry = audit(by, { action: "settings.changed", target: setting.name, details });
      await this.#records.write({ put, condition: record === undefined ? "absent" : { revision } }, entry);
      this.#cache.set(setting.name, value);
      return { previous, value };
    });
  }
}
