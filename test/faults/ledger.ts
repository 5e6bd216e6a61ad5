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
 * The state of clients' resources according to the answers that they received. After an error the client reads the state at
 * once, so each resource here has exactly one; only resources that no answer ever named may or may not exist.
 */
export class Ledger {
  readonly #things = new Map<string, { owner: number; state: Known }>();
  /** Unique texts of creations without an answer. */
  readonly unanswered = { memory: new Set<string>(), session: new Set<string>(), skill: new Set<string>() };
  /** Contents of memories created with an Idempotency-Key: each exists at most once. */
  readonly once = new Set<string>();
  /** The memories that are shared with each agent. */
  readonly shares = new Map<string, Set<string>>();
  /** Events that mem0 clients' requests started. */
  readonly events: { id: string; subject: string }[] = [];
  /** Email addresses of invited people. */
  readonly invited: string[] = [];
  /** Events that webhooks must receive, as `name id`. */
  readonly occurred: string[] = [];

  set(owner: number, id: string, state: Known): void {
    this.#things.set(id, { owner, state });
  }

  /** Ids of the resources of a kind, by default those of all owners. */
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
