import type { Client, Request } from "autocannon";
import { Generator } from "../bench/corpus.ts";
import type { Tenant } from "./tenants.ts";

export type Kind = "read one" | "list" | "search" | "write";

/** Seven reads, two searches and a write; each connection sends them in its own order. */
const CYCLE: Kind[] = [...times(5, "read one"), ...times(2, "list"), ...times(2, "search"), "write"];
const PAGES = 20;
const PAGE = 20;
const QUESTIONS = 1_000;

/** Shared by all connections, because creating one takes longer than a response of the service. */
const text = new Generator(7);
const questions = Array.from({ length: QUESTIONS }, () => encodeURIComponent(text.question()));

/** Receives the kind of each response and its milliseconds. */
type Note = (kind: Kind, milliseconds: number) => void;

function times(count: number, kind: Kind): Kind[] {
  return Array.from({ length: count }, () => kind);
}

/**
 * Makes a connection request the data of `tenant`. Its writes create, change and delete a memory in turn, so that each
 * connection adds at most one memory, however long it runs.
 */
export function askFor(tenant: Tenant, client: Client, note: Note): void {
  const own = new OwnMemory();
  const headers = { "x-api-key": tenant.key, "content-type": "application/json" };
  const makers: Record<Kind, () => Request> = {
    "read one": () => ({ method: "GET", path: `/memories/${pick(tenant.memories)}` }),
    list: () => ({ method: "GET", path: `/memories?limit=${PAGE}&offset=${PAGE * Math.floor(Math.random() * PAGES)}` }),
    search: () => ({ method: "GET", path: `/search?q=${pick(questions)}` }),
    write: () => own.next(),
  };
  let answered: Kind | undefined;
  client.setRequests(
    shuffled(CYCLE).map((kind) => ({
      // Set for each request, because the library keeps the length of the last body in them.
      setupRequest: (request) => Object.assign(request, { headers: { ...headers }, body: undefined }, makers[kind]()),
      onResponse: (status, body) => {
        answered = kind;
        if (kind === "write") own.written(status, body);
      },
    })),
  );
  // The library reports the time of a response right after the response itself.
  client.on("response", (_status, _bytes, milliseconds) => {
    if (answered !== undefined) note(answered, milliseconds);
    answered = undefined;
  });
}

/** The memory that a connection creates, changes and deletes repeatedly. */
class OwnMemory {
  #id: string | undefined;
  #isChanged = false;

  next(): Request {
    const body = JSON.stringify({ content: text.memory() });
    if (this.#id === undefined) return { method: "POST", path: "/memories", body };
    const path = `/memories/${this.#id}`;
    return this.#isChanged ? { method: "DELETE", path } : { method: "PUT", path, body };
  }

  written(status: number, body: string): void {
    if (status === 201) {
      this.#id = JSON.parse(body).data.id;
      this.#isChanged = false;
    } else if (this.#isChanged) this.#id = undefined;
    else this.#isChanged = true;
  }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function pick(from: string[]): string {
  return from[Math.floor(Math.random() * from.length)] ?? "";
}
