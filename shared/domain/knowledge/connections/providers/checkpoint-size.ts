/** Half of a record's limit: the checkpoint shares a record with reported failures and other state of the run. */
export const MAX_CHECKPOINT_BYTES = 200 * 1024;

/** Bytes as JSON of a checkpoint, or of another member of a list in it. */
export function sizeOf(part: string | object): number {
  const comma = 1;
  return Buffer.byteLength(JSON.stringify(part)) + comma;
}

/** Bytes by which a checkpoint may still grow. */
export function remainingBytes(place: object): number {
  return MAX_CHECKPOINT_BYTES - sizeOf(place);
}
