import type * as api from "./api.ts";
import { call } from "./call.ts";
import { OPERATIONS } from "./operations.ts";
import { type ClientOptions, type RequestOptions, Transport } from "./transport.ts";

type Memory = api.ListAnswer["memories"][number];
type Message = api.ListMessagesAnswer["messages"][number];

/**
 * A client of one memory service. All methods throw a MemoryError if the service rejects the request or does not
 * answer.
 */
export class MemoryClient {
  readonly #transport: Transport;
  readonly facts: Facts;
  readonly sessions: Sessions;
  readonly sources: Sources;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.facts = new Facts(this.#transport);
    this.sessions = new Sessions(this.#transport);
    this.sources = new Sources(this.#transport);
  }

  /** Stores a memory: a text, or a text with its user, time and metadata. */
  remember(memory: string | api.RememberBody, options?: RequestOptions): Promise<api.RememberAnswer> {
    const body = typeof memory === "string" ? { content: memory } : memory;
    return call(this.#transport, OPERATIONS.remember, { body }, options);
  }

  /** Stores up to 100 memories; each is stored or fails on its own. */
  rememberMany(
    memories: api.RememberManyBody["memories"],
    more: Omit<api.RememberManyBody, "memories"> = {},
    options?: RequestOptions,
  ): Promise<api.RememberManyAnswer> {
    return call(this.#transport, OPERATIONS.rememberMany, { body: { memories, ...more } }, options);
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
  list(query: Omit<api.ListQuery, "offset"> = {}, options?: RequestOptions): AsyncGenerator<Memory, void, void> {
    const read = (start: Start) =>
      call<api.ListAnswer>(this.#transport, OPERATIONS.list, { query: { ...query, ...start } }, options);
    return itemsOf(read, ({ memories }) => memories);
  }

  /** Returns the user's profile, from their own words. */
  profile(userId: string, options?: RequestOptions): Promise<api.ProfileAnswer> {
    return call(this.#transport, OPERATIONS.profile, { id: userId }, options);
  }

  /** Returns the state of a background job, such as an import. */
  event(id: string, options?: RequestOptions): Promise<api.GetEventAnswer> {
    return call(this.#transport, OPERATIONS.getEvent, { id }, options);
  }
}

/** What the memories of users say, as values of properties, with their validity. */
class Facts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Yields all facts that match the filters; `as_of` asks for those that were true at a time. */
  list(query: Omit<api.ListFactsQuery, "offset"> = {}, options?: RequestOptions): AsyncGenerator<api.Fact, void, void> {
    const read = (start: Start) =>
      call<api.ListFactsAnswer>(this.#transport, OPERATIONS.listFacts, { query: { ...query, ...start } }, options);
    return itemsOf(read, ({ facts }) => facts);
  }

  /** Returns a fact with its history. */
  get(id: string, options?: RequestOptions): Promise<api.GetFactAnswer> {
    return call(this.#transport, OPERATIONS.getFact, { id }, options);
  }

  /** Corrects what was read wrongly. Values that were true before stay in the history. */
  correct(id: string, changes: api.CorrectFactBody, options?: RequestOptions): Promise<api.CorrectFactAnswer> {
    return call(this.#transport, OPERATIONS.correctFact, { id, body: changes }, options);
  }

  /** Marks a fact as never true. */
  retract(id: string, options?: RequestOptions): Promise<api.RetractFactAnswer> {
    return call(this.#transport, OPERATIONS.retractFact, { id }, options);
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

  get(id: string, options?: RequestOptions): Promise<api.ReadSessionAnswer> {
    return call(this.#transport, OPERATIONS.readSession, { id }, options);
  }

  /** Changes the given fields. With `ifVersion`, throws a ConflictError if the session has another version. */
  update(id: string, changes: api.UpdateSessionBody, options?: RequestOptions): Promise<api.UpdateSessionAnswer> {
    return call(this.#transport, OPERATIONS.updateSession, { id, body: changes }, options);
  }

  append(id: string, message: api.AppendMessageBody, options?: RequestOptions): Promise<api.AppendMessageAnswer> {
    return call(this.#transport, OPERATIONS.appendMessage, { id, body: message }, options);
  }

  /** Yields all messages that match the filters, oldest first. */
  async *messages(
    id: string,
    { offset, after, ...query }: api.ListMessagesQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<Message, void, void> {
    for (let start: api.ListMessagesQuery = { offset, after }; ; ) {
      const page = await call<api.ListMessagesAnswer>(
        this.#transport,
        OPERATIONS.listMessages,
        { id, query: { ...query, ...start } },
        options,
      );
      yield* page.messages;
      const last = page.messages.at(-1);
      if (!page.pagination.has_next || last === undefined) return;
      start = { after: last.created_at };
    }
  }

  /** Returns what a model needs to continue the conversation. */
  context(id: string, options?: RequestOptions): Promise<api.ReadContextAnswer> {
    return call(this.#transport, OPERATIONS.readContext, { id }, options);
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

/** Where a page starts: at the cursor of the page before, or at an offset in lists without cursors. */
type Start = { cursor: string } | { offset: number } | Record<string, never>;

/** Yields the items of all pages. Pages are fetched as the loop needs them. */
async function* itemsOf<Page extends { pagination: { has_next: boolean; next_cursor?: string } }, Item>(
  read: (start: Start) => Promise<Page>,
  itemsIn: (page: Page) => Item[],
): AsyncGenerator<Item, void, void> {
  let count = 0;
  for (let start: Start = {}; ; ) {
    const page = await read(start);
    const items = itemsIn(page);
    yield* items;
    count += items.length;
    const { has_next, next_cursor: cursor } = page.pagination;
    if (!has_next || (items.length === 0 && cursor === undefined)) return;
    start = cursor === undefined ? { offset: count } : { cursor };
  }
}
