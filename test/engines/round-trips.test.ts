import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AFTERWARDS, type Amounts, BACKENDS, COLUMNS, FIGURES_FILE, readFigures } from "../../infra/costs.ts";
import { loadGroups } from "../../infra/groups.ts";
import { loadWorkers } from "../../infra/local/host.ts";
import type { AnyWorkerEntry } from "../../infra/local/loops.ts";
import { searchSettings } from "../../shared/domain/retrieval/settings.ts";
import { createApp } from "../../shared/entry/http/app.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { Generator } from "../bench/corpus.ts";
import type { QueueHandler } from "../contract/queue.ts";
import { createClient, createOrganization, type Service } from "../support/service.ts";
import { Meter, meteredPorts } from "./meter.ts";
import { type EnginePlatform, openEnginePlatform } from "./platform.ts";
import { drain, namesRead, queuesOf, streamHandler } from "./service.ts";

const WARMING = 3;
const REQUESTS = 15;
const ROUNDS = WARMING + REQUESTS;
/** Tolerance of the recorded figures: ids, times and therefore the facts that a search reads differ between runs. */
const TOLERANCE = 0.5;

/**
 * By meaning, by words with their statistics, and the neighbours of all candidates: three queries. Unknown words are
 * searched once more by spelling; facts, their memories and a missing successor are read, and the hits behind the ranked
 * ones if all of those are shown.
 */
const SEARCH = [
  { embedder: 1, search: 5, dynamodb: 3 },
  { embedder: 1, search: 8, dynamodb: 30 },
];
/** Maximum round trips of a request with warm caches, and maximum calls (of the index: queries) if these are more. */
const LIMITS: Record<string, Amounts[]> = {
  // Concurrently.
  "GET /memories/{id}": [{ dynamodb: 1, search: 1 }],
  // More match than a page contains, so they are counted.
  "GET /memories": [{ dynamodb: 2 }],
  // The memory first, to check access.
  "GET /memories/{id}/history": [{ dynamodb: 2 }],
  "GET /entities/{id}": [{ dynamodb: 1 }, { dynamodb: 2 }],
  "POST /search": SEARCH,
  "POST /search/hybrid": SEARCH,
  // One more per hop.
  "POST /search/enhanced": [
    { embedder: 1, search: 8, dynamodb: 3 },
    { embedder: 1, search: 12, dynamodb: 30 },
  ],
  "POST /v3/memories/search": SEARCH,
  // Facts are read by their keys; the last write stores what explains the recall.
  "POST /recall": [
    { embedder: 1, search: 5, dynamodb: 3 },
    { embedder: 1, search: 8, dynamodb: 12 },
  ],
  // Reads the user's people, the cached result of the model, related memories and their facts, the latest facts of the
  // text's slots, and the memories that state them.
  "POST /memories": [
    { model: 1, dynamodb: 7, search: 2 },
    { model: 1, dynamodb: 14, search: 2 },
  ],
  // Ten memories are not all processed concurrently: each begins in its organization's turn.
  "POST /memories/batch": [
    { model: 6, dynamodb: 10, search: 6 },
    { model: 10, dynamodb: 100, search: 20 },
  ],
  "PUT /memories/{id}": [
    { model: 1, dynamodb: 8, search: 2 },
    { model: 1, dynamodb: 14, search: 2 },
  ],
  // Cached results of models for the user's texts are deleted as well.
  "DELETE /memories/{id}": [{ dynamodb: 3 }],
  "POST /memories/{id}/feedback": [{ dynamodb: 2 }],
  // The project's instructions, then the conversation with its job.
  "POST /v3/memories/add": [{ dynamodb: 2, sqs: 1 }],
  "POST /sessions": [{ dynamodb: 1 }],
  // The session, then the message with the job that extracts memories.
  "POST /sessions/{id}/messages": [{ dynamodb: 2, sqs: 1 }],
  // The session first, to check access.
  "GET /sessions/{id}/messages": [{ dynamodb: 2 }],
  // The memories that share words with the messages, and preferences; the facts of these memories and of their slots.
  "GET /sessions/{id}/context": [
    { model: 1, search: 2, dynamodb: 6 },
    { model: 1, search: 3, dynamodb: 20 },
  ],
  // Reads the skills that were found.
  "GET /skills/search": [
    { embedder: 1, search: 1, dynamodb: 1 },
    { embedder: 1, search: 2, dynamodb: 1 },
  ],
  // Writes its counts before it reads them.
  "GET /agents/{id}": [{ dynamodb: 3 }, { dynamodb: 10 }],
  // The facts, then their memories, while they are counted.
  "GET /facts": [{ dynamodb: 3 }, { dynamodb: 6 }],
  // The slots of the user and the patterns, the facts of the slots, and the memories behind the lines.
  "GET /profiles/{id}": [{ dynamodb: 4 }, { dynamodb: 60 }],
  // Afterwards, its event is delivered to a webhook.
  "POST /agents": [{ dynamodb: 3 }, { dynamodb: 6 }],
};

const text = new Generator(12);
let told = 0;
const memory = () => {
  const session_id = `session_${Math.floor(told++ / 10)}`;
  return { content: text.memory(), user_id: "ada", category: "notes", metadata: { session_id } };
};
const session = () => ({ agent_id: "guide", user_id: "ada", title: "Tea" });
const message = () => ({ role: "user", content: text.memory() });
const search = () => ({ query: text.question() });
const agent = () => ({ name: `Guide ${told++}`, model: "gpt-4o-mini" });
const QUERIES: Record<string, string> = {
  "GET /facts": "?user_id=ada&limit=20",
  "GET /memories": "?user_id=ada&limit=20",
  "GET /skills/search": "?trigger=tea",
};
const BODIES: Record<string, () => object> = {
  "POST /search": search,
  "POST /search/hybrid": search,
  "POST /search/enhanced": search,
  "POST /v3/memories/search": () => ({ ...search(), filters: { user_id: "ada" } }),
  "POST /recall": () => ({ ...search(), user_id: "ada" }),
  "POST /memories": memory,
  "POST /memories/batch": () => ({ memories: Array.from({ length: 10 }, memory) }),
  "PUT /memories/{id}": () => ({ content: text.memory() }),
  "POST /memories/{id}/feedback": () => ({ rating: 5 }),
  "POST /v3/memories/add": () => ({ messages: text.memory(), user_id: "ada" }),
  "POST /sessions": session,
  "POST /sessions/{id}/messages": message,
  "POST /agents": agent,
};
/** Receives webhooks. */
const receiver = createServer((request, response) => request.resume().once("end", () => response.end()));

const meter = new Meter();
let now = Date.now();
let platform: EnginePlatform;
let runtime: Runtime;
let service: Service & { runtime: Runtime };
let pollers: (() => Promise<number>)[];
let key: string;
/** The ids of existing things by method and kind, one per round. */
const ids: Record<string, string[]> = {};

async function send(method: string, path: string, body?: object, as = key): Promise<string> {
  const answer = await service.request(method, path, { key: as, body });
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  // The clock does not move otherwise, so that caches stay warm.
  now += 1;
  return answer.body.data?.id;
}

async function createMany(path: string, body: (round: number) => object): Promise<string[]> {
  const created: string[] = [];
  for (let round = 0; round < ROUNDS; round++) created.push(await send("POST", path, body(round)));
  return created;
}

/** Writes counters, and lets the workers process everything. */
async function settle(): Promise<void> {
  await runtime.rollups.flush();
  await drain(async () => {
    let done = 0;
    for (const poll of pollers) done += await drain(poll);
    return done;
  });
  await platform.refreshSearch();
}

function pollersOf(entry: AnyWorkerEntry): (() => Promise<number>)[] {
  const { source } = entry.worker;
  if ("stream" in source) {
    const handler = streamHandler(entry, runtime);
    return [() => platform.pollStream(handler)];
  }
  const handler = entry.bind(runtime) as QueueHandler;
  return namesRead(source).map((queue) => () => platform.pollQueue(queue, handler));
}

/** The sum of amounts, each multiplied by its factor. */
function sum(...parts: [amounts: Amounts, times: number][]): Amounts {
  const total = (name: string) => parts.reduce((sofar, [amounts, times]) => sofar + (amounts[name] ?? 0) * times, 0);
  return Object.fromEntries(COLUMNS.map((name) => [name, Math.max(0, Number(total(name).toFixed(2)))]));
}

beforeAll(async () => {
  const workers = await loadWorkers();
  const queues = workers.flatMap(({ worker }) => queuesOf(worker));
  platform = await openEnginePlatform({ queues, settings: { LOG_LEVEL: "error", ALLOW_PRIVATE_TARGETS: "1" } });
  const clock = () => now;
  runtime = createRuntime(
    createBaseRuntime(platform.config, clock, platform.logger),
    meteredPorts(platform, clock, meter),
  );
  const app = createApp(await loadGroups(), runtime);
  service = { ...createClient("http://localhost", "", (request) => app.fetch(request)), runtime };
  pollers = workers.flatMap(pollersOf);
  ({ key } = await createOrganization(service));
  // A busy machine must not fail searches.
  const by = { ...runtime, org: OPERATOR_ORG };
  await runtime.settings.change(by, searchSettings, (current) => ({ ...current, timeout_ms: 25_000 }));
  ids["/memories"] = await createMany("/memories", memory);
  ids["/sessions"] = await createMany("/sessions", session);
  for (const id of ids["/sessions"]) {
    for (let turn = 0; turn < 5; turn++) await send("POST", `/sessions/${id}/messages`, message());
  }
  const trigger = "a guest asks for tea";
  await createMany("/skills", (round) => ({ name: `Serve tea ${round}`, trigger, action: "Serve.", domain: "house" }));
  ids["DELETE /memories"] = await createMany("/memories", memory);
  ids["/agents"] = await createMany("/agents", agent);
  ids["/profiles"] = Array.from({ length: ROUNDS }, () => "ada");
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const { port } = receiver.address() as AddressInfo;
  await send("POST", "/webhooks", { name: "Hook", url: `http://127.0.0.1:${port}/`, events: ["agent.created"] });
  ids["/entities"] = await createMany("/entities", (round) => ({ name: `Place ${round}`, type: "place" }));
  await settle();
}, 300_000);

afterAll(async () => {
  receiver.close();
  await platform.close();
});

it("counts concurrent calls as one round trip, and dependent calls as another", async () => {
  const { records } = runtime.ports;
  const read = () => records.get({ pk: "o#none", sk: "meter" });
  const apart = async () => {
    await read();
    await read();
  };
  expect(await meter.measure(apart)).toMatchObject({ dynamodb_trips: 2, dynamodb: 2 });
  expect(await meter.measure(() => Promise.all([read(), apart()]))).toMatchObject({ dynamodb_trips: 2, dynamodb: 3 });
});

describe("a request in a process whose caches are warm", () => {
  const found = new Map<string, Amounts>();

  it.each(Object.entries(LIMITS))(
    "%s needs no more round trips than %j",
    { timeout: 120_000 },
    async (route, limits) => {
      const [method = "", path = ""] = route.split(" ");
      const kind = path.slice(0, path.indexOf("/{"));
      const known = ids[`${method} ${kind}`] ?? ids[kind] ?? [];
      let round = 0;
      const next = () =>
        send(method, path.replace("{id}", known[round++ % ROUNDS] ?? "") + (QUERIES[route] ?? ""), BODIES[route]?.());
      for (let warming = 0; warming < WARMING; warming++) await next();
      await settle();
      const each: Amounts[] = [];
      for (let request = 0; request < REQUESTS; request++) each.push(await meter.measure(next));
      found.set(route, sum(...each.map((amounts): [Amounts, number] => [amounts, 1 / REQUESTS])));
      found.set(`${route}${AFTERWARDS}`, sum([await meter.measure(settle), 1 / REQUESTS]));
      const [trips = {}, calls = trips] = limits;
      for (const amounts of each) {
        for (const backend of BACKENDS) {
          expect(amounts[`${backend}_trips`] ?? 0, `${backend}, round trips`).toBeLessThanOrEqual(trips[backend] ?? 0);
          expect(amounts[backend] ?? 0, `${backend}, calls`).toBeLessThanOrEqual(calls[backend] ?? 0);
        }
      }
    },
  );

  it("matches the figures in infra/costs.csv", async () => {
    expect([...found.keys()].filter((name) => !name.endsWith(AFTERWARDS))).toEqual(Object.keys(LIMITS));
    const read = (as: string) => service.request("GET", "/memories/mem_none", { key: as });
    await read(key);
    found.set("Counters of a process", sum([await meter.measure(() => runtime.rollups.flush()), 1]));
    const defaults = await meter.measure(() => read(key));
    const { key: limited } = await createOrganization(service, "team");
    await read(limited);
    found.set("Limits of a plan", sum([await meter.measure(() => read(limited)), 1], [defaults, -1]));
    const { key: unknown } = await createOrganization(service);
    found.set("Unknown credential", sum([await meter.measure(() => read(unknown)), 1], [defaults, -1]));
    if (process.env.WRITE_COSTS !== undefined) {
      const rows = [...found].map(([name, amounts]) => [name, ...COLUMNS.map((column) => amounts[column])]);
      writeFileSync(FIGURES_FILE, `${[["request", ...COLUMNS], ...rows].map((row) => row.join(",")).join("\n")}\n`);
    }
    const recorded = readFigures();
    expect([...recorded.keys()]).toEqual([...found.keys()]);
    for (const [name, amounts] of found) {
      if (name.endsWith(AFTERWARDS)) continue;
      const columns = name.includes("/") ? COLUMNS.slice(0, -1) : BACKENDS.map((backend) => `${backend}_trips`);
      for (const column of columns) {
        const [before = 0, after = 0] = [recorded.get(name)?.[column], amounts[column]];
        const most = Math.max(before, after) * TOLERANCE + 0.5;
        expect(Math.abs(before - after), `${name}, ${column}: ${before} on record`).toBeLessThanOrEqual(most);
      }
    }
  });
});
