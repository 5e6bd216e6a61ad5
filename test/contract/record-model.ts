import type { Json } from "../../shared/ports/json.ts";
import { identityOf, keyOf } from "../../shared/ports/preconditions.ts";
import type { AttributeTest, Condition, RecordKey, StoredRecord, Write } from "../../shared/ports/record-store.ts";

/** A minimal model of `RecordStore`: a Map. Adapters are compared with it. */
export class RecordModel {
  readonly #records = new Map<string, StoredRecord>();

  get(key: RecordKey): StoredRecord | undefined {
    return this.#records.get(identityOf(key));
  }

  /** Returns all records in the order of their sort keys. */
  all(): StoredRecord[] {
    return [...this.#records.values()].sort((a, b) => compareBytes(a.sk, b.sk));
  }

  /** Applies the writes, or returns the index of the first one whose condition failed and changes nothing. */
  write(writes: Write[]): number | undefined {
    const failed = writes.findIndex((write) => !meets(this.get(keyOf(write)), write.condition));
    if (failed >= 0) return failed;
    for (const write of writes) this.#apply(write);
    return undefined;
  }

  #apply(write: Write): void {
    const key = keyOf(write);
    if ("put" in write) this.#records.set(identityOf(key), withoutUndefined(write.put));
    if ("delete" in write) this.#records.delete(identityOf(key));
    if ("update" in write) this.#records.set(identityOf(key), updated(this.get(key) ?? { ...key }, write));
  }
}

/** Compares by UTF-8 bytes; JavaScript strings have another order beyond the basic plane. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function withoutUndefined(record: StoredRecord): StoredRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as StoredRecord;
}

function updated(record: object, write: Extract<Write, { update: RecordKey }>): StoredRecord {
  const next = { ...record, ...write.set } as StoredRecord;
  for (const [name, amount] of Object.entries(write.add ?? {})) next[name] = ((next[name] as number) ?? 0) + amount;
  for (const name of write.remove ?? []) delete next[name];
  return next;
}

export function meets(record: StoredRecord | undefined, condition: Condition | undefined): boolean {
  if (condition === undefined) return true;
  if (condition === "absent") return record === undefined;
  if (condition === "present") return record !== undefined;
  const tests = Object.entries(condition);
  if (record === undefined) return tests.every(([, test]) => allowsAbsentByName(test));
  return tests.every(([name, test]) => holds(record[name], test));
}

function allowsAbsentByName(test: AttributeTest): boolean {
  if (typeof test !== "object") return false;
  return "absent" in test ? test.absent : "orAbsent" in test;
}

function holds(value: Json | undefined, test: AttributeTest): boolean {
  if (typeof test !== "object") return value === test;
  if ("oneOf" in test) return test.oneOf.some((scalar) => scalar === value);
  if ("containsAny" in test) {
    return (typeof value === "string" || Array.isArray(value)) && test.containsAny.some((part) => value.includes(part));
  }
  if ("not" in test) return value !== test.not;
  if ("absent" in test) return (value === undefined) === test.absent;
  if (value === undefined) return test.orAbsent === true;
  const above = (bound: string | number | undefined, accepts: (order: number) => boolean) =>
    bound === undefined || accepts(compareScalars(value, bound));
  return (
    above(test.lessThan, (order) => order < 0) &&
    above(test.atMost, (order) => order <= 0) &&
    above(test.greaterThan, (order) => order > 0) &&
    above(test.atLeast, (order) => order >= 0)
  );
}

/** Compares two strings or two numbers; NaN for other pairs, for which every comparison is false. */
function compareScalars(value: Json, bound: string | number): number {
  if (typeof value === "string" && typeof bound === "string") return compareBytes(value, bound);
  if (typeof value === "number" && typeof bound === "number") return value - bound;
  return Number.NaN;
}
