/** A document that cannot be read; the message tells its sender why. */
export class UnreadableError extends Error {
  override name = "UnreadableError";
}
