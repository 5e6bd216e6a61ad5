import type * as api from "./api.ts";
import { OPERATIONS, type OperationName } from "./operations.ts";
import { type ClientOptions, type RequestOptions, Transport } from "./transport.ts";

type Memory = api.ListAnswer["memories"][number];

/** A client of one memory service. All methods throw a MemoryError where the service refuses or does not answer. */
export class MemoryClient {
  readonly #transport: Transport;
  readonly sessions: Sessions;
  readonly sources: Sources;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.sessions = new Sessions(this.#transport);
    this.sources = new Sources(this.#transport);
  }

  /** Stores a memory: a text, or a text with its user, time and metadata. */
  remember(memory: string | api.RememberBody, options?: RequestOptions): Promise<api.RememberAnswer> {
    const body = typeof memory === "string" ? { content: memory } : memory;
    return call(this.#transport, "remember", { body }, options);
  }

  /** Fills a prompt: what is known for a query, within `max_tokens`. `confident` is false where nothing answers it. */
  recall(query: string, scope: Omit<api.RecallBody, "query">, options?: RequestOptions): Promise<api.RecallAnswer> {
    return call(this.#transport, "recall", { body: { query, ...scope } }, options);
  }

  /** What a query finds, best first. */
  search(
    query: string,
    search: Omit<api.SearchBody, "query"> = {},
    options?: RequestOptions,
  ): Promise<api.SearchAnswer> {
    return call(this.#transport, "search", { body: { query, ...search } }, options);
  }

  get(id: string, options?: RequestOptions): Promise<api.GetAnswer> {
    return call(this.#transport, "get", { id }, options);
  }

  /** Changes the named fields. With `ifVersion`, only that version. */
  update(id: string, changes: api.UpdateBody, options?: RequestOptions): Promise<api.UpdateAnswer> {
    return call(this.#transport, "update", { id, body: changes }, options);
  }

  forget(id: string, options?: RequestOptions): Promise<api.ForgetAnswer> {
    return call(this.#transport, "forget", { id }, options);
  }

  /** All memories that the filters allow; pages are read as the loop asks for them. */
  async *list(query: Omit<api.ListQuery, "offset"> = {}, options?: RequestOptions): AsyncGenerator<Memory, void, void> {
    for (let offset = 0; ; ) {
      const page = await call<api.ListAnswer>(this.#transport, "list", { query: { ...query, offset } }, options);
      yield* page.memories;
      offset += page.memories.length;
      if (!page.pagination.has_next || page.memories.length === 0) return;
    }
  }

  /** What is known of a user by their own words. */
  profile(userId: string, options?: RequestOptions): Promise<api.ProfileAnswer> {
    return call(this.#transport, "profile", { id: userId }, options);
  }
}

class Sessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(session: api.CreateSessionBody, options?: RequestOptions): Promise<api.CreateSessionAnswer> {
    return call(this.#transport, "createSession", { body: session }, options);
  }

  append(id: string, message: api.AppendMessageBody, options?: RequestOptions): Promise<api.AppendMessageAnswer> {
    return call(this.#transport, "appendMessage", { id, body: message }, options);
  }
}

class Sources {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Adds a text or a page; its text is read, cut into chunks and found by searches. */
  add(source: api.AddSourceBody, options?: RequestOptions): Promise<api.AddSourceAnswer> {
    return call(this.#transport, "addSource", { body: source }, options);
  }
}

/** Calls an operation whose path has at most one parameter. */
function call<Answer>(
  transport: Transport,
  operation: OperationName,
  { id, query, body }: { id?: string; query?: object; body?: object },
  options?: RequestOptions,
): Promise<Answer> {
  const { method, path } = OPERATIONS[operation];
  const filled = id === undefined ? path : path.replace(/\{\w+\}/, encodeURIComponent(id));
  return transport.send({ method, path: filled, query, body }, options);
}
