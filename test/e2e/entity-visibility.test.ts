import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LocalService, openService } from "../support/service.ts";

const HOUR = 3_600_000;

let service: LocalService;
let now = Date.now();
let agent: string;
let own: string;
let memory: { id: string; entities: { id: string; name: string }[] };

beforeAll(async () => {
  service = await openService({}, () => now);
});
afterAll(() => service.close());

async function done(method: string, path: string, body?: unknown, key = service.adminKey) {
  const answer = await service.request(method, path, { key, body });
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  await service.host.drain();
  return answer.body.data;
}

beforeEach(async () => {
  agent = (await done("POST", "/agents", { name: "Guide", model: "m" })).id;
  const permissions = ["memory:read", "memory:write"];
  own = (await done("POST", "/api-keys", { name: "own", permissions, agent_id: agent })).key;
  memory = await done("POST", "/memories", { content: "Ada Quixote sails to Crete." });
  expect(memory.entities.length).toBeGreaterThan(0);
});

/** Returns the entity names that the agent's key sees; all routes of entities must agree. */
async function known(): Promise<string[]> {
  const listed = (await done("GET", "/entities?limit=1", undefined, own)).pagination.total;
  const { entities } = await done("GET", "/entities", undefined, own);
  expect(entities).toHaveLength(listed);
  for (const { id, name } of memory.entities) {
    const isListed = entities.some((entity: { id: string }) => entity.id === id);
    const { status } = await service.request("GET", `/entities/${id}`, { key: own });
    expect(status).toBe(isListed ? 200 : 404);
    const prefix = encodeURIComponent(name.slice(0, 3));
    const searched = await done("GET", `/entities?q=${prefix}`, undefined, own);
    expect(searched.entities.some((entity: { id: string }) => entity.id === id)).toBe(isListed);
  }
  return entities.map(({ name }: { name: string }) => name).sort();
}

const names = () => memory.entities.map(({ name }) => name).sort();
const share = (fields: object = {}) =>
  done("POST", `/agents/${agent}/memories`, { memory_id: memory.id, access_type: "read", ...fields });

describe("an agent's API key sees the entities of a shared memory", () => {
  it("until the share is removed", async () => {
    expect(await known()).toEqual([]);
    await share();
    expect(await known()).toEqual(names());
    await done("DELETE", `/agents/${agent}/memories/${memory.id}`);
    expect(await known()).toEqual([]);
  });

  it("until the share expires", async () => {
    await share({ expires_at: new Date(now + HOUR).toISOString() });
    expect(await known()).toEqual(names());
    now += HOUR;
    expect(await known()).toEqual([]);
  });

  it("until the memory no longer mentions them", async () => {
    await share();
    await done("PUT", `/memories/${memory.id}`, { content: "It rains." });
    expect(await known()).toEqual([]);
  });

  it("as long as another visible memory mentions them", async () => {
    await share();
    await done("POST", "/memories", { content: "Ada Quixote sails to Crete again." }, own);
    await done("DELETE", `/agents/${agent}/memories/${memory.id}`);
    expect(await known()).toEqual(names());
  });

  it("and always the entities that it created", async () => {
    const { name } = await done("POST", "/entities", { name: "Tea", type: "product" }, own);
    expect(await known()).toEqual([name]);
  });
});
