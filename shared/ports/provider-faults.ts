/** The provider refuses the credentials and they cannot be renewed. */
export class CredentialsRefusedError extends Error {
  constructor() {
    super("the provider refuses the credentials");
    this.name = "CredentialsRefusedError";
  }
}

/** The provider asks to wait until a time, or the time of the job's turn is over. Not a failure. */
export class RetryLaterError extends Error {
  /** Epoch milliseconds. */
  readonly until: number;

  constructor(until: number) {
    super("the work continues later");
    this.name = "RetryLaterError";
    this.until = until;
  }
}

/** The provider is unreachable, violates its protocol or refuses a request. `message` is shown to people. */
export class ProviderError extends Error {
  override name = "ProviderError";
}

type Fault = CredentialsRefusedError | RetryLaterError | ProviderError;

export function isFault(error: unknown): error is Fault {
  return error instanceof CredentialsRefusedError || error instanceof RetryLaterError || error instanceof ProviderError;
}

const MAX_LAYERS = 5;

/** Returns the innermost error that a client library wrapped. */
export function innermost(error: unknown): unknown {
  let inner = error;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const { cause, original }: { cause?: unknown; original?: unknown } = inner instanceof Error ? inner : {};
    const next = cause ?? original;
    if (isFault(inner) || !(next instanceof Error)) break;
    inner = next;
  }
  return inner;
}
