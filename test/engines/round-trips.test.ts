import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Aftermath,
  type Amounts,
  addTraffic,
  type Figures,
  type RouteFigures,
  readFigures,
  type Traffic,
} from "../../infra/costs/figures.ts";
import { loadGroups } from "../../infra/groups.ts";
import { Generator } from "../bench/corpus.ts";
import { type Answered, createOrganization } from "../support/service.ts";
import { type MeteredService, openMeteredService, processorTime } from "./metered-service.ts";

/** Set to write what was counted where the cost model reads it (`npm run costs`). */
const IS_WRITING = process.env.WRITE_COSTS !== undefined;
const STORED = new URL("../../infra/costs/figures.json", import.meta.url);

const WARMING = 3;
/** Requests between two writings of counters; the difference tells what each adds. The few are weighed, the many timed. */
const FEW = 5;
const MANY = 10;
const ROUNDS = WARMING + FEW + MANY;
/** So far may figures be from those on record: ids and times differ from run to run. */
const TOLERANCE = 0.25;
const MESSAGES_OF_A_SESSION = 5;

interface Ask {
  path: string;
  body?: unknown;
}

/** A kind of request, what it waits for at most, one backend after the other, and all the calls that it makes meanwhile. */
interface Kind {
  route: string;
  waits: Amounts;
  calls: Amounts;
  ask(round: number): Ask;
}

const text = new Generator(12);
let service: MeteredService;
let key: string;
/** Ids of what there is before anything is counted, one a round. */
let made: Record<"memories" | "doomed" | "sessions" | "agents" | "entities", string[]>;

const at = (ids: string[], round: number) => ids[round % ids.length]!;
/** So many round trips, all of DynamoDB, with one call each. */
const trips = (dynamodb: number) => ({ waits: { dynamodb }, calls: { dynamodb } });
/**
 * Words that no memory holds are looked for once more by their spelling. Then what the memories say of slots is read: their
 * records, the slots, and the records of the other memories that speak of these.
 */
const SEARCH = { waits: { embedder: 1, search: 2, dynamodb: 3 }, calls: { embedder: 1, search: 2, dynamodb: 62 } };
/** What somebody says of themselves is understood with what is known of them, and with what the model made of it before. */
const UNDERSTANDING = { waits: { model: 1, dynamodb: 4, search: 2 }, calls: { model: 1, dynamodb: 4, search: 2 } };

const KINDS: Kind[] = [
  {
    route: "GET /memories/{id}",
    // Beside each other.
    waits: { dynamodb: 1, search: 1 },
    calls: { dynamodb: 1, search: 1 },
    ask: (round) => ({ path: `/memories/${at(made.memories, round)}` }),
  },
  {
    route: "GET /memories",
    // More match than a page holds, so they are counted.
    ...trips(2),
    ask: () => ({ path: "/memories?user_id=ada&limit=20" }),
  },
  {
    route: "GET /memories/{id}/history",
    // The memory first, which tells whether the caller may see it.
    ...trips(2),
    ask: (round) => ({ path: `/memories/${at(made.memories, round)}/history` }),
  },
  {
    route: "GET /entities/{id}",
    waits: { dynamodb: 1 },
    calls: { dynamodb: 2 },
    ask: (round) => ({ path: `/entities/${at(made.entities, round)}` }),
  },
  { route: "POST /search", ...SEARCH, ask: () => ({ path: "/search", body: { query: text.question() } }) },
  {
    route: "POST /search/hybrid",
    ...SEARCH,
    ask: () => ({ path: "/search/hybrid", body: { query: text.question() } }),
  },
  {
    route: "POST /search/enhanced",
    // One more a hop.
    waits: { embedder: 1, search: 5, dynamodb: 3 },
    calls: { embedder: 1, search: 5, dynamodb: 62 },
    ask: () => ({ path: "/search/enhanced", body: { query: text.question() } }),
  },
  {
    route: "POST /v3/memories/search",
    ...SEARCH,
    ask: () => ({ path: "/v3/memories/search", body: { query: text.question(), filters: { user_id: "ada" } } }),
  },
  { route: "POST /memories", ...UNDERSTANDING, ask: () => ({ path: "/memories", body: memory() }) },
  {
    route: "POST /memories/batch",
    // Ten do not all run beside each other.
    waits: { model: 2, dynamodb: 8, search: 4 },
    calls: { model: 10, dynamodb: 40, search: 20 },
    ask: () => ({ path: "/memories/batch", body: { memories: Array.from({ length: 10 }, memory) } }),
  },
  {
    route: "PUT /memories/{id}",
    waits: { model: 1, dynamodb: 5, search: 2 },
    calls: { model: 1, dynamodb: 5, search: 2 },
    ask: (round) => ({ path: `/memories/${at(made.memories, round)}`, body: { content: text.memory() } }),
  },
  {
    route: "DELETE /memories/{id}",
    // What models made of the user's texts goes with it.
    ...trips(3),
    ask: (round) => ({ path: `/memories/${at(made.doomed, round)}` }),
  },
  {
    route: "POST /memories/{id}/feedback",
    ...trips(2),
    ask: (round) => ({ path: `/memories/${at(made.memories, round)}/feedback`, body: { rating: 5 } }),
  },
  {
    // The project's instructions, then the conversation with its job.
    route: "POST /v3/memories/add",
    waits: { dynamodb: 2, sqs: 1 },
    calls: { dynamodb: 2, sqs: 1 },
    ask: () => ({ path: "/v3/memories/add", body: { messages: text.memory(), user_id: "ada" } }),
  },
  { route: "POST /sessions", ...trips(1), ask: () => ({ path: "/sessions", body: session() }) },
  {
    // The session, then the message with the job that makes memories of it.
    route: "POST /sessions/{id}/messages",
    waits: { dynamodb: 2, sqs: 1 },
    calls: { dynamodb: 2, sqs: 1 },
    ask: (round) => ({
      path: `/sessions/${at(made.sessions, round)}/messages`,
      body: { role: "user", content: text.memory() },
    }),
  },
  {
    route: "GET /sessions/{id}/messages",
    // The session first, which tells whether the caller may see it.
    ...trips(2),
    ask: (round) => ({ path: `/sessions/${at(made.sessions, round)}/messages` }),
  },
  {
    route: "GET /sessions/{id}/context",
    // What was remembered of the session is looked for among all of its user, page by page; what is read anew is stored.
    waits: { model: 1, dynamodb: 5 },
    calls: { model: 1, dynamodb: 12 },
    ask: (round) => ({ path: `/sessions/${at(made.sessions, round)}/context` }),
  },
  {
    route: "GET /skills/search",
    // The skills themselves are read once they are found.
    waits: { embedder: 1, search: 1, dynamodb: 1 },
    calls: { embedder: 1, search: 1, dynamodb: 1 },
    ask: () => ({ path: "/skills/search?trigger=tea" }),
  },
  {
    route: "GET /agents/{id}",
    // Its figures are counts, which are written before they are read.
    waits: { dynamodb: 3 },
    calls: { dynamodb: 9 },
    ask: (round) => ({ path: `/agents/${at(made.agents, round)}` }),
  },
];

function memory() {
  return { content: text.memory(), user_id: "ada", category: "notes" };
}

function session() {
  return { agent_id: "guide", user_id: "ada", title: "Tea" };
}

async function send(method: string, { path, body }: Ask): Promise<Answered> {
  const answer = await service.request(method, path, { key, body });
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  service.pass(1);
  return answer;
}

async function make(times: number, path: string, body: (round: number) => unknown): Promise<string[]> {
  const ids: string[] = [];
  for (let round = 0; round < times; round++) {
    ids.push((await send("POST", { path, body: body(round) })).body.data.id);
  }
  return ids;
}

async function makeThings() {
  const memories = await make(ROUNDS, "/memories", memory);
  const sessions = await make(ROUNDS, "/sessions", session);
  for (const id of sessions) {
    for (let turn = 0; turn < MESSAGES_OF_A_SESSION; turn++) {
      await send("POST", { path: `/sessions/${id}/messages`, body: { role: "user", content: text.memory() } });
    }
  }
  const skill = (round: number) => ({
    name: `Serve tea ${round}`,
    trigger: "a guest asks for tea",
    action: "Serve.",
    domain: "house",
  });
  await make(ROUNDS, "/skills", skill);
  made = {
    memories,
    doomed: await make(ROUNDS, "/memories", memory),
    sessions,
    agents: await make(ROUNDS, "/agents", (round) => ({ name: `Guide ${round}`, model: "gpt-4o-mini" })),
    entities: await make(ROUNDS, "/entities", (round) => ({ name: `Place ${round}`, type: "place" })),
  };
  await service.runtime.rollups.flush();
  await service.runWorkers();
}

beforeAll(async () => {
  service = await openMeteredService();
  ({ key } = await createOrganization(service));
  await makeThings();
}, 300_000);

afterAll(() => service.close());

describe("the meter", () => {
  const record = (size: number) => ({
    pk: `o#${crypto.randomUUID()}`,
    sk: "meter",
    kind: "meter",
    text: "x".repeat(size),
  });

  it("tells units as DynamoDB counts them: by the kilobyte, twice in transactions, and of each index", async () => {
    const { records } = service.runtime.ports;
    const { meter } = service;
    const first = { ...record(1_500), gsi1pk: "o#meters", gsi1sk: "1" };
    const calls = { dynamodb: 1 };
    const waits = calls;
    const one = await meter.measure(() => records.write({ put: first }));
    expect(one).toEqual({ waits, calls, read: {}, written: { table: 2, gsi1: 2 } });
    const both = await meter.measure(() => records.write({ put: record(100) }, { check: first, condition: "present" }));
    expect(both).toEqual({ waits, calls, read: {}, written: { table: 6 } });
    expect(await meter.measure(() => records.get(first))).toEqual({ waits, calls, read: { table: 1 }, written: {} });
    const list = { index: "gsi1", pk: "o#meters", limit: 10 } as const;
    expect(await meter.measure(() => records.query(list))).toEqual({ waits, calls, read: { gsi1: 0.5 }, written: {} });
  });

  it("takes calls that are under way together for one round trip, and those that wait for another for one more", async () => {
    const { records } = service.runtime.ports;
    const read = () => records.get(record(1));
    const apart = async () => {
      await read();
      await read();
    };
    const together = () => Promise.all([read(), apart()]);
    expect(await service.meter.measure(apart)).toMatchObject({ waits: { dynamodb: 2 }, calls: { dynamodb: 2 } });
    expect(await service.meter.measure(together)).toMatchObject({ waits: { dynamodb: 2 }, calls: { dynamodb: 3 } });
  });
});

describe("a request in a process whose caches are warm", () => {
  const counted: RouteFigures[] = [];

  it.each(KINDS)("$route waits for no more than $waits", { timeout: 120_000 }, async (kind) => {
    const { figures, each } = await countKind(kind);
    counted.push(figures);
    for (const { waits, calls } of each) {
      expectWithin(kind.waits, waits);
      expectWithin(kind.calls, calls);
    }
  });

  it("is counted as the cost model has it", async () => {
    const found = shortened({ routes: counted, ...(await countBesides()) });
    if (IS_WRITING) writeFileSync(STORED, `${JSON.stringify(found, undefined, 2)}\n`);
    const known = readFigures();
    expect(known.routes.map(({ route }) => route)).toEqual(found.routes.map(({ route }) => route));
    for (const [place, figures] of found.routes.entries()) {
      for (const what of ["waits", "calls", "read", "written"] as const) {
        expectAlike(`${figures.route} ${what}`, known.routes[place]?.[what], figures[what]);
      }
    }
    for (const what of ["flush", "limiter", "credential"] as const) {
      expectAlike(what, known[what].waits, found[what].waits);
    }
  });
});

function expectWithin(most: Amounts, found: Amounts): void {
  for (const [backend, times] of Object.entries(found)) expect(times, backend).toBeLessThanOrEqual(most[backend] ?? 0);
}

function expectAlike(what: string, known: Amounts = {}, found: Amounts): void {
  for (const name of new Set([...Object.keys(known), ...Object.keys(found)])) {
    const [before = 0, now = 0] = [known[name], found[name]];
    const message = `${what} of ${name}: ${before} on record`;
    expect(Math.abs(before - now), message).toBeLessThanOrEqual(Math.max(now, before) * TOLERANCE + 0.5);
  }
}

/** What each of a kind's requests took, and the mean of it with what followed from them. */
async function countKind({ route, ask }: Kind): Promise<{ figures: RouteFigures; each: Traffic[] }> {
  const method = route.slice(0, route.indexOf(" "));
  let round = 0;
  const next = () => send(method, ask(round++));
  for (let warming = 0; warming < WARMING; warming++) await next();
  await service.runtime.rollups.flush();
  await service.runWorkers();
  const weighed = await serveAndFollow(FEW, next, true);
  const timed = await serveAndFollow(MANY, next, false);
  const figures = {
    route,
    group: await groupOf(route),
    ...addTraffic(...weighed.each.map((traffic) => ({ traffic, times: 1 / FEW }))),
    cpuMs: timed.cpuMs / MANY,
    counted: difference(timed.flushed, weighed.flushed, MANY - FEW),
    after: byWorker(weighed.after, FEW).map((work) => ({
      ...work,
      cpuMs:
        sumOf(
          timed.after.filter(({ worker }) => worker === work.worker),
          ({ cpuMs }) => cpuMs,
        ) / MANY,
    })),
  };
  return { figures, each: [...weighed.each, ...timed.each] };
}

interface Served {
  each: Traffic[];
  cpuMs: number;
  /** Writing what was counted meanwhile. */
  flushed: Traffic;
  after: Aftermath[];
}

async function serveAndFollow(requests: number, next: () => Promise<unknown>, isWeighing: boolean): Promise<Served> {
  const { meter, runtime } = service;
  meter.isWeighing = isWeighing;
  const each: Traffic[] = [];
  let cpuMs = 0;
  for (let request = 0; request < requests; request++) {
    const timed = async () => {
      cpuMs += await processorTime(next);
    };
    each.push(await meter.measure(timed));
  }
  meter.isWeighing = true;
  const flushed = await meter.measure(() => runtime.rollups.flush());
  meter.isWeighing = isWeighing;
  const after = await service.runWorkers();
  meter.isWeighing = true;
  return { each, cpuMs, flushed, after };
}

async function groupOf(route: string): Promise<string> {
  const groups = await loadGroups();
  const group = groups.find(({ routes }) =>
    routes.some(({ definition: { method, path } }) => `${method.toUpperCase()} ${path}` === route),
  );
  if (!group) throw new Error(`no group serves ${route}`);
  return group.manifest.name;
}

/** What no route has of its own: writing counters, the limits of a plan, a credential that was not met before. */
async function countBesides(): Promise<Omit<Figures, "routes">> {
  const { meter, runtime } = service;
  const read = async (credential: string) => {
    await service.request("GET", "/memories/mem_none", { key: credential });
  };
  await read(key);
  const flush = await meter.measure(() => runtime.rollups.flush());
  const known = await meter.measure(() => read(key));
  const { key: limitedKey } = await createOrganization(service, "team");
  await read(limitedKey);
  const limited = await meter.measure(() => read(limitedKey));
  const { key: newKey } = await createOrganization(service);
  const unknown = await meter.measure(() => read(newKey));
  return { flush, limiter: difference(limited, known), credential: difference(unknown, known) };
}

/** What there is more of in one than in the other, which is `among` as many things. */
function difference(more: Traffic, less: Traffic, among = 1): Traffic {
  const both = addTraffic({ traffic: more, times: 1 / among }, { traffic: less, times: -1 / among });
  const positive = (amounts: Amounts) => Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0));
  return {
    waits: positive(both.waits),
    calls: positive(both.calls),
    read: positive(both.read),
    written: positive(both.written),
  };
}

/** The runs of each worker together, and the share of one request among so many. */
function byWorker(runs: Aftermath[], requests: number): Aftermath[] {
  return [...Map.groupBy(runs, ({ worker }) => worker)].map(([worker, those]) => ({
    worker,
    events: sumOf(those, ({ events }) => events) / requests,
    cpuMs: sumOf(those, ({ cpuMs }) => cpuMs) / requests,
    ...addTraffic(...those.map((traffic) => ({ traffic, times: 1 / requests }))),
  }));
}

function sumOf<T>(those: T[], of: (each: T) => number): number {
  return those.reduce((sum, each) => sum + of(each), 0);
}

/** The same to two decimals, as it is written down. */
function shortened(figures: Figures): Figures {
  const short = (_name: string, value: unknown) => (typeof value === "number" ? Number(value.toFixed(2)) : value);
  return JSON.parse(JSON.stringify(figures, short));
}
