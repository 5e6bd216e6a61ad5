import { rounded } from "../kernel/rounded.ts";
import type { Home } from "../platform/context.ts";
import { deadLettersOf } from "../platform/queues.ts";

/** A store that has not answered by then counts as failing. */
const PATIENCE_MS = 3_000;

type Store = "records" | "search" | "blobs" | "queue";

type Witness = Pick<Home, "logger">;

/** Whether a store answers, and how long that took or was waited for. */
export interface Check {
  ok: boolean;
  latency_ms: number;
}

/** Asks every store for a sign of life, all at once. */
export async function checkStores(home: Home): Promise<Record<Store, Check>> {
  const check = async (name: Store) => (await attempt(home, name, () => home.ports[name].ping())).check;
  const [records, search, blobs, queue] = await Promise.all([
    check("records"),
    check("search"),
    check("blobs"),
    check("queue"),
  ]);
  return { records, search, blobs, queue };
}

/** What a queue holds. The numbers of messages are null for dead letters of what is no queue, such as the change feed. */
export interface QueueFigures {
  name: string;
  waiting: number | null;
  in_flight: number | null;
  delayed: number | null;
  /** Messages that its consumer gave up on. */
  dead_letters: number;
}

/** The depth of every queue by name; undefined where the store of queues does not answer. */
export async function readQueues(home: Home): Promise<QueueFigures[] | undefined> {
  const { queue } = home.ports;
  const { value } = await attempt(home, "queue", async () => {
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

/** What a part of the deployment tells; undefined where it fails or hangs, which is when an operator asks for all the rest. */
export async function unlessDown<T>(
  home: Witness,
  part: string,
  ask: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T | undefined> {
  return (await attempt(home, part, ask, patienceMs)).value;
}

/** Tries something for as long as patience lasts; what fails is logged, and told by its absence. */
async function attempt<T>(
  { logger }: Witness,
  part: string,
  run: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<{ check: Check; value?: T }> {
  const startedAt = performance.now();
  const latency = () => rounded(performance.now() - startedAt, 1);
  let timer: NodeJS.Timeout | undefined;
  const impatience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${patienceMs} ms`)), patienceMs);
  });
  try {
    const value = await Promise.race([run(), impatience]);
    return { check: { ok: true, latency_ms: latency() }, value };
  } catch (error) {
    logger.error("CHECK_FAILED", { part, error });
    return { check: { ok: false, latency_ms: latency() } };
  } finally {
    clearTimeout(timer);
  }
}
