import { readFileSync } from "node:fs";

/**
 * What the service calls, the slowest to answer first. `model` and `embedder` are tasks given to a language model and texts
 * embedded, each a call of Bedrock.
 */
export const BACKENDS = ["model", "embedder", "search", "s3Put", "s3Get", "secrets", "sqs", "dynamodb"] as const;

export type Backend = (typeof BACKENDS)[number];

/** Amounts by name: of calls, by backend; of capacity units, by index (`table` for the table itself). */
export type Amounts = Record<string, number>;

/** What was sent to the backends, for one request or a share of several. */
export interface Traffic {
  /** Round trips: times that something was waited for. Calls under way together are one, of the slowest of them. */
  waits: Amounts;
  calls: Amounts;
  /** Capacity units of reading and of writing. */
  read: Amounts;
  written: Amounts;
}

/** What a worker does for one request. */
export interface Aftermath extends Traffic {
  worker: string;
  /** Changes of the feed, or messages of its queues, that it was told. */
  events: number;
  cpuMs: number;
}

/** One kind of request, in a process whose caches are warm. */
export interface RouteFigures extends Traffic {
  /** `GET /memories/{id}`. */
  route: string;
  /** Function that serves it. */
  group: string;
  cpuMs: number;
  /** What it adds to the counters that its process writes every few seconds. */
  counted: Traffic;
  after: Aftermath[];
}

export interface Figures {
  routes: RouteFigures[];
  /** What a process writes of its own every few seconds, however much it served. */
  flush: Traffic;
  /** What a plan with limits adds to any request. */
  limiter: Traffic;
  /** What a credential adds to a request that its process has not met lately. */
  credential: Traffic;
}

const STORED = new URL("figures.json", import.meta.url);

/** What `npm run costs` counted last. */
export function readFigures(): Figures {
  return JSON.parse(readFileSync(STORED, "utf8"));
}

export function total(amounts: Amounts): number {
  return Object.values(amounts).reduce((sum, amount) => sum + amount, 0);
}

/** The sum of amounts, each `times` as much. */
export function add(...parts: { amounts: Amounts; times: number }[]): Amounts {
  const sum: Amounts = {};
  for (const { amounts, times } of parts) {
    for (const [name, amount] of Object.entries(amounts)) sum[name] = (sum[name] ?? 0) + amount * times;
  }
  return sum;
}

/** The sum of traffic, each `times` as much. */
export function addTraffic(...parts: { traffic: Traffic; times: number }[]): Traffic {
  const sum = (of: (traffic: Traffic) => Amounts) =>
    add(...parts.map(({ traffic, times }) => ({ amounts: of(traffic), times })));
  return {
    waits: sum(({ waits }) => waits),
    calls: sum(({ calls }) => calls),
    read: sum(({ read }) => read),
    written: sum(({ written }) => written),
  };
}
