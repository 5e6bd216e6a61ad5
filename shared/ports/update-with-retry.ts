import { notFound, ServiceError } from "../kernel/errors.ts";
import { ConditionFailedError } from "./errors.ts";

/** How often a change is retried after a conflict; each retry starts from the stored state. */
const MAX_ATTEMPTS = 16;

/** A versioned resource: its name in errors, and how it is read. */
export interface VersionedResource<Thing> {
  resource: string;
  id: string;
  find(): Promise<Thing | undefined>;
  /** The required version, if any. */
  ifMatch?: number;
}

/**
 * Reads a resource and writes a change that depends on it, retried from the start after a conflict. Throws
 * `<RESOURCE>_NOT_FOUND`, PRECONDITION_FAILED for a version other than `ifMatch`, and VERSION_CONFLICT after too many
 * conflicts.
 */
export async function updateWithRetry<Thing extends { version: number }, T>(
  { resource, id, find, ifMatch }: VersionedResource<Thing>,
  act: (thing: Thing) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const thing = await find();
    if (!thing) throw notFound(resource, id);
    if (ifMatch !== undefined && thing.version !== ifMatch) throw changedSince(resource, id, thing.version);
    try {
      return await act(thing);
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        throw new ServiceError("VERSION_CONFLICT", `The ${resource} is being changed by other requests. Try again.`, {
          [`${resource}_id`]: id,
        });
      }
    }
  }
}

function changedSince(resource: string, id: string, current_version: number): ServiceError {
  return new ServiceError(
    "PRECONDITION_FAILED",
    `The ${resource} has changed. Read it again and retry with its current ETag.`,
    {
      [`${resource}_id`]: id,
      current_version,
    },
  );
}
