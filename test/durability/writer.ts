import type { RequestOptions, Service } from "../support/service.ts";
import { abridged, type Ledger, type State } from "./ledger.ts";

const PEOPLE = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Barbara Liskov"];
/** Of this many contents, one is too long for its record and is stored in the blob store. */
const LONG_EVERY = 40;
const LONG_CONTENT = " and so on".repeat(7_000);

let serial = 0;

/** A unique content with a unique word. */
export function newContent(): string {
  const number = ++serial;
  const [one, other] = [pick(PEOPLE), pick(PEOPLE)];
  const tail = number % LONG_EVERY === 0 ? LONG_CONTENT : "";
  return `${wordOf(number)}: ${one} told ${other} about it in Zurich${tail}`;
}

const wordOf = (number: number): string => `serial${number}`;

/** The word with which search finds only this content. */
export function searchWord(content: string): string {
  return content.slice(0, content.indexOf(":"));
}

function pick<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)]!;
}

/** A client that writes to its own memories, one request at a time, until the service is gone. */
export class Writer {
  readonly #service: Service;
  readonly #ledger: Ledger;
  readonly #entityIds: string[];
  readonly #own: string[];

  constructor(service: Service, ledger: Ledger, own: string[], entityIds: string[]) {
    this.#service = service;
    this.#ledger = ledger;
    this.#own = own;
    this.#entityIds = entityIds;
  }

  /** Resolves when a request remains unanswered. Rejects if the service refuses one. */
  async run(): Promise<void> {
    const deeds = [
      () => this.#create(),
      () => this.#createBatch(),
      () => this.#update(),
      () => this.#updateBatch(),
      () => this.#link(),
      () => this.#delete(),
      () => this.#deleteBatch(),
    ];
    while (await pick(deeds)());
  }

  async #create(): Promise<boolean> {
    const content = newContent();
    const answer = await this.#send("POST", "/memories", { body: { content } });
    if (answer === undefined) this.#ledger.creationUnanswered(content);
    else this.#remember(answer.id, content);
    return answer !== undefined;
  }

  async #createBatch(): Promise<boolean> {
    const contents = Array.from({ length: 5 }, () => newContent());
    const memories = contents.map((content) => ({ content }));
    const answer = await this.#send("POST", "/memories/batch", { body: { memories } });
    if (answer === undefined) for (const content of contents) this.#ledger.creationUnanswered(content);
    else for (const { id, content } of answer.created) this.#remember(id, content);
    return answer !== undefined;
  }

  #remember(id: string, content: string): void {
    this.#own.push(id);
    this.#ledger.created(id, content);
  }

  async #update(): Promise<boolean> {
    const [id] = this.#choose(1);
    if (id === undefined) return true;
    const content = newContent();
    return this.#change([[id, (state) => revised(state, content)]], "PUT", `/memories/${id}`, { content });
  }

  async #updateBatch(): Promise<boolean> {
    const updates = this.#choose(3).map((id) => ({ id, content: newContent() }));
    if (updates.length === 0) return true;
    const changes = updates.map(({ id, content }) => [id, (state: State) => revised(state, content)] as const);
    return this.#change(changes, "PUT", "/memories/batch-update", { updates });
  }

  async #link(): Promise<boolean> {
    const [id] = this.#choose(1);
    if (id === undefined) return true;
    const entity = pick(this.#entityIds);
    const link = (state: State) => ({ ...state, links: [...new Set([...state.links, entity])].sort() });
    return this.#change([[id, link]], "POST", `/memories/${id}/link/${entity}`, { relationship_type: "about" });
  }

  async #delete(): Promise<boolean> {
    const [id] = this.#choose(1);
    if (id === undefined) return true;
    return this.#change([[id, markDeleted]], "DELETE", `/memories/${id}`);
  }

  async #deleteBatch(): Promise<boolean> {
    const ids = this.#choose(2);
    if (ids.length === 0) return true;
    return this.#change(
      ids.map((id) => [id, markDeleted] as const),
      "DELETE",
      "/memories/batch-delete",
      { ids },
    );
  }

  /** Some of its own existing memories, each at most once. */
  #choose(count: number): string[] {
    const living = this.#own.filter((id) => this.#ledger.current(id).isDeleted === false);
    return [...new Set(Array.from({ length: Math.min(count, living.length) }, () => pick(living)))];
  }

  async #change(
    changes: (readonly [id: string, act: (state: State) => State])[],
    method: string,
    path: string,
    body?: unknown,
  ): Promise<boolean> {
    const answer = await this.#send(method, path, { body });
    for (const [id, act] of changes) {
      const before = this.#ledger.current(id);
      if (answer === undefined) this.#ledger.changeUnanswered(id, act(before));
      else this.#ledger.changed(id, act(before));
    }
    return answer !== undefined;
  }

  /** The data of the answer; undefined if there was none. */
  async #send(method: string, path: string, options: RequestOptions) {
    const answered = await this.#service.request(method, path, options).catch((error) => {
      if (isCutOff(error)) return undefined;
      throw error;
    });
    if (answered === undefined) {
      this.#ledger.unanswered += 1;
      return undefined;
    }
    const { status, body } = answered;
    const failed = body.data?.failed ?? [];
    if (status >= 300 || failed.length > 0) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body.data;
  }
}

const markDeleted = (state: State): State => ({ ...state, isDeleted: true });

function revised(state: State, content: string): State {
  return { ...state, versions: [...state.versions, abridged(content)] };
}

/** Whether fetch failed because the other side is gone, before or during a response. */
function isCutOff(error: unknown): boolean {
  return error instanceof TypeError && ["fetch failed", "terminated"].includes(error.message);
}
