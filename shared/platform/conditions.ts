import { timestamp } from "../kernel/clock.ts";
import type { AttributeTests } from "./ports.ts";

/** Whether tests as a condition let an absent item pass: each of them must allow an absent attribute by name. */
export function allowsAbsentItem(tests: AttributeTests): boolean {
  return Object.values(tests).every(
    (test) =>
      typeof test === "object" && (("absent" in test && test.absent) || ("orAbsent" in test && test.orAbsent === true)),
  );
}

/** What has not expired by `expire_at`: `ttl` has whole seconds, and tells nothing of what expires within the current one. */
export function unexpired(now: number): AttributeTests {
  return { expire_at: { greaterThan: timestamp(now), orAbsent: true } };
}
