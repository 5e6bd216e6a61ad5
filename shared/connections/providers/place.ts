/** Half of what a record may hold: the place is kept in one with the failures that are told of, and what else a run knows. */
export const MOST_PLACE_BYTES = 200 * 1024;

/** Bytes of a place, or of what is one more member of a list in it, as JSON. */
export function sizeOf(part: string | object): number {
  const comma = 1;
  return Buffer.byteLength(JSON.stringify(part)) + comma;
}

/** Bytes that a place may still grow by. */
export function roomIn(place: object): number {
  return MOST_PLACE_BYTES - sizeOf(place);
}
