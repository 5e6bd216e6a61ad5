/** A memory as its client knows it. */
export interface KnownMemory {
  kind: "memory";
  /** Content of each version, the first at 0. */
  versions: string[];
  links: string[];
  isDeleted: boolean;
}

export interface KnownSession {
  kind: "session";
  /** Contents of the messages, in order. */
  messages: string[];
  isClosed: boolean;
}

export interface KnownSkill {
  kind: "skill";
  action: string;
  uses: number;
  isDeleted: boolean;
}

export interface KnownKey {
  kind: "key";
  /** Shown once, in the answer. */
  secret: string;
  isRevoked: boolean;
}

export interface KnownSource {
  kind: "source";
  content: string;
  isDeleted: boolean;
}

export interface KnownWebhook {
  kind: "webhook";
  name: string;
  isDeleted: boolean;
}

export type Known = KnownMemory | KnownSession | KnownSkill | KnownKey | KnownSource | KnownWebhook;
type Kind = Known["kind"];
type Of<K extends Kind> = Extract<Known, { kind: K }>;

/**
 * What clients know of their things by the answers that they got. Whoever is left in doubt by an error looks at once, so a
 * thing is always in one state here; only what was never named in an answer may be there or not.
 */
export class Ledger {
  readonly #things = new Map<string, { owner: number; state: Known }>();
  /** What creations without an answer were to make, by a text that no other has. */
  readonly unanswered = { memory: new Set<string>(), session: new Set<string>(), skill: new Set<string>() };
  /** Contents of memories under an Idempotency-Key: each is there at most once. */
  readonly once = new Set<string>();
  /** Agent -> memories that it was given and not taken. */
  readonly shares = new Map<string, Set<string>>();
  /** Events of mem0's clients that were begun. */
  readonly events: { id: string; subject: string }[] = [];
  /** E-mail addresses of people who were invited. */
  readonly invited: string[] = [];
  /** Events that webhooks are to be told of, as `name id`. */
  readonly occurred: string[] = [];

  set(owner: number, id: string, state: Known): void {
    this.#things.set(id, { owner, state });
  }

  /** Ids of things of a kind, whoever made them unless told. */
  ids<K extends Kind>(kind: K, filter: (state: Of<K>) => boolean = () => true, owner?: number): string[] {
    return [...this.#things].flatMap(([id, { owner: own, state }]) =>
      state.kind === kind && (owner === undefined || owner === own) && filter(state as Of<K>) ? [id] : [],
    );
  }

  has(id: string): boolean {
    return this.#things.has(id);
  }

  state(id: string): Known {
    const thing = this.#things.get(id);
    if (!thing) throw new Error(`nobody knows ${id}`);
    return thing.state;
  }

  get<K extends Kind>(kind: K, id: string): Of<K> {
    const state = this.state(id);
    if (state.kind !== kind) throw new Error(`${id} is no ${kind}`);
    return state as Of<K>;
  }
}
