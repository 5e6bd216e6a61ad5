/** Half of a record's limit: the checkpoint shares a record with reported failures and other state of the run. */
export const MAX_CHECKPOINT_BYTES = 200 * 1024;

/** Size in bytes of a checkpoint as JSON, or of a list member in it with its comma. */
export function sizeOf(part: string | object): number {
  const comma = 1;
  return Buffer.byteLength(JSON.stringify(part)) + comma;
}

/** Bytes by which a checkpoint may still grow. */
export function remainingBytes(checkpoint: object): number {
  return MAX_CHECKPOINT_BYTES - sizeOf(checkpoint);
}
