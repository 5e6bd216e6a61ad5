import type * as api from "./api.ts";
import { call } from "./call.ts";
import { OPERATIONS } from "./operations.ts";
import { type ClientOptions, type RequestOptions, Transport } from "./transport.ts";

type Memory = api.ListAnswer["memories"][number];

/**
 * A client of one memory service. All methods throw a MemoryError if the service rejects the request or does not
 * answer.
 */
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
    return call(this.#transport, OPERATIONS.remember, { body }, options);
  }

  /**
   * Returns the context for a prompt: what is known for a query, within `max_tokens`. `confident` is false if nothing
   * answers the query.
   */
  recall(query: string, scope: Omit<api.RecallBody, "query">, options?: RequestOptions): Promise<api.RecallAnswer> {
    return call(this.#transport, OPERATIONS.recall, { body: { query, ...scope } }, options);
  }

  /** Returns the results of a query, best first. */
  search(
    query: string,
    search: Omit<api.SearchBody, "query"> = {},
    options?: RequestOptions,
  ): Promise<api.SearchAnswer> {
    return call(this.#transport, OPERATIONS.search, { body: { query, ...search } }, options);
  }

  get(id: string, options?: RequestOptions): Promise<api.GetAnswer> {
    return call(this.#transport, OPERATIONS.get, { id }, options);
  }

  /** Changes the given fields. With `ifVersion`, throws a ConflictError if the memory has another version. */
  update(id: string, changes: api.UpdateBody, options?: RequestOptions): Promise<api.UpdateAnswer> {
    return call(this.#transport, OPERATIONS.update, { id, body: changes }, options);
  }

  forget(id: string, options?: RequestOptions): Promise<api.ForgetAnswer> {
    return call(this.#transport, OPERATIONS.forget, { id }, options);
  }

  /** Yields all memories that match the filters. Pages are fetched as the loop needs them. */
  async *list(query: Omit<api.ListQuery, "offset"> = {}, options?: RequestOptions): AsyncGenerator<Memory, void, void> {
    for (let offset = 0; ; ) {
      const page = await call<api.ListAnswer>(
        this.#transport,
        OPERATIONS.list,
        { query: { ...query, offset } },
        options,
      );
      yield* page.memories;
      offset += page.memories.length;
      if (!page.pagination.has_next || page.memories.length === 0) return;
    }
  }

  /** Returns the user's profile, from their own words. */
  profile(userId: string, options?: RequestOptions): Promise<api.ProfileAnswer> {
    return call(this.#transport, OPERATIONS.profile, { id: userId }, options);
  }
}

class Sessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(session: api.CreateSessionBody, options?: RequestOptions): Promise<api.CreateSessionAnswer> {
    return call(this.#transport, OPERATIONS.createSession, { body: session }, options);
  }

  append(id: string, message: api.AppendMessageBody, options?: RequestOptions): Promise<api.AppendMessageAnswer> {
    return call(this.#transport, OPERATIONS.appendMessage, { id, body: message }, options);
  }
}

class Sources {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Adds a text or a web page. Its text is extracted, split into chunks and indexed for search. */
  add(source: api.AddSourceBody, options?: RequestOptions): Promise<api.AddSourceAnswer> {
    return call(this.#transport, OPERATIONS.addSource, { body: source }, options);
  }
}
