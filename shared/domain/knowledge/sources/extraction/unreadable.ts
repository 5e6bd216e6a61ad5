/** A document that cannot be read; the message explains why for its sender. */
export class UnreadableError extends Error {
  override name = "UnreadableError";
}
