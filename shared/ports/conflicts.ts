import { type ErrorCode, existing, ServiceError } from "../kernel/errors.ts";
import { ConditionFailedError } from "./errors.ts";
import type { Ports } from "./ports.ts";
import type { Write } from "./record-store.ts";

/** Maximum attempts of a change after conflicts; each attempt starts from the stored state. */
const MAX_ATTEMPTS = 16;

type Scope = { ports: Pick<Ports, "records"> };

/** Writes everything, or nothing if a condition fails; returns whether it wrote. */
export async function tryWrite({ ports }: Scope, ...writes: Write[]): Promise<boolean> {
  try {
    await ports.records.write(...writes);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
}

/** Writes everything, or nothing if a condition fails; then throws the error that `refusalOf` returns. */
export async function writeOrThrow(
  { ports }: Scope,
  writes: Write[],
  refusalOf: (conflict: ConditionFailedError) => Error | Promise<Error>,
): Promise<void> {
  try {
    await ports.records.write(...writes);
  } catch (error) {
    throw error instanceof ConditionFailedError ? await refusalOf(error) : error;
  }
}

export interface RetryOptions {
  attempts?: number;
  /** Whether another attempt may succeed; by default always. */
  isTransient?: (conflict: ConditionFailedError) => boolean;
  /** Returns the error to throw after the last attempt; by default its conflict. */
  exhausted?: (conflict: ConditionFailedError) => Error;
}

/**
 * Runs `attempt`, which reads and then writes, until it causes no conflict, and returns its result. A repeated attempt
 * gets the conflict as its argument. Code that must run only once belongs after the call.
 */
export async function retryOnConflict<T>(
  attempt: (conflict?: ConditionFailedError) => Promise<T>,
  { attempts = MAX_ATTEMPTS, isTransient = () => true, exhausted = (conflict) => conflict }: RetryOptions = {},
): Promise<T> {
  let conflict: ConditionFailedError | undefined;
  for (let left = attempts; ; left--) {
    if (conflict && left === 0) throw exhausted(conflict);
    try {
      return await attempt(conflict);
    } catch (error) {
      if (!(error instanceof ConditionFailedError && isTransient(error))) throw error;
      conflict = error;
    }
  }
}

/** Returns the error for a resource with too many concurrent changes. */
export function beingChanged(resource: string, id?: string, code: ErrorCode = "CONFLICT"): ServiceError {
  const details = id === undefined ? undefined : { [`${resource}_id`]: id };
  return new ServiceError(code, `The ${resource} is being changed by other requests. Try again.`, details);
}

/** A versioned resource: its name in errors, and how it is read. */
export interface VersionedResource<Thing> {
  resource: string;
  id: string;
  find(): Promise<Thing | undefined>;
  /** The required version, if any. */
  ifMatch?: number;
}

/**
 * Reads a resource and runs `act`, which writes a change of it; repeats both after a conflict. Returns `act`'s result.
 * Throws `<RESOURCE>_NOT_FOUND`, PRECONDITION_FAILED for a version other than `ifMatch`, and VERSION_CONFLICT after too
 * many conflicts.
 */
export function updateWithRetry<Thing extends { version: number }, T>(
  { resource, id, find, ifMatch }: VersionedResource<Thing>,
  act: (thing: Thing) => Promise<T>,
): Promise<T> {
  return retryOnConflict(
    async () => {
      const thing = existing(await find(), resource, id);
      if (ifMatch !== undefined && thing.version !== ifMatch) throw changedSince(resource, id, thing.version);
      return act(thing);
    },
    { exhausted: () => beingChanged(resource, id, "VERSION_CONFLICT") },
  );
}

function changedSince(resource: string, id: string, current_version: number): ServiceError {
  return new ServiceError(
    "PRECONDITION_FAILED",
    `The ${resource} has changed. Read it again and retry with its current ETag.`,
    { [`${resource}_id`]: id, current_version },
  );
}
