import { FLUSH_SECONDS, LOG_KB, MIX, PRICES, QUOTAS, WAIT_MS, WHOLE_CORE_MB } from "./assumptions.ts";
import {
  type Amounts,
  add,
  addTraffic,
  type Backend,
  type Figures,
  type RouteFigures,
  type Traffic,
  total,
} from "./figures.ts";

/** The manifest properties of a group's or worker's function. */
export interface Deployable {
  memoryMb: number;
  /** For a reader of the change feed, the concurrent batches per shard. */
  batchesAtOnce?: number | undefined;
}

export type Deployables = ReadonlyMap<string, Deployable>;

const MILLION = 1_000_000;
const QUEUE_REQUESTS_A_MESSAGE = 2;
const MB_A_GB = 1024;
const SECONDS_A_MONTH = 30 * 86_400;
const MINUTE = 60;

/** Milliseconds of a function from the measured CPU time and the assumed waits. */
function durationMs({ waits, cpuMs }: Pick<RouteFigures, "waits" | "cpuMs">, memoryMb: number): number {
  return waitingMs(waits) + cpuMs * Math.max(1, WHOLE_CORE_MB / memoryMb);
}

function waitingMs(waits: Amounts): number {
  return Object.entries(waits).reduce((sum, [name, times]) => sum + times * WAIT_MS[name as Backend], 0);
}

function deployable(functions: Deployables, name: string): Deployable {
  const found = functions.get(name);
  if (found === undefined) throw new Error(`there is no function '${name}' any more: run 'npm run costs'`);
  return found;
}

/** The complete cost of a request kind, including its share of counters and the workers' work. */
export interface RequestCost {
  all: Traffic;
  /** Until the response. */
  answerMs: number;
  /** Milliseconds per function by name, including workers. */
  busyMs: Amounts;
  gbSeconds: number;
  /** Messages of queue workers. */
  messages: number;
  dollarsAMillion: number;
}

export function costOf(route: RouteFigures, functions: Deployables): RequestCost {
  const answerMs = durationMs(route, deployable(functions, route.group).memoryMb);
  const busyMs: Amounts = { [route.group]: answerMs };
  let messages = 0;
  for (const work of route.after) {
    const { memoryMb, batchesAtOnce } = deployable(functions, work.worker);
    busyMs[work.worker] = durationMs(work, memoryMb);
    if (batchesAtOnce === undefined) messages += work.events;
  }
  const all = addTraffic(...[route, route.counted, ...route.after].map((traffic) => ({ traffic, times: 1 })));
  const gbSeconds = total(
    Object.fromEntries(
      Object.entries(busyMs).map(([name, ms]) => [
        name,
        (ms / 1000) * (deployable(functions, name).memoryMb / MB_A_GB),
      ]),
    ),
  );
  const cost = { all, answerMs, busyMs, gbSeconds, messages };
  return { ...cost, dollarsAMillion: dollarsAMillion(cost) };
}

function dollarsAMillion({ all, gbSeconds, messages }: Omit<RequestCost, "dollarsAMillion">): number {
  const { calls } = all;
  const called = (backend: Backend) => calls[backend] ?? 0;
  return (
    total(all.read) * PRICES.readUnits.dollars +
    total(all.written) * PRICES.writeUnits.dollars +
    gbSeconds * PRICES.lambdaGbSeconds.dollars +
    PRICES.lambdaCalls.dollars +
    PRICES.apiRequests.dollars +
    (called("sqs") + messages * QUEUE_REQUESTS_A_MESSAGE) * PRICES.queueRequests.dollars +
    called("s3Put") * PRICES.s3Puts.dollars +
    called("s3Get") * PRICES.s3Gets.dollars +
    called("embedder") * PRICES.embeddings.dollars +
    called("model") * PRICES.modelCalls.dollars +
    LOG_KB * PRICES.logs.dollars
  );
}

/** The request mix at a rate, per second by default. */
export interface Load {
  rate: number;
  read: Amounts;
  written: Amounts;
  calls: Amounts;
  /** Average concurrency per function by name. */
  busy: Amounts;
  /** Write units of a process's counters; those of the deployment share one partition. */
  counterUnits: number;
  dollarsAMonth: number;
}

export function loadAt(rate: number, figures: Figures, functions: Deployables): Load {
  const parts = figures.routes.map((route) => ({ cost: costOf(route, functions), times: shareOf(route) * rate }));
  const sum = (of: (cost: RequestCost) => Amounts) =>
    add(...parts.map(({ cost, times }) => ({ amounts: of(cost), times })));
  const sumOf = (of: (cost: RequestCost) => number) =>
    parts.reduce((sofar, { cost, times }) => sofar + of(cost) * times, 0);
  // A process serves one request at a time, and flushes counters every few seconds while it serves.
  const processes = Math.max(1, sumOf(({ answerMs }) => answerMs) / 1000);
  const flush = { amounts: figures.flush.written, times: Math.min(rate, processes / FLUSH_SECONDS) };
  const counterUnits = total(add(flush));
  return {
    rate,
    read: sum(({ all }) => all.read),
    written: add({ amounts: sum(({ all }) => all.written), times: 1 }, flush),
    calls: sum(({ all }) => all.calls),
    busy: add({ amounts: sum(({ busyMs }) => busyMs), times: 1 / 1000 }),
    counterUnits,
    dollarsAMonth:
      (SECONDS_A_MONTH / MILLION) *
      (sumOf(({ dollarsAMillion: dollars }) => dollars) + counterUnits * PRICES.writeUnits.dollars),
  };
}

function shareOf({ route }: RouteFigures): number {
  const share = MIX[route];
  if (share === undefined) throw new Error(`the mix of infra/costs/assumptions.ts has no share for '${route}'`);
  return share;
}

/** The use of a limit by a load. */
export interface Strain {
  limit: string;
  /** Needed and available amounts in `unit`. */
  needed: number;
  available: number;
  unit: string;
  remedy: string;
}

/** The API's rate limit of a deployment, and the nodes of its search domain. */
export interface Deployed {
  throttleRate: number;
  searchInstanceCount: number;
}

/** The limits that a load approaches, most strained first. */
export function strains(load: Load, deployed: Deployed, functions: Deployables): Strain[] {
  const found = [
    ...requestStrains(load, deployed),
    ...bedrockStrains(load),
    ...tableStrains(load),
    ...partitionStrains(load),
    feedStrain(load, functions),
    searchStrain(load, deployed),
  ];
  return found.sort((a, b) => strainOf(b) - strainOf(a));
}

function requestStrains({ rate, busy }: Load, { throttleRate }: Deployed): Strain[] {
  return [
    {
      limit: "API stage",
      needed: rate,
      available: throttleRate,
      unit: "requests/s",
      remedy: "`throttleRate`, `throttleBurst`",
    },
    {
      limit: "API Gateway, account",
      needed: rate,
      available: QUOTAS.apiRate,
      unit: "requests/s",
      remedy: "Service Quotas: throttle rate of HTTP APIs",
    },
    {
      limit: "Lambda concurrency, account",
      needed: total(busy),
      available: QUOTAS.lambdaConcurrency,
      unit: "at a time",
      remedy: "Service Quotas: concurrent executions; `memoryMb` of the group shortens what computes",
    },
  ];
}

function bedrockStrains({ calls }: Load): Strain[] {
  return [
    {
      limit: "Bedrock, embeddings",
      needed: (calls.embedder ?? 0) * MINUTE,
      available: QUOTAS.embeddingsAMinute,
      unit: "a minute",
      remedy: "Service Quotas: requests of the embedding model; `embedder`",
    },
    {
      limit: "Bedrock, language model",
      needed: (calls.model ?? 0) * MINUTE,
      available: QUOTAS.modelCallsAMinute,
      unit: "a minute",
      remedy: "Service Quotas: requests of the model; an inference profile as `bedrockModel`; `languageModel`",
    },
  ];
}

function tableStrains({ read, written }: Load): Strain[] {
  const [, busiestUnits] = busiestIndex(written);
  return [
    {
      limit: "New table, writes",
      needed: Math.max(written.table ?? 0, busiestUnits),
      available: QUOTAS.newTableWrites,
      unit: "units/s",
      remedy: "doubles by itself within 30 minutes; warm throughput of the table, set before the load comes",
    },
    {
      limit: "New table, reads",
      needed: Math.max(...Object.values(read), 0),
      available: QUOTAS.newTableReads,
      unit: "units/s",
      remedy: "as above",
    },
    {
      limit: "Table, account's quota",
      needed: Math.max(total(written), total(read)),
      available: QUOTAS.tableUnits,
      unit: "units/s",
      remedy: "Service Quotas: units of a table",
    },
  ];
}

function partitionStrains({ written, counterUnits }: Load): Strain[] {
  const [busiest, busiestUnits] = busiestIndex(written);
  return [
    {
      limit: `Index partition (${busiest}), if one organization sends it all`,
      needed: busiestUnits,
      available: QUOTAS.partitionWrites,
      unit: "units/s",
      remedy: "plan limits (`defaultPlan`) keep one organization below it; more organizations, more partitions",
    },
    {
      limit: "Partition of the deployment's counters",
      needed: counterUnits,
      available: QUOTAS.partitionWrites,
      unit: "units/s",
      remedy: "fewer processes, so shorter requests: `memoryMb`; FLUSH_AFTER_MS in shared/runtime/stats/rollups.ts",
    },
  ];
}

/** The change feed has a shard per table partition, whose number depends on the load. */
function feedStrain({ busy, read, written }: Load, functions: Deployables): Strain {
  const followers = Object.entries(busy).filter(([name]) => functions.get(name)?.batchesAtOnce !== undefined);
  const [follower, batches] = most(Object.fromEntries(followers));
  const shards = Math.max(
    QUOTAS.newTableWrites / QUOTAS.partitionWrites,
    (written.table ?? 0) / QUOTAS.partitionWrites,
    (read.table ?? 0) / QUOTAS.partitionReads,
  );
  return {
    limit: `Change feed (${follower})`,
    needed: batches,
    available: shards * (functions.get(follower)?.batchesAtOnce ?? 1),
    unit: "batches at a time",
    remedy: "`batchesAtOnce` of the worker's manifest; its `memoryMb`",
  };
}

function searchStrain({ calls }: Load, { searchInstanceCount }: Deployed): Strain {
  return {
    limit: "Search nodes",
    needed: (calls.search ?? 0) / QUOTAS.searchesANode,
    available: searchInstanceCount,
    unit: "nodes",
    remedy:
      "`searchInstanceCount` up to two a shard of the index, then `searchInstanceType` and SHARDS in search-mapping.ts",
  };
}

/** The most written index with its units per second. */
function busiestIndex(written: Amounts): [name: string, units: number] {
  return most(Object.fromEntries(Object.entries(written).filter(([name]) => name !== "table")));
}

/** The used share of a limit; above 1 it is exceeded. */
export function strainOf({ needed, available }: Strain): number {
  return needed / available;
}

function most(amounts: Amounts): [name: string, amount: number] {
  return Object.entries(amounts).sort(([, a], [, b]) => b - a)[0] ?? ["none", 0];
}
