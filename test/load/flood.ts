/**
 * `npm run load:flood [-- --seconds 10 --rounds 3 --connections 200]`: measures the latency of one organization with a modest,
 * steady request rate, alone and while another one floods the service within its plan and far beyond it. Each side has its own
 * process. Measurements with and without the flood alternate, so that other load on the machine affects both.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Generator } from "../bench/corpus.ts";
import { percentile } from "../bench/timing.ts";
import type { FloodAnswers, FloodOrder } from "./flood-client.ts";
import { type ServiceUnderLoad, startUnderLoad } from "./service-under-load.ts";
import { createTenant, type Tenant } from "./tenants.ts";

const CLIENT = fileURLToPath(new URL("flood-client.ts", import.meta.url));
const MEMORIES = 1_000;
/** Of the organization with the steady rate. */
const REQUESTS_A_SECOND = 20;
/** A flood is measured after this time, because its connections are opened one after the other. */
const FLOOD_STARTS_MS = 3_000;
const MAX_RATIO = 1.2;

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "200" },
    // Binds the service to the first processor and the flood to the second one, with `taskset`.
    apart: { type: "boolean", default: false },
  },
});
const [seconds, rounds, connections] = [Number(options.seconds), Number(options.rounds), Number(options.connections)];

const floodSeconds = seconds + FLOOD_STARTS_MS / 1_000 + 1;
const service = await startUnderLoad({ DEFAULT_PLAN: "enterprise" }, options.apart ? 0 : undefined);
const flooding = options.apart
  ? fork(CLIENT, { execPath: "taskset", execArgv: ["-c", "1", process.execPath] })
  : fork(CLIENT);
try {
  const calm = await createTenant(service, 1, MEMORIES);
  const flooder = await createTenant(service, 2, MEMORIES);
  const within = await compare("within its plan (unlimited)", calm, flooder);
  await putOnPlan(service, flooder, "free");
  const beyond = await compare("beyond its plan (free)", calm, flooder);
  console.table([within, beyond]);
  if ([within, beyond].some(({ holds }) => !holds)) process.exitCode = 1;
} finally {
  flooding.disconnect();
  await service.close();
}

async function compare(flood: string, calm: Tenant, flooder: Tenant) {
  const times = { alone: [] as number[], flooded: [] as number[] };
  const answers: FloodAnswers = {};
  let used = 0;
  for (let round = 0; round < rounds; round++) {
    times.alone.push(...(await askSteadily(calm)));
    const before = await service.cpuSeconds();
    const answered = floodWith(flooder);
    await sleep(FLOOD_STARTS_MS);
    times.flooded.push(...(await askSteadily(calm)));
    for (const [kind, count] of Object.entries(await answered)) answers[kind] = (answers[kind] ?? 0) + count;
    used += (await service.cpuSeconds()) - before;
  }
  const ratioAt = (share: number) => percentile(times.flooded, share) / percentile(times.alone, share);
  const told = (all: number[]) => [0.5, 0.95].map((share) => percentile(all, share).toFixed(1)).join(" / ");
  return {
    flood,
    "answers to the flood": JSON.stringify(answers),
    "processors used": (used / (rounds * floodSeconds)).toFixed(2),
    "alone, p50 / p95 ms": told(times.alone),
    "flooded, p50 / p95 ms": told(times.flooded),
    "ratio p50": ratioAt(0.5).toFixed(2),
    "ratio p95": ratioAt(0.95).toFixed(2),
    holds: ratioAt(0.95) <= MAX_RATIO,
  };
}

async function floodWith(tenant: Tenant): Promise<FloodAnswers> {
  const order: FloodOrder = { url: service.url, tenant, connections, seconds: floodSeconds };
  flooding.send(order);
  const [answers] = await once(flooding, "message");
  return answers;
}

/** Sends 70 % reads and 30 % searches at fixed times, without waiting for earlier responses. Returns their milliseconds. */
async function askSteadily(tenant: Tenant): Promise<number[]> {
  const text = new Generator(3);
  const agent = new Agent({ keepAlive: true });
  const asked = Array.from({ length: seconds * REQUESTS_A_SECOND }, async (_, index) => {
    await sleep((index * 1_000) / REQUESTS_A_SECOND);
    const memory = tenant.memories[index % tenant.memories.length];
    const path = index % 10 < 7 ? `/memories/${memory}` : `/search?q=${encodeURIComponent(text.question())}`;
    return timeOf(agent, path, tenant.key);
  });
  const times = await Promise.all(asked);
  agent.destroy();
  return times;
}

async function timeOf(agent: Agent, path: string, key: string): Promise<number> {
  const beganAt = performance.now();
  const asking = request(service.url + path, { agent, headers: { "x-api-key": key } }).end();
  const [response] = await once(asking, "response");
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`GET ${path} answered ${response.statusCode}`);
  return performance.now() - beganAt;
}

async function putOnPlan(service: ServiceUnderLoad, { organization }: Tenant, plan: string): Promise<void> {
  const { body } = await service.request("GET", "/admin/organizations?limit=200");
  const found = body.data.organizations.find(({ name }: { name: string }) => name === organization);
  if (found === undefined) throw new Error(`there is no organization '${organization}'`);
  const answer = await service.request("PUT", "/admin/organizations", { body: { organization_id: found.id, plan } });
  if (answer.status !== 200) throw new Error(`PUT /admin/organizations answered ${answer.status}`);
}
