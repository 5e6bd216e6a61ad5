/** A document out of which nothing can be read; the message says why, in words for whoever sent it. */
export class Unreadable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "Unreadable";
  }
}
