/**
 * `npm run load [-- --seconds 300 --connections 200]`: concurrent reads, searches and writes of several organizations against
 * `npm start`, each side in its own process. Exits with 1 if a request fails or memory grows.
 */
import type { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import autocannon, { type Client, type Result } from "autocannon";
import { percentile } from "../bench/timing.ts";
import { endProfile, type Spent, startProfile } from "./cpu-profile.ts";
import { growth, liveHeap, MB, megabytes, type Sample, sampleMemory } from "./memory-use.ts";
import { askFor, type Kind } from "./profile.ts";
import { type ServiceUnderLoad, startUnderLoad } from "./service-under-load.ts";
import { createTenant, type Tenant } from "./tenants.ts";

const ORGANIZATIONS = 4;
const MEMORIES = 1_000;
/**
 * MB per minute. Because of garbage collections the fitted line is never level; a leak of 1 KB per request is ten times that.
 */
const MAX_GROWTH = 5;
const WARM_SHARE = 1 / 5;
const SHOWN_FUNCTIONS = 40;

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "300" },
    connections: { type: "string", default: "200" },
    // The usual timeout of gateways in front of services.
    timeout: { type: "string", default: "30" },
    profile: { type: "boolean", default: false },
  },
});
const [seconds, connections] = [Number(options.seconds), Number(options.connections)];

/** Memory of the service: a sample per second, and the heap in use. */
interface Watched {
  samples: Sample[];
  /** After a garbage collection: once the service is warm, and at the end. */
  live: { warm: number; end: number };
}

const service = await startUnderLoad({ DEFAULT_PLAN: "enterprise" });
try {
  await measure(service);
} finally {
  await service.close();
}

async function measure(service: ServiceUnderLoad): Promise<void> {
  console.log(`storing ${MEMORIES} memories of each of ${ORGANIZATIONS} organizations …`);
  const tenants: Tenant[] = [];
  for (let seed = 1; seed <= ORGANIZATIONS; seed++) tenants.push(await createTenant(service, seed, MEMORIES));
  await service.loopDelay();
  const before = await service.cpuSeconds();
  console.log(`${connections} connections for ${seconds} s …`);
  if (options.profile) await startProfile(service.inspector);
  const [{ result, times, cutOff }, { samples, live }] = await Promise.all([load(tenants), watch(service)]);
  if (options.profile) printProfile(await endProfile(service.inspector));
  const spent = (await service.cpuSeconds()) - before;
  const answered = result["2xx"] + result.non2xx;
  console.log(
    `${answered} answers, ${Math.round(answered / result.duration)} a second; the service used ` +
      `${(spent / result.duration).toFixed(2)} processors, ${((1000 * spent) / answered).toFixed(2)} ms an answer`,
  );
  console.table([...times].map(([kind, all]) => ({ kind, answers: all.length, ...latencies(all) })));
  const delay = await service.loopDelay();
  console.log(`the event loop stood still for ${delay.p99.toFixed(0)} ms at p99, ${delay.max.toFixed(0)} ms at most`);
  verify(failures(result, cutOff));
  verify(memoryGrowth(samples, live));
}

/** Prints a table; a row that does not hold makes the process exit with 1. */
function verify(rows: { holds: boolean }[]): void {
  console.table(rows);
  if (!rows.every(({ holds }) => holds)) process.exitCode = 1;
}

/** Sends requests for the given time; `cutOff` counts those that got neither a response nor an error. */
async function load(tenants: Tenant[]): Promise<{ result: Result; times: Map<Kind, number[]>; cutOff: number }> {
  const times = new Map<Kind, number[]>();
  const open = new Map<Client, number>();
  let connection = 0;
  const result = await autocannon({
    url: service.url,
    connections,
    duration: seconds,
    timeout: Number(options.timeout),
    setupClient: (client) => {
      const tenant = tenants[connection++ % tenants.length];
      if (tenant === undefined) throw new RangeError("there is no organization to ask for");
      askFor(tenant, client, (kind, milliseconds) => {
        const all = times.get(kind) ?? [];
        times.set(kind, all);
        all.push(milliseconds);
      });
      const sent = (count: number) => () => open.set(client, (open.get(client) ?? 0) + count);
      const emitter: EventEmitter = client;
      emitter.on("request", sent(1));
      for (const end of ["response", "timeout", "connError"]) emitter.on(end, sent(-1));
    },
  });
  // A request in progress when the time is over is not a failure.
  const cutOff = [...open.values()].reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  return { result, times, cutOff };
}

async function watch(service: ServiceUnderLoad): Promise<Watched> {
  const ending = new AbortController();
  const sampling = sampleMemory(service, ending.signal);
  // Long before the last half, in which a heap that has just shrunk would seem to grow.
  await sleep(seconds * WARM_SHARE * 1_000);
  const warm = await liveHeap(service);
  await sleep(seconds * (1 - WARM_SHARE) * 1_000);
  ending.abort();
  const samples = await sampling;
  return { samples, live: { warm, end: await liveHeap(service) } };
}

function failures({ non2xx, timeouts, errors }: Result, cutOff: number) {
  const kinds = { "other than 2xx": non2xx, timeouts, "resets and other errors": errors - timeouts, "cut off": cutOff };
  return Object.entries(kinds).map(([failed, requests]) => ({ failed, requests, holds: requests === 0 }));
}

/** Measures the last half, because the first one fills memory that is reused later. The stored data do not grow meanwhile. */
function memoryGrowth(samples: Sample[], live: Watched["live"]) {
  const half = samples.slice(samples.length / 2);
  const rows = (["resident", "heap", "external"] as const).map((what) => ({
    memory: what as string,
    "MB, least": Math.min(...half.map((sample) => megabytes(sample[what]))),
    "MB, most": Math.max(...half.map((sample) => megabytes(sample[what]))),
    "growth, MB a minute": rounded(growth(half, what)),
    "at most": what === "resident" ? MAX_GROWTH : Number.POSITIVE_INFINITY,
  }));
  const kept = {
    what: "in use after a collection",
    growth: (((live.end - live.warm) / MB) * 60) / (seconds * (1 - WARM_SHARE)),
  };
  const ends = [live.warm, live.end].map(megabytes);
  rows.push({
    memory: kept.what,
    "MB, least": Math.min(...ends),
    "MB, most": Math.max(...ends),
    "growth, MB a minute": rounded(kept.growth),
    "at most": MAX_GROWTH,
  });
  return rows.map((row) => ({ ...row, holds: row["growth, MB a minute"] <= row["at most"] }));
}

function latencies(all: number[]) {
  const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((share) => rounded(percentile(all, share)));
  return { "p50, ms": p50, "p95, ms": p95, "p99, ms": p99, "most, ms": most };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function printProfile(spent: Spent[]): void {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const row = ({ what, own, inAll }: Spent) => ({ what, own: percent(own), "with what it called": percent(inAll) });
  console.table(spent.slice(0, SHOWN_FUNCTIONS).map(row));
}
