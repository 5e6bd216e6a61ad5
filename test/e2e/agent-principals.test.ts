import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parametersOf, type Route } from "../../shared/runtime/http/group.ts";
import { ABSENT, groups, guarded, titled, titleOf, urlOf } from "../routes/harness.ts";
import { SAMPLES } from "../routes/samples/index.ts";
import type { Answered } from "../support/service.ts";
import { type Caller, eventually, IS_DEPLOYED, onceAllKnow, openTarget, type Target } from "../support/target.ts";

/** Words, names and places that occur only in hidden memories. */
const HIDDEN = ["zanzibar", "quixote", "hidden-category", "hidden-user", "hidden-type"];
const SECRET = "Alonso Quixote took Crete to Zanzibar in a walnut shell.";
const ALL = ["memory:read", "memory:write", "memory:delete", "search:read", "agents:read", "agents:write"];

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

async function ok(answer: Promise<Answered>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data;
}

const codeOf = ({ status, body }: Answered) => [status, body.error?.code];
const idsIn = (things: { id: string }[]): string[] => things.map(({ id }) => id);
const soon = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** An organization with an agent and a key of the agent. */
class World {
  readonly admin: Caller;
  agent = "";
  own: Caller;

  constructor(admin: Caller) {
    this.admin = admin;
    this.own = admin;
  }

  static async make(permissions: string[] = ALL): Promise<World> {
    const world = new World(await target.organization());
    world.agent = await world.makeAgent();
    world.own = await world.keyFor(world.agent, permissions);
    return world;
  }

  async makeAgent(fields: object = {}): Promise<string> {
    return (await ok(this.admin.post("/agents", { name: "Guide", model: "m", ...fields }))).id;
  }

  async keyFor(agent_id: string, permissions: string[] = ALL): Promise<Caller> {
    const made = await ok(this.admin.post("/api-keys", { name: "an agent's", permissions, agent_id }));
    expect(made.agent_id).toBe(agent_id);
    return this.admin.as(made.key);
  }

  async remember(content: string, fields: object = {}, by: Caller = this.admin): Promise<string> {
    return (await ok(by.post("/memories", { content, ...fields }))).id;
  }

  share(memory_id: string, fields: object = {}, agent = this.agent) {
    return ok(this.admin.post(`/agents/${agent}/memories`, { memory_id, access_type: "read", ...fields }));
  }

  async listed(query = "", by: Caller = this.own): Promise<string[]> {
    return idsIn((await ok(by.get(`/memories?limit=100${query}`))).memories);
  }

  async found(q: string, by: Caller = this.own): Promise<string[]> {
    return idsIn((await ok(by.get(`/search?q=${encodeURIComponent(q)}&threshold=0`))).results);
  }
}

describe("an agent's API key", () => {
  let world: World;

  beforeEach(async () => {
    world = await World.make();
  });

  it("returns its agent_id, and so does the key that replaces it after a rotation", async () => {
    const [key] = (await ok(world.own.get("/api-keys"))).api_keys;
    expect(key.agent_id).toBe(world.agent);
    expect((await ok(world.own.get(`/api-keys/${key.id}`))).agent_id).toBe(world.agent);
    const hidden = await world.remember(SECRET);
    const { new_key } = await ok(world.own.post(`/api-keys/${key.id}/rotate`, {}));
    const rotated = world.admin.as(new_key.key);
    expect((await ok(rotated.get(`/api-keys/${new_key.id}`))).agent_id).toBe(world.agent);
    expect(codeOf(await rotated.get(`/memories/${hidden}`))).toEqual([404, "MEMORY_NOT_FOUND"]);
  });

  it("can only be created for an existing agent of the organization", async () => {
    const stranger = await World.make();
    for (const agent_id of ["agent_absent", stranger.agent]) {
      const answer = await world.admin.post("/api-keys", { name: "k", permissions: ["memory:read"], agent_id });
      expect(codeOf(answer)).toEqual([404, "AGENT_NOT_FOUND"]);
      expect(answer.body.error?.details).toEqual({ agent_id });
    }
  });

  it("lists only itself among the API keys, and cannot create or update keys", async () => {
    const manager = await world.keyFor(world.agent, ["agents:manage", "memory:read"]);
    const mine = await ok(manager.get("/api-keys"));
    expect(mine.api_keys).toHaveLength(1);
    expect(mine.pagination.total).toBe(1);
    const [{ id: other }] = (await ok(world.own.get("/api-keys"))).api_keys;
    expect(codeOf(await manager.get(`/api-keys/${other}`))).toEqual([404, "API_KEY_NOT_FOUND"]);
    const more = await manager.post("/api-keys", { name: "k", permissions: ["memory:read"] });
    expect(codeOf(more)).toEqual([403, "PERMISSION_DENIED"]);
    const changed = await manager.put(`/api-keys/${mine.api_keys[0].id}`, { name: "k" });
    expect(codeOf(changed)).toEqual([403, "PERMISSION_DENIED"]);
  });

  it("stops working when its agent is deleted", async () => {
    expect((await world.own.get("/memories")).status).toBe(200);
    await ok(world.admin.delete(`/agents/${world.agent}`));
    await onceAllKnow(async () => expect(codeOf(await world.own.get("/memories"))).toEqual([401, "UNAUTHORIZED"]));
  });

  it("reads what any key of its agent stored, and no other memories", async () => {
    const other = await world.keyFor(await world.makeAgent());
    const [mine, theirs, ours] = [
      await world.remember("Ada drinks tea.", {}, world.own),
      await world.remember("Bob drinks tea.", {}, other),
      await world.remember("Eve drinks tea."),
    ];
    const second = await world.keyFor(world.agent);
    for (const key of [world.own, second]) {
      expect((await ok(key.get(`/memories/${mine}`))).content).toBe("Ada drinks tea.");
      for (const hidden of [theirs, ours]) {
        expect(codeOf(await key.get(`/memories/${hidden}`))).toEqual([404, "MEMORY_NOT_FOUND"]);
      }
      await eventually(async () => expect(await world.listed("", key)).toEqual([mine]));
      await eventually(async () => expect(await world.found("tea", key)).toEqual([mine]));
    }
    await eventually(async () => expect(await world.found("tea", other)).toEqual([theirs]));
    await eventually(async () => expect((await world.found("tea", world.admin)).sort()).toEqual([mine, theirs, ours]));
    expect(await world.listed("", world.admin)).toEqual([ours, theirs, mine]);
  });

  it("reads memories shared with its agent until the share ends", async () => {
    const [lasting, brief, taken] = [
      await world.remember("one cup of tea"),
      await world.remember("two cups of tea"),
      await world.remember("three cups of tea"),
    ];
    await world.share(lasting);
    await world.share(taken);
    const end = IS_DEPLOYED ? 10_000 : 2_500;
    const until = Date.now() + end;
    await world.share(brief, { expires_at: soon(end) });
    expect((await world.own.get(`/memories/${brief}`)).status).toBe(200);
    await ok(world.admin.delete(`/agents/${world.agent}/memories/${taken}`));
    expect(codeOf(await world.own.get(`/memories/${taken}`))).toEqual([404, "MEMORY_NOT_FOUND"]);
    await delay(Math.max(0, until - Date.now()) + 50);
    // The expiry writes nothing, so there is nothing to wait for.
    expect(codeOf(await world.own.get(`/memories/${brief}`))).toEqual([404, "MEMORY_NOT_FOUND"]);
    await eventually(async () => {
      expect(await world.listed()).toEqual([lasting]);
      expect((await ok(world.own.get("/memories"))).pagination.total).toBe(1);
      expect(await world.found("tea")).toEqual([lasting]);
      expect((await ok(world.own.get("/memories/stats"))).total_count).toBe(1);
    });
  });

  it("lists and searches visible memories by event time", async () => {
    const own = await world.remember("one cup of tea", {}, world.own);
    const shared = await world.remember("two cups of tea");
    const hidden = await world.remember("three cups of tea", { occurred_at: "2019-01-01T00:00:00Z" });
    await world.share(shared);
    await eventually(async () => expect(await world.listed("&sort=occurred_at")).toEqual([shared, own]));
    await ok(world.admin.put(`/memories/${shared}`, { occurred_at: "2020-09-13T12:26:40Z" }));
    await eventually(async () => expect(await world.listed("&sort=occurred_at")).toEqual([own, shared]));
    expect(await world.listed("&occurred_before=2020-12-31")).toEqual([shared]);
    expect(await world.listed("&occurred_before=2020-12-31", world.admin)).toEqual([hidden, shared]);
    const found = await ok(world.own.get("/search?q=tea&threshold=0&occurred_before=2020-12-31"));
    expect(idsIn(found.results)).toEqual([shared]);
  });

  it("lists visible memories with sort orders, pages, filters and totals", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      const fields = { category: index < 3 ? "a" : "b", user_id: index % 2 === 0 ? "ada" : "bob", type: "fact" };
      const isShared = index % 3 === 0;
      const id = await world.remember(`memory ${index}`, fields, isShared ? world.admin : world.own);
      if (isShared) await world.share(id);
      ids.push(id);
      await world.remember(`hidden ${index}`, fields);
    }
    const of = (...places: number[]) => places.map((position) => ids[position]);
    await eventually(async () => expect(await world.listed()).toEqual(of(5, 4, 3, 2, 1, 0)));
    expect(await world.listed("&sort=created_at asc")).toEqual(of(0, 1, 2, 3, 4, 5));
    expect(await world.listed("&category=a")).toEqual(of(2, 1, 0));
    expect(await world.listed("&user_id=ada&category=b")).toEqual(of(4));
    expect(await world.listed("&type=fact&user_id=bob")).toEqual(of(5, 3, 1));
    expect(await world.listed("&category=c")).toEqual([]);
    const page = await ok(world.own.get("/memories?limit=2&offset=2"));
    expect(idsIn(page.memories)).toEqual(of(3, 2));
    const next_cursor = expect.any(String);
    expect(page.pagination).toEqual({ total: 6, limit: 2, offset: 2, has_next: true, next_cursor });
    await ok(world.admin.put(`/memories/${ids[0]}`, { content: "changed" }));
    await ok(world.own.put(`/memories/${ids[2]}`, { metadata: { a: 1 } }));
    await eventually(async () => expect(await world.listed("&sort=updated_at desc")).toEqual(of(2, 0, 5, 4, 3, 1)));
    const since = (await ok(world.own.get(`/memories/${ids[4]}`))).created_at;
    expect(await world.listed(`&created_after=${since}`)).toEqual(of(5, 4));
    expect(await world.listed(`&created_after=${since}&sort=updated_at asc`)).toEqual(of(4, 5));
    await ok(world.own.delete(`/memories/${ids[4]}`));
    await ok(world.admin.post(`/memories/${ids[5]}/expire`, {}));
    await eventually(async () => {
      expect(await world.listed()).toEqual(of(3, 2, 1, 0));
      expect((await ok(world.own.get("/memories?limit=1"))).pagination.total).toBe(4);
    });
  });

  it("can read but not change memories shared as read", async () => {
    const id = await world.remember("Ada drinks tea.");
    await world.share(id);
    expect((await ok(world.own.get(`/memories/${id}/history`))).versions).toHaveLength(1);
    const entity = (await ok(world.own.post("/entities", { name: "Tea", type: "product" }))).id;
    for (const answer of [
      await world.own.put(`/memories/${id}`, { content: "Ada drinks milk." }),
      await world.own.delete(`/memories/${id}`),
      await world.own.post(`/memories/${id}/restore`, { version: 1 }),
      await world.own.post(`/memories/${id}/expire`, {}),
      await world.own.post(`/memories/${id}/feedback`, { rating: 1 }),
      await world.own.post(`/memories/${id}/link/${entity}`, {}),
    ]) {
      expect(codeOf(answer)).toEqual([403, "FORBIDDEN"]);
      expect(answer.body.error?.details).toEqual({ memory_id: id, access_type: "read" });
    }
    expect(await ok(world.admin.get(`/memories/${id}`))).toMatchObject({ content: "Ada drinks tea.", version: 1 });
  });

  it("can change memories shared as read_write, but not expire or delete them", async () => {
    const id = await world.remember("Ada drinks tea.", { category: "a" });
    await world.share(id, { access_type: "read_write" });
    await ok(world.own.put(`/memories/${id}`, { content: "Ada drinks milk." }));
    await ok(world.own.post(`/memories/${id}/restore`, { version: 1 }));
    await ok(world.own.post(`/memories/${id}/feedback`, { rating: 5 }));
    for (const answer of [
      await world.own.put(`/memories/${id}`, { expire_at: soon(60_000) }),
      await world.own.put(`/memories/${id}`, { content: "x", expire_at: null }),
      await world.own.post(`/memories/${id}/expire`, {}),
      await world.own.delete(`/memories/${id}`),
    ]) {
      expect(codeOf(answer)).toEqual([403, "FORBIDDEN"]);
    }
    const several = await ok(world.own.delete("/memories/batch-delete", { ids: [id] }));
    expect(several).toMatchObject({ deleted_count: 0, failed: [{ id, error: { code: "FORBIDDEN" } }] });
    const matching = await ok(world.own.delete("/memories/bulk-delete", { filters: { category: "a" }, confirm: true }));
    expect(matching).toMatchObject({ deleted_count: 0, failed: [], has_more: false });
    expect(await ok(world.admin.get(`/memories/${id}`))).toMatchObject({ content: "Ada drinks tea.", version: 3 });
  });

  it.each<Record<string, string>>([{ category: "a" }, { occurred_before: "2020-12-31" }])(
    "bulk-deletes by %j only what its agent stored",
    async (filters) => {
      const fields = { category: "a", occurred_at: "2020-01-01T00:00:00+02:00" };
      const mine = await world.remember("mine", fields, world.own);
      const shared = await world.remember("shared", fields);
      await world.share(shared, { access_type: "read_write" });
      await world.remember("theirs", fields);
      const query = `&${new URLSearchParams(filters)}`;
      await eventually(async () => expect(await world.listed(query)).toHaveLength(2));
      expect(await ok(world.own.delete("/memories/bulk-delete", { filters, confirm: true }))).toMatchObject({
        deleted_ids: [mine],
        has_more: false,
      });
      await eventually(async () => expect(await world.listed("&category=a", world.admin)).toHaveLength(2));
    },
  );

  it("cannot share memories, not even with its own agent, and cannot change agents", async () => {
    const id = await world.remember("Ada drinks tea.");
    await world.share(id);
    const manager = await world.keyFor(world.agent, [...ALL, "agents:manage"]);
    for (const answer of [
      await manager.post(`/agents/${world.agent}/memories`, { memory_id: id, access_type: "read_write" }),
      await manager.delete(`/agents/${world.agent}/memories/${id}`),
      await manager.put(`/agents/${world.agent}`, { name: "x" }),
      await manager.delete(`/agents/${world.agent}`),
      await manager.post("/agents", { name: "x", model: "m" }),
      await manager.get("/groups"),
    ]) {
      expect(codeOf(answer)).toEqual([403, "PERMISSION_DENIED"]);
    }
    const own = await world.remember("own", {}, world.own);
    const answer = await world.admin.post(`/agents/${world.agent}/memories`, { memory_id: own, access_type: "read" });
    expect(codeOf(answer)).toEqual([409, "CONFLICT"]);
  });

  it("sees only its own agent, whose executions use only visible memories", async () => {
    const other = await world.makeAgent();
    expect(idsIn((await ok(world.own.get("/agents"))).agents)).toEqual([world.agent]);
    expect((await ok(world.own.get("/agents?status=paused"))).pagination.total).toBe(0);
    await ok(world.own.get(`/agents/${world.agent}`));
    for (const path of ["", "/skills", "/memories", "/stats"]) {
      expect(codeOf(await world.own.get(`/agents/${other}${path}`))).toEqual([404, "AGENT_NOT_FOUND"]);
    }
    expect(codeOf(await world.own.post(`/agents/${other}/execute`, { input: "a" }))).toEqual([404, "AGENT_NOT_FOUND"]);
    const id = await world.remember("Ada drinks green tea.", {}, world.own);
    await world.remember("Ada drinks hidden beer.");
    await eventually(async () => {
      const done = await ok(world.own.post(`/agents/${world.agent}/execute`, { input: "What does Ada drink?" }));
      expect(idsIn(done.used_memories)).toEqual([id]);
    });
    await eventually(async () => {
      expect((await ok(world.own.get(`/agents/${world.agent}/stats`))).memories).toEqual({
        own: 1,
        read: 0,
        read_write: 0,
      });
    });
  });

  it("applies the agent's memory settings to new memories", async () => {
    const settings = { retention_days: 2, compression_enabled: false };
    await ok(world.admin.put(`/agents/${world.agent}`, { memory_settings: settings }));
    const content = "I really, really think that tea is what Ada would like to drink, if I may say so.";
    const kept = await ok(world.own.post("/memories", { content }));
    const days = (Date.parse(kept.expire_at) - Date.parse(kept.created_at)) / 86_400_000;
    expect(days).toBeCloseTo(2);
    expect(kept.compression.reduction_percentage).toBe(0);
    const expire_at = soon(3_600_000);
    expect((await ok(world.own.post("/memories", { content, expire_at }))).expire_at).toBe(expire_at);
    expect(await ok(world.admin.post("/memories", { content }))).not.toHaveProperty("expire_at");
  });

  it("skips duplicates of visible memories only", async () => {
    await ok(world.admin.post("/memories", { content: SECRET, options: { skip_duplicates: true } }));
    const skip = { content: SECRET, options: { skip_duplicates: true } };
    const first = await ok(world.own.post("/memories", skip));
    expect(first.processing).not.toHaveProperty("duplicate_of");
    const second = await ok(world.own.post("/memories", skip));
    expect(second.processing).toMatchObject({ status: "skipped", duplicate_of: first.id });
    const other = await world.keyFor(await world.makeAgent());
    expect((await ok(other.post("/memories", skip))).processing).not.toHaveProperty("duplicate_of");
  });

  it("resolves names of people by memories of its agent only", async () => {
    const user_id = "ada";
    const nameIn = async (content: string, by: Caller) =>
      (await ok(by.post("/memories", { content, user_id }))).entities[0]?.name;
    await world.remember("Alice Quixote works at the hospital.", { user_id });
    await eventually(async () => {
      expect(await nameIn("Alice went to the dentist.", world.admin)).toBe("Alice Quixote");
    });
    expect(await nameIn("Alice went to the dentist.", world.own)).toBe("Alice");
    await world.remember("Alice Johnson works at the bank.", { user_id }, world.own);
    await eventually(async () => {
      expect(await nameIn("Alice went to the market.", world.own)).toBe("Alice Johnson");
    });
  });
});

// ---------------------------------------------------------------- hidden data stays hidden

const MEMORY_GROUPS = groups.filter(({ manifest }) => ["memories", "search"].includes(manifest.name));
const memoryRoutes = MEMORY_GROUPS.flatMap((group) => group.routes);
const isAdmitted = (route: Route) => {
  const group = groups.find(({ routes }) => routes.includes(route));
  const isRefused = "allowsAgentKeys" in route.definition && route.definition.allowsAgentKeys === false;
  return group?.manifest.allowsAgentKeys === true && !isRefused;
};

interface Probe {
  query?: string;
  body?: (hidden: { memory: string }) => object;
  /** Whether the route shows hidden data to the organization's own key; other routes must only change nothing. */
  reveals?: true;
}

const QUERY = "Quixote Zanzibar walnut";

/** The request to each route without parameters that asks for hidden data. */
const PROBES: Record<string, Probe> = {
  createMemory: { body: () => ({ content: "Ada.", options: { skip_duplicates: true } }) },
  listMemories: { query: "limit=100", reveals: true },
  processMemory: { body: () => ({ content: "Ada.", options: { skip_duplicates: true } }) },
  inferFromMemory: {
    body: ({ memory }) => ({ memory_id: memory, prompt: "Who took the walnut shell?" }),
    reveals: true,
  },
  readMemoryStats: { reveals: true },
  createMemories: { body: () => ({ memories: [{ content: "Ada." }], options: { skip_duplicates: true } }) },
  updateMemories: { body: ({ memory }) => ({ updates: [{ id: memory, content: "gone" }] }) },
  deleteMemories: { body: ({ memory }) => ({ ids: [memory] }) },
  deleteMatchingMemories: { body: () => ({ filters: { category: "hidden-category" }, confirm: true }) },
  listEntities: { query: "limit=100", reveals: true },
  createEntity: { body: () => ({ name: "Ada", type: "person" }) },
  searchMemories: { query: "q=sails&threshold=0", reveals: true },
  searchMemoriesFiltered: { body: () => ({ query: "sails", options: { threshold: 0 } }), reveals: true },
  searchMemoriesAdvanced: {
    body: () => ({ query: "sails", options: { threshold: 0 }, aggregation: { by_category: true, by_user: true } }),
    reveals: true,
  },
  searchMemoriesHybrid: { body: () => ({ query: "sails", options: { threshold: 0 } }), reveals: true },
  searchMemoriesByActivation: { query: "q=sails&threshold=0&include_path=true", reveals: true },
  searchMemoriesByActivationFiltered: {
    body: () => ({ query: "sails", parameters: { threshold: 0 }, options: { include_path: true } }),
    reveals: true,
  },
  readSearchStatistics: { reveals: true },
  readSearchConfig: {},
};

describe("an agent's API key on the routes of memories and search", () => {
  let world: World;
  let hidden: { id: string; content: string; entities: { id: string; name: string }[] };
  let theirs: string;
  let before: object;

  const send = async (route: Route, by: Caller, ids: Record<string, string> = {}, body?: object) => {
    const { name, method } = route.definition;
    const url = urlOf(route, ids);
    const sample = body ?? SAMPLES[name]?.body;
    if (method === "get") return by.get(url);
    return by[method](url, sample);
  };

  beforeAll(async () => {
    world = await World.make([...ALL, "admin:all"]);
    const fields = { category: "hidden-category", type: "hidden-type", user_id: "hidden-user" };
    const session = { metadata: { session_id: "sess_1" } };
    await world.remember("Ada sails to Crete.", session, world.own);
    // The hidden memory is between the agent's own in time and names an entity that both name.
    const other = await world.keyFor(await world.makeAgent());
    theirs = await world.remember("Quixote keeps a diary.", session, other);
    hidden = await ok(world.admin.post("/memories", { content: SECRET, ...fields }));
    await world.remember("Ada sails home.", session, world.own);
    hidden.entities = hidden.entities.filter(({ name }) => name !== "Crete");
    expect(hidden.entities.length).toBeGreaterThan(0);
    await eventually(async () => {
      expect(await world.found("sails")).toHaveLength(2);
      expect(await world.found("sails", world.admin)).toHaveLength(4);
    });
    await ok(world.admin.get(`/search?q=${encodeURIComponent(QUERY)}`));
    before = await ok(world.admin.get(`/memories/${hidden.id}`));
  });

  const withId = memoryRoutes.filter(({ definition }) => definition.path.includes("{id}"));
  const withoutId = memoryRoutes.filter(
    (route) => parametersOf(route.definition.path).length === 0 && isAdmitted(route),
  );

  it("is tested on each of these routes", () => {
    expect(withId.length).toBeGreaterThan(9);
    expect(withoutId.map(({ definition }) => definition.name).sort()).toEqual(Object.keys(PROBES).sort());
  });

  it.each(titled(withId))(
    "gets the same answer from %s for a hidden resource as for a missing one",
    async (_title, route) => {
      const isOfEntity = SAMPLES[route.definition.name]?.params?.id === "entity";
      const ids = isOfEntity ? idsIn(hidden.entities) : [hidden.id, theirs];
      const [entity = ""] = idsIn((await ok(world.own.get("/entities?q=Ada"))).entities);
      const withEntity = { entityID: entity };
      const absent = await send(route, world.own, { ...withEntity, id: ABSENT });
      expect(absent.status).toBe(404);
      for (const id of ids) {
        const answer = await send(route, world.own, { ...withEntity, id });
        expect(answer.status, JSON.stringify(answer.body)).toBe(404);
        expect(JSON.stringify(answer.body.error).replaceAll(id, ABSENT)).toBe(JSON.stringify(absent.body.error));
      }
    },
  );

  it.each(titled(withoutId))("gets no hidden data from %s", async (_title, route) => {
    const { name, path, method } = route.definition;
    const { query, body, reveals } = PROBES[name] ?? {};
    const ask = async (by: Caller) => {
      const url = query === undefined ? path : `${path}?${query.replaceAll(" ", "%20")}`;
      const sent = body?.({ memory: hidden.id });
      return method === "get" ? by.get(url) : by[method](url, sent);
    };
    const markers = [...HIDDEN, ...idsIn(hidden.entities), hidden.id, theirs];
    const told = ({ body: answered }: Answered) => {
      const text = JSON.stringify(answered.data ?? {}).toLowerCase();
      return markers.filter((marker) => text.includes(marker.toLowerCase()));
    };
    if (reveals) await eventually(async () => expect(told(await ask(world.admin))).not.toEqual([]));
    const answer = await ask(world.own);
    // The answer may repeat the query.
    const { query: _q, failed = [], ...rest } = answer.body.data ?? {};
    expect(told({ ...answer, body: { data: rest } })).toEqual([]);
    for (const { error } of failed) expect(error.code).toBe("MEMORY_NOT_FOUND");
  });

  it("does not change hidden memories", async () => {
    expect(await ok(world.admin.get(`/memories/${hidden.id}`))).toEqual(before);
    expect((await world.admin.get(`/memories/${theirs}`)).status).toBe(200);
  });

  it("spreads no activation through hidden memories", async () => {
    const query = { query: "sails", parameters: { threshold: 0 }, options: { include_path: true, limit: 50 } };
    const reached = async (by: Caller) => {
      const { results, spreading_stats } = await ok(by.post("/search/enhanced", query));
      const nodes = results.flatMap((hit: { activation_path: { node: string }[] }) =>
        hit.activation_path.map(({ node }) => node),
      );
      return { ids: idsIn(results), nodes, activated: spreading_stats.activated_nodes };
    };
    const all = await reached(world.admin);
    expect(all.ids).toEqual(expect.arrayContaining([hidden.id, theirs]));
    const own = await reached(world.own);
    expect(own.ids.length).toBeGreaterThan(1);
    const met = [...own.ids, ...own.nodes];
    expect([hidden.id, theirs, ...idsIn(hidden.entities)].filter((id) => met.includes(id))).toEqual([]);
    expect(own.activated).toBeLessThan(all.activated);
  });

  it("counts visible memories only", async () => {
    const stats = await ok(world.own.get("/memories/stats"));
    const listed = await ok(world.own.get("/memories?limit=1"));
    expect(stats.total_count).toBe(listed.pagination.total);
    const hybrid = await ok(world.own.post("/search/hybrid", { query: "Ada sails", options: { threshold: 0 } }));
    expect(hybrid.search_breakdown.total_documents_searched).toBe(stats.total_count);
    const filtered = { query: "Ada", filters: { user_id: "hidden-user" }, options: { threshold: 0 } };
    expect((await ok(world.own.post("/search/hybrid", filtered))).search_breakdown).toEqual({
      semantic_matches: 0,
      keyword_matches: 0,
      total_documents_searched: 0,
    });
    const entities = await ok(world.own.get("/entities?limit=100"));
    expect(entities.pagination.total).toBe(entities.entities.length);
    const ada = entities.entities.find(({ name }: { name: string }) => name === "Ada");
    await world.remember("Ada sails too.");
    const mentions = async (by: Caller) => (await ok(by.get(`/entities/${ada.id}`))).memory_count;
    const own = await mentions(world.own);
    await eventually(async () => expect(await mentions(world.admin)).toBeGreaterThan(own));
    expect(await mentions(world.own)).toBe(own);
  });

  it("cannot link hidden entities", async () => {
    const [mine = ""] = await world.listed();
    const [entity] = hidden.entities;
    const answer = await world.own.post(`/memories/${mine}/link/${entity?.id}`, {});
    expect(codeOf(answer)).toEqual([404, "ENTITY_NOT_FOUND"]);
    const made = await ok(world.own.post("/entities", { name: "Cabin", type: "place" }));
    await ok(world.own.post(`/memories/${mine}/link/${made.id}`, {}));
    expect((await ok(world.own.get(`/memories/${mine}/entities`))).entities).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ id: made.id })]),
    );
  });

  it("scores visible memories independently of hidden ones", async () => {
    const alone = await World.make();
    const contents = ["Ada sails to Crete.", "Ada sails home.", "Bob stays at home."];
    for (const content of contents) await alone.remember(content, {}, alone.own);
    const crowded = await World.make();
    for (const content of contents) await crowded.remember(content, {}, crowded.own);
    for (let index = 0; index < 20; index++) await crowded.remember(`Crete ${index} home sails ${SECRET}`);
    const scores = async ({ own }: World) => {
      const { results } = await ok(own.post("/search/hybrid", { query: "sails Crete", options: { threshold: 0 } }));
      return results.map(({ content, semantic_score }: { content: string; semantic_score: number }) => [
        content,
        semantic_score.toFixed(6),
      ]);
    };
    await eventually(async () => {
      expect(await alone.found("home")).toHaveLength(3);
      expect(await crowded.found("home")).toHaveLength(3);
      expect(await crowded.found("home", crowded.admin)).toHaveLength(10);
    });
    expect(await scores(crowded)).toEqual(await scores(alone));
  });
});

const sessionRoutes = groups.find(({ manifest }) => manifest.name === "sessions")?.routes ?? [];
const ofOneSession = sessionRoutes.filter(({ definition }) => definition.path.includes("{id}"));

describe("sessions accessed with an agent's API key", () => {
  let world: World;
  let other: string;
  let own: string;
  let theirs: string;

  const begin = async (agent_id: string, by: Caller, user_id = "ada"): Promise<string> =>
    (await ok(by.post("/sessions", { agent_id, user_id }))).id;
  const listed = async (by: Caller, query = "") => idsIn((await ok(by.get(`/sessions?limit=100${query}`))).sessions);

  beforeAll(async () => {
    world = await World.make();
    other = await world.makeAgent();
    own = await begin(world.agent, world.own);
    theirs = await begin(other, world.admin);
    await ok(world.admin.post(`/sessions/${theirs}/messages`, { role: "user", content: SECRET }));
    await eventually(async () => expect(await listed(world.admin)).toHaveLength(2));
  });

  it("are listed and returned if they belong to the agent", async () => {
    expect(ofOneSession.length).toBeGreaterThan(8);
    expect((await ok(world.own.get(`/sessions/${own}`))).agent_id).toBe(world.agent);
    await ok(world.own.post(`/sessions/${own}/messages`, { role: "user", content: "I prefer tea." }));
    expect(await listed(world.own)).toEqual([own]);
    expect(await listed(world.own, "&sort=created_at asc")).toEqual([own]);
    expect(await listed(world.own, `&agent_id=${world.agent}&user_id=ada`)).toEqual([own]);
    expect(await listed(world.own, `&agent_id=${other}`)).toEqual([]);
    expect(await listed(world.own, `&agent_id=${other}&user_id=ada`)).toEqual([]);
    const ended = await ok(world.own.post(`/sessions/${own}/duplicate`, {}));
    expect(ended.agent_id).toBe(world.agent);
  });

  it.each(titled(ofOneSession))("look missing to %s if they belong to another agent", async (_title, route) => {
    const { method, name } = route.definition;
    const send = (id: string) => {
      const url = urlOf(route, { id });
      return method === "get" ? world.own.get(url) : world.own[method](url, SAMPLES[name]?.body);
    };
    const [hidden, absent] = [await send(theirs), await send(ABSENT)];
    expect([hidden.status, absent.status]).toEqual([404, 404]);
    expect(JSON.stringify(hidden.body.error).replaceAll(theirs, ABSENT)).toBe(JSON.stringify(absent.body.error));
  });

  it("can only be created for the key's own agent", async () => {
    for (const agent_id of [other, "somebody"]) {
      const answer = await world.own.post("/sessions", { agent_id, user_id: "ada" });
      expect(codeOf(answer)).toEqual([404, "AGENT_NOT_FOUND"]);
    }
  });

  it("are counted if they belong to the agent", async () => {
    const figures = async (query = "") =>
      (await ok(world.own.get(`/sessions/analytics?time_range=day${query}`))).summary;
    await onceAllKnow(async () => expect((await figures()).total_sessions).toBe(2));
    expect(await figures(`&agent_id=${world.agent}`)).toMatchObject({ total_sessions: 2 });
    expect(await figures(`&agent_id=${other}`)).toMatchObject({ total_sessions: 0, total_messages: 0 });
    expect(await figures(`&agent_id=${other}&user_id=ada`)).toMatchObject({ total_sessions: 0, active_sessions: 0 });
    const { recent_sessions } = await ok(world.own.get("/sessions/analytics?time_range=day&user_id=ada"));
    expect(idsIn(recent_sessions)).not.toContain(theirs);
    await onceAllKnow(async () => {
      await figures();
      const usage = (await ok(world.own.get(`/agents/${world.agent}`))).usage_stats;
      expect(usage).toMatchObject({ total_sessions: 2, avg_session_duration: null });
    });
    await ok(world.own.delete(`/sessions/${own}`, { reason: "done" }));
    await onceAllKnow(async () => {
      await figures();
      const stats = await ok(world.own.get(`/agents/${world.agent}/stats`));
      expect(stats.avg_session_duration).toBeGreaterThan(0);
      expect(stats.avg_session_duration).toBeLessThan(60);
    });
  });

  it("include preferences from visible memories only", async () => {
    // Preferences from other sessions are remembered for their user.
    const user_id = "augusta";
    const liking = { user_id, type: "preference" };
    await world.remember(SECRET, liking);
    await world.remember("Zanzibar is what Ada likes best.", { user_id, category: "preference" });
    const mine = await world.remember("Ada likes tea.", liking, world.own);
    const session = await begin(world.agent, world.own, user_id);
    const remembered = async (by: Caller) =>
      idsIn((await ok(by.get(`/sessions/${session}/context`))).context.user_preferences.from_memories);
    await eventually(async () => expect(await remembered(world.admin)).toHaveLength(3));
    await eventually(async () => expect(await remembered(world.own)).toEqual([mine]));
  });
});

describe("an agent's API key on routes that reject agents", () => {
  const refusing = guarded.filter((route) => !isAdmitted(route));
  let own: Caller;

  beforeAll(async () => {
    own = (await World.make([...ALL, "agents:manage", "admin:all"])).own;
  });

  it("is tested on more than twenty routes", () => {
    expect(refusing.length).toBeGreaterThan(20);
  });

  it.each(titled(refusing))("is rejected by %s", async (_title, route) => {
    const { method, name } = route.definition;
    const { status, body } = await own.service.request(method.toUpperCase(), urlOf(route), {
      key: own.key,
      body: SAMPLES[name]?.body,
    });
    expect([titleOf(route.definition), status, body.error?.code]).toEqual([
      titleOf(route.definition),
      403,
      "PERMISSION_DENIED",
    ]);
  });
});
