/** Whether bytes are valid in an encoding; a truncated end is fine. */
export function isValidIn(encoding: string, bytes: Uint8Array, isBeginning: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isBeginning });
    return true;
  } catch {
    return false;
  }
}
