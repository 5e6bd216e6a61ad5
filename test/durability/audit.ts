import { expect } from "vitest";
import type { Service } from "../support/service.ts";
import { abridged, Ledger, type State } from "./ledger.ts";
import { newContent, searchWord } from "./writer.ts";

/** Concurrent requests of an audit. */
const AT_ONCE = 4;
const PAGE = 100;
const HITS = 1;

/** The data of a response; undefined for a 404. */
async function read(service: Service, path: string) {
  const { status, body } = await service.request("GET", path);
  expect(status, path).toBeOneOf([200, 404]);
  return status === 200 ? body.data : undefined;
}

interface MemoryAnswer {
  content: string;
  version: number;
  entities: { id: string; relationship_type?: string }[];
}

/** Compares the data of a service with what it acknowledged. */
export class Audit {
  readonly ledger: Ledger;
  /** Entity ids of each existing memory. */
  readonly #mentions = new Map<string, string[]>();

  constructor(ledger = new Ledger()) {
    this.ledger = ledger;
  }

  /** The first write of a process. It is answered when everything from before the kill is indexed and extraction is loaded. */
  async writeFirst(service: Service): Promise<void> {
    const { status, body } = await service.request("POST", "/memories", { body: { content: newContent() } });
    expect(status).toBe(201);
    this.ledger.created(body.data.id, body.data.content);
  }

  /** Finds the memories that unanswered creations made; each must have the complete content of one. Returns their ids. */
  async adoptUnanswered(service: Service, startedAt: string): Promise<string[]> {
    const adopted: string[] = [];
    for (let offset = 0, hasNext = true; hasNext; offset += PAGE) {
      const page = await read(service, `/memories?created_after=${startedAt}&limit=${PAGE}&offset=${offset}`);
      for (const { id, content } of page.memories) {
        if (this.ledger.possible(id).length > 0) continue;
        expect(this.ledger.adopt(id, content), `${id} was never sent`).toBe(true);
        adopted.push(id);
      }
      hasNext = page.pagination.has_next;
    }
    this.ledger.closeUnanswered();
    return adopted;
  }

  async checkMemories(service: Service, ids: string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      await Promise.all(ids.slice(from, from + AT_ONCE).map((id) => this.#checkMemory(service, id)));
    }
  }

  /** Checks that a memory with its versions is in one of its possible states, and that search has the same state. */
  async #checkMemory(service: Service, id: string): Promise<void> {
    const possible = this.ledger.possible(id);
    const [memory, history] = await Promise.all([
      read(service, `/memories/${id}`),
      read(service, `/memories/${id}/versions?limit=${PAGE}`),
    ]);
    const found = memory ? toState(memory, history) : possible.find(({ isDeleted }) => isDeleted);
    expect(possible, id).toContainEqual(found);
    const hit = await findHit(service, id, found!.versions.at(-1)!);
    expect(hit && abridged(hit.content), `search for ${id}`).toBe(memory && abridged(memory.content));
    this.ledger.drainChangeFeed(id, found!);
    if (memory) this.#mentions.set(id, idsOf(memory.entities));
    else this.#mentions.delete(id);
  }

  /** Checks the counts of memories in the store and in the search index, and those of each entity, against the memories. */
  async checkTotals(service: Service): Promise<void> {
    const [list, stats, { entities }] = await Promise.all([
      read(service, "/memories?limit=1"),
      read(service, "/memories/stats"),
      read(service, `/entities?limit=${PAGE}`),
    ]);
    expect(list.pagination.total).toBe(this.#mentions.size);
    expect(stats.total_count).toBe(this.#mentions.size);
    const mentioned = [...this.#mentions.values()].flat();
    expect(idsOf(entities)).toEqual(expect.arrayContaining([...new Set(mentioned)]));
    for (const { id, name } of entities) {
      const { memory_count } = await read(service, `/entities/${id}`);
      expect(memory_count, `memories that mention ${name}`).toBe(mentioned.filter((entity) => entity === id).length);
    }
  }
}

const idsOf = (entities: { id: string }[]): string[] => entities.map(({ id }) => id);

function toState(memory: MemoryAnswer, history: { versions: { version: number; content: string }[] }): State {
  const { versions } = history;
  expect(versions.map(({ version }) => version)).toEqual(
    Array.from({ length: memory.version }, (_, position) => position + 1),
  );
  expect(abridged(versions.at(-1)?.content ?? "")).toBe(abridged(memory.content));
  const links = memory.entities.filter(({ relationship_type }) => relationship_type !== undefined);
  return { versions: versions.map(({ content }) => abridged(content)), links: idsOf(links).sort(), isDeleted: false };
}

/** Returns the search hit of a memory by the unique word of its content; undefined if there is none. */
async function findHit(service: Service, id: string, content: string): Promise<{ content: string } | undefined> {
  const { results } = await read(service, `/search?q=${searchWord(content)}&threshold=0&limit=${HITS}`);
  return results.find((result: { id: string }) => result.id === id);
}
