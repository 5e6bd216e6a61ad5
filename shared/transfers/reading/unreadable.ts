/** A file of rows that cannot be read as a whole; the message says what is wrong and what to do. */
export class UnreadableImportError extends Error {
  override name = "UnreadableImportError";
}
