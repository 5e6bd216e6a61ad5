/** Returns an opaque cursor with a position, which may be any JSON value. */
export function toCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Returns the position of a cursor; the caller knows its type. Throws RangeError for an invalid cursor. */
export function fromCursor<Position = unknown>(cursor: string): Position {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw new RangeError("the cursor is not one that a page returned");
  }
}
