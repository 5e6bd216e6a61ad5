/** The provider does not take the credentials (any more), and there is no way to others. */
export class CredentialsRefused extends Error {
  constructor() {
    super("the provider refuses the credentials");
    this.name = "CredentialsRefused";
  }
}

/** The provider wants to be left alone until then, or the time for this turn is over. Not a failure. */
export class Postponed extends Error {
  /** Epoch milliseconds. */
  readonly until: number;

  constructor(until: number) {
    super("to be gone on with later");
    this.name = "Postponed";
    this.until = until;
  }
}

/** The provider cannot be reached, does not keep to its protocol, or says no to the whole of a request. `message` is for people. */
export class ProviderFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ProviderFailed";
  }
}

type Fault = CredentialsRefused | Postponed | ProviderFailed;

export function isFault(error: unknown): error is Fault {
  return error instanceof CredentialsRefused || error instanceof Postponed || error instanceof ProviderFailed;
}

const MOST_LAYERS = 5;

/** The error that a client library put others around. */
export function innermost(error: unknown): unknown {
  let inner = error;
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const { cause, original }: { cause?: unknown; original?: unknown } = inner instanceof Error ? inner : {};
    const next = cause ?? original;
    if (isFault(inner) || !(next instanceof Error)) break;
    inner = next;
  }
  return inner;
}
