import { readFileSync } from "node:fs";

/**
 * Backends by latency, slowest first. `model` and `embedder` are language tasks and embedded texts, each a Bedrock
 * call.
 */
export const BACKENDS = ["model", "embedder", "search", "s3Put", "s3Get", "secrets", "sqs", "dynamodb"] as const;

export type Backend = (typeof BACKENDS)[number];

/** Amounts by name: calls by backend; capacity units by index (`table` for the table itself). */
export type Amounts = Record<string, number>;

/** Backend traffic of a request or a share of several. */
export interface Traffic {
  /** Round trips: concurrent calls count as one, of the slowest. */
  waits: Amounts;
  calls: Amounts;
  /** Capacity units read and written. */
  read: Amounts;
  written: Amounts;
}

/** The work of a worker for one request. */
export interface Aftermath extends Traffic {
  worker: string;
  /** Changes or messages that it receives. */
  events: number;
  cpuMs: number;
}

/** One kind of request in a process with warm caches. */
export interface RouteFigures extends Traffic {
  /** `GET /memories/{id}`. */
  route: string;
  /** The function that serves it. */
  group: string;
  cpuMs: number;
  /** What it adds to the counters that its process flushes. */
  counted: Traffic;
  after: Aftermath[];
}

export interface Figures {
  routes: RouteFigures[];
  /** What a process flushes by itself, whatever its traffic. */
  flush: Traffic;
  /** What a plan with limits adds to a request. */
  limiter: Traffic;
  /** What an uncached credential adds to a request. */
  credential: Traffic;
}

const STORED = new URL("figures.json", import.meta.url);

/** The latest counts of `npm run costs`. */
export function readFigures(): Figures {
  return JSON.parse(readFileSync(STORED, "utf8"));
}

export function total(amounts: Amounts): number {
  return Object.values(amounts).reduce((sum, amount) => sum + amount, 0);
}

/** The weighted sum of amounts. */
export function add(...parts: { amounts: Amounts; times: number }[]): Amounts {
  const sum: Amounts = {};
  for (const { amounts, times } of parts) {
    for (const [name, amount] of Object.entries(amounts)) sum[name] = (sum[name] ?? 0) + amount * times;
  }
  return sum;
}

/** The weighted sum of traffic. */
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
