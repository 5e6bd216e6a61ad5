/** The setup of this machine must be corrected first. */
export class SetupError extends Error {
  /** How to fix it. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
