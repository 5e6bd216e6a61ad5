import { rounded } from "../kernel/rounded.ts";
import type { Home } from "../platform/context.ts";
import { deadLettersOf } from "../platform/queues.ts";

/** A store that has not answered by then counts as failing. */
const PATIENCE_MS = 3_000;

/** An answer holds for as long: a probe is a write, and who asks needs no credential. */
const KEPT_MS = 1_000;

type Store = "records" | "search" | "blobs" | "queue";

type Witness = Pick<Home, "logger">;

/** Whether a store answers, and how long that took or was waited for. */
export interface Check {
  ok: boolean;
  latency_ms: number;
}

/** What each port answered last, and when by `performance.now()`. */
const answered = new WeakMap<object, { at: number; check: Promise<Check> }>();

/**
 * Asks every store for a sign of life, which is a write where it can be written, all at once. A process asks each once a
 * second at most, however many requests want to know.
 */
export async function checkStores(home: Home): Promise<Record<Store, Check>> {
  const check = (name: Store): Promise<Check> => {
    const port = home.ports[name];
    const last = answered.get(port);
    const now = performance.now();
    if (last !== undefined && now - last.at < KEPT_MS) return last.check;
    const asked = attempt(home, name, () => port.ping()).then((answer) => answer.check);
    answered.set(port, { at: now, check: asked });
    return asked;
  };
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
