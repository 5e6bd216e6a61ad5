import { ConditionFailed } from "./errors.ts";
import type { Ports, Write } from "./ports.ts";

/** Writes all of it, or nothing where a condition does not hold: false then. For what somebody else may do as well. */
export async function writeUnlessChanged(
  { ports }: { ports: Pick<Ports, "records"> },
  ...writes: Write[]
): Promise<boolean> {
  try {
    await ports.records.write(...writes);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
