/** An opaque cursor with a position, which may be any JSON value. */
export function toCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/**
 * The position of a cursor; the caller names its type, because cursors return to their maker. Throws RangeError for an
 * invalid cursor.
 */
export function fromCursor<Place = unknown>(cursor: string): Place {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw new RangeError("the cursor is not one that a page told");
  }
}
