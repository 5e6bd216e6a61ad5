import { ConditionFailedError } from "./errors.ts";
import type { Ports, Write } from "./ports.ts";

/**
 * Writes everything, or nothing if a condition fails; returns whether it wrote. For writes that another process may do
 * as well.
 */
export async function tryWrite({ ports }: { ports: Pick<Ports, "records"> }, ...writes: Write[]): Promise<boolean> {
  try {
    await ports.records.write(...writes);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
}
