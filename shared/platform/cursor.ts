/** An opaque cursor that holds a place: anything that is JSON. */
export function toCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/**
 * The place that a cursor holds: whoever made it says of what type that is, as cursors come back to who made them. Throws
 * RangeError where it holds none.
 */
export function fromCursor<Place = unknown>(cursor: string): Place {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw new RangeError("the cursor is not one that a page told");
  }
}
