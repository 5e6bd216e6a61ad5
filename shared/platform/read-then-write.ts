import { notFound, ServiceError } from "../kernel/errors.ts";
import { ConditionFailed } from "./errors.ts";

/** How often a change is repeated that met another one; each repetition starts from what the other stored. */
const MAX_ATTEMPTS = 16;

/** A thing with versions: how it is named in errors, and how it is read. */
export interface Changeable<Thing> {
  resource: string;
  id: string;
  find(): Promise<Thing | undefined>;
  /** Version that it must be, if one is named. */
  ifMatch?: number;
}

/**
 * Reads something and writes what depends on it, again from the start when somebody else wrote in between. Throws
 * `<RESOURCE>_NOT_FOUND`, PRECONDITION_FAILED for another version than `ifMatch`, and VERSION_CONFLICT when it never
 * comes to rest.
 */
export async function readThenWrite<Thing extends { version: number }, T>(
  { resource, id, find, ifMatch }: Changeable<Thing>,
  act: (thing: Thing) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const thing = await find();
    if (!thing) throw notFound(resource, id);
    if (ifMatch !== undefined && thing.version !== ifMatch) throw changedSince(resource, id, thing.version);
    try {
      return await act(thing);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        throw new ServiceError("VERSION_CONFLICT", `Others keep changing this ${resource}. Try again.`, {
          [`${resource}_id`]: id,
        });
      }
    }
  }
}

function changedSince(resource: string, id: string, current_version: number): ServiceError {
  return new ServiceError(
    "PRECONDITION_FAILED",
    `The ${resource} changed since. Read it again and repeat with its ETag.`,
    {
      [`${resource}_id`]: id,
      current_version,
    },
  );
}
