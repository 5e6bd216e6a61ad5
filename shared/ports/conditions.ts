import { timestamp } from "../kernel/clock.ts";
import type { AttributeTests } from "./record-store.ts";

/** Whether tests used as a condition accept an absent item: each must allow an absent attribute. */
export function allowsAbsentItem(tests: AttributeTests): boolean {
  return Object.values(tests).every(
    (test) =>
      typeof test === "object" && (("absent" in test && test.absent) || ("orAbsent" in test && test.orAbsent === true)),
  );
}

/** Returns tests for records that have not expired by `expire_at`; `ttl` alone is not exact, because it has seconds. */
export function unexpired(now: number): AttributeTests {
  return { expire_at: { greaterThan: timestamp(now), orAbsent: true } };
}
