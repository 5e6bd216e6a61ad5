import { describe, expect, it } from "vitest";
import { retryOnConflict } from "./conflicts.ts";
import { ConditionFailedError } from "./errors.ts";

const conflictAt = (index: number) => new ConditionFailedError(index, undefined);

/** Fails with these errors, one per attempt, and then returns the conflicts that it got. */
function failing(...errors: Error[]) {
  const met: (ConditionFailedError | undefined)[] = [];
  return async (conflict?: ConditionFailedError) => {
    met.push(conflict);
    const error = errors[met.length - 1];
    if (error) throw error;
    return met;
  };
}

describe("retryOnConflict", () => {
  it("passes each conflict to the next attempt", async () => {
    const [first, second] = [conflictAt(0), conflictAt(1)];
    expect(await retryOnConflict(failing(first, second))).toEqual([undefined, first, second]);
  });

  it("throws any other error at once", async () => {
    await expect(retryOnConflict(failing(new RangeError("too far")))).rejects.toThrow("too far");
  });

  it("throws a conflict that another attempt cannot resolve", async () => {
    const [first, second] = [conflictAt(0), conflictAt(1)];
    const isTransient = ({ index }: ConditionFailedError) => index === 0;
    await expect(retryOnConflict(failing(first, second), { isTransient })).rejects.toBe(second);
  });

  it("throws the error of `exhausted`, or else the last conflict, after so many attempts", async () => {
    const [first, second] = [conflictAt(0), conflictAt(1)];
    await expect(retryOnConflict(failing(first, second), { attempts: 2 })).rejects.toBe(second);
    const exhausted = ({ index }: ConditionFailedError) => new Error(`index ${index}`);
    await expect(retryOnConflict(failing(first, second), { attempts: 2, exhausted })).rejects.toThrow("index 1");
    expect(await retryOnConflict(failing(first, second), { attempts: 3 })).toHaveLength(3);
  });
});
