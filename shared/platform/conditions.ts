import type { AttributeTests } from "./ports.ts";

/** Whether tests as a condition let an absent item pass: each of them must allow an absent attribute by name. */
export function allowsAbsentItem(tests: AttributeTests): boolean {
  return Object.values(tests).every(
    (test) =>
      typeof test === "object" && (("absent" in test && test.absent) || ("orAbsent" in test && test.orAbsent === true)),
  );
}
