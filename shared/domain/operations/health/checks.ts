import * as z from "zod";
import { rounded } from "../../../kernel/math.ts";
import { deadLettersOf } from "../../../ports/queues.ts";
import type { Runtime } from "../../../runtime/context.ts";

/** Time limit of a store's response; after it the store counts as failing. */
const TIMEOUT_MS = 3_000;

/** Cache lifetime of a check: a probe is a write, and its callers need no credential. */
const CACHE_MS = 1_000;

const STORES = ["records", "search", "blobs", "queue"] as const;
type Store = (typeof STORES)[number];

type HasLogger = Pick<Runtime, "logger">;

/** Whether a store responds, and how long that took or was waited for. */
export interface Check {
  ok: boolean;
  latency_ms: number;
}

/** The last result per port, with its time by `performance.now()`. */
const cached = new WeakMap<object, { at: number; check: Promise<Check> }>();

/** Probes every store concurrently, with a write where possible; a process probes each at most once per second. */
export async function checkStores(runtime: Runtime): Promise<Record<Store, Check>> {
  const check = (name: Store): Promise<Check> => {
    const port = runtime.ports[name];
    const last = cached.get(port);
    const now = performance.now();
    if (last !== undefined && now - last.at < CACHE_MS) return last.check;
    const probe = attempt(runtime, name, () => port.ping()).then((answer) => answer.check);
    cached.set(port, { at: now, check: probe });
    return probe;
  };
  const checks = await Promise.all(STORES.map(async (name) => [name, await check(name)] as const));
  return Object.fromEntries(checks) as Record<Store, Check>;
}

/** Returns the depth of every queue by name; undefined if the queue store does not respond. */
export async function readQueues(runtime: Runtime): Promise<z.output<typeof QueueState>[] | undefined> {
  const { queue } = runtime.ports;
  const { value } = await attempt(runtime, "queue", async () => {
    const names = queue.names();
    const depths = new Map(await Promise.all(names.map(async (name) => [name, await queue.depth(name)] as const)));
    return [...new Set(names.map(consumerOf))].sort().map((name) => {
      const depth = depths.get(name);
      const dead = depths.get(deadLettersOf(name));
      return {
        name,
        waiting: depth?.waiting ?? null,
        in_flight: depth?.inFlight ?? null,
        delayed: depth?.delayed ?? null,
        dead_letters: dead ? dead.waiting + dead.inFlight + dead.delayed : 0,
      };
    });
  });
  return value;
}

function consumerOf(queue: string): string {
  const suffix = deadLettersOf("");
  return queue.endsWith(suffix) ? queue.slice(0, -suffix.length) : queue;
}

/** Returns the result of a health check; undefined if it fails or hangs, because operators need the other results. */
export async function orUndefined<T>(
  runtime: HasLogger,
  part: string,
  ask: () => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T | undefined> {
  return (await attempt(runtime, part, ask, timeoutMs)).value;
}

/** Runs a check within the time limit. A failure is logged, and `value` is absent. */
async function attempt<T>(
  { logger }: HasLogger,
  part: string,
  run: () => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<{ check: Check; value?: T }> {
  const startedAt = performance.now();
  const latency = () => rounded(performance.now() - startedAt, 1);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    const value = await Promise.race([run(), timeout]);
    return { check: { ok: true, latency_ms: latency() }, value };
  } catch (error) {
    logger.error("CHECK_FAILED", { part, error });
    return { check: { ok: false, latency_ms: latency() } };
  } finally {
    clearTimeout(timer);
  }
}

const messages = z.int().nullable();

/** The API's form of a queue. */
export const QueueState = z
  .object({ name: z.string(), waiting: messages, in_flight: messages, delayed: messages, dead_letters: z.int() })
  .describe(
    "Approximate on AWS. For sources other than queues, such as the change feed, only dead letters are counted.",
  );
