/** A document that cannot be read; the message explains why for its sender. */
export class UnreadableError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "UnreadableError";
  }
}
