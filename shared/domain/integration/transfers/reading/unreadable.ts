/** A file that cannot be read as a whole; the message states the problem and the remedy. */
export class UnreadableImportError extends Error {
  override name = "UnreadableImportError";
}
