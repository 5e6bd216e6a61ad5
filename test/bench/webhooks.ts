/**
 * Webhooks: measures how fast events reach their receivers relative to a bare loop of `fetch`, and how much a hanging
 * receiver slows the others. Service and loop run in their own processes, the receivers in this one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { inParallel } from "../../shared/kernel/parallel.ts";
import { startReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import type { Deliveries } from "./bare.ts";
import { type Figure, ratio, report } from "./report.ts";
import { type Served, serve } from "./served.ts";
import { sized } from "./sizes.ts";
import { summarize } from "./timing.ts";

const EVENTS = sized(1_000, 200);
const RECEIVERS = 5;
const CLIENTS = 8;
/** Concurrent deliveries of the bare loop. */
const AT_ONCE = 40;
const HANG_MS = 10_000;
const POLL_MS = 5;
/** Rounds of each kind alternate, because machines are shared. */
const ROUNDS = sized(5, 2);

const MIN_PER_SECOND = 500;
const MAX_SLOWDOWN = 1.2;

const hang: WebhookReceiver["respond"] = (response) => void setTimeout(() => response.end(), HANG_MS).unref();

report(await measure());

async function measure(): Promise<Figure[]> {
  const all: Run[] = [];
  const bare: number[] = [];
  const disturbed: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    all.push(await run());
    bare.push(await runBare());
    disturbed.push((await run(hang)).othersMs);
  }
  const deliveries = EVENTS * RECEIVERS;
  const took = summarize(all.map(({ tookMs }) => tookMs));
  const cpuMs = summarize(all.map((each) => each.cpuMs)).p50;
  const what = `${EVENTS} events made over HTTP, until ${RECEIVERS} receivers have each`;
  return [
    ratio(what, `loop of fetch that posts as many bodies to the same, ${AT_ONCE} at once`, [took, summarize(bare)], {
      from: `${Math.round((deliveries * 1000) / took.p50)} deliveries/s`,
      headline: true,
    }),
    {
      what: "deliveries in a second of the service's processor time, the requests that made the events included",
      value: deliveries / (cpuMs / 1000),
      unit: "/s",
      limit: { atLeast: MIN_PER_SECOND },
      headline: true,
      from: `${Math.round(cpuMs)} ms for ${deliveries}`,
    },
    ratio(
      `the others' time where one receiver hangs for ${HANG_MS / 1000} s`,
      "where it answers at once",
      [summarize(disturbed), summarize(all.map(({ othersMs }) => othersMs))],
      { limit: { atMost: MAX_SLOWDOWN }, headline: true },
    ),
  ];
}

/** Times in milliseconds from the first request. */
interface Run {
  /** Until every receiver that does not hang has received every event. */
  tookMs: number;
  /** Until all except the last one have. */
  othersMs: number;
  /** CPU time of the service only. */
  cpuMs: number;
}

/** Returns the milliseconds until the loop has delivered the same number of events to the same number of receivers. */
async function runBare(): Promise<number> {
  const bare = await serve({});
  const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver()));
  try {
    const body = { event: "agent.created", timestamp: new Date().toISOString(), agent: { name: "Agent", model: "m" } };
    const deliveries: Deliveries = { urls: receivers.map(({ url }) => url), body, count: EVENTS, atOnce: AT_ONCE };
    const began = performance.now();
    const { status } = await bare.request("POST", "/deliveries", { body: deliveries });
    const tookMs = performance.now() - began;
    if (status !== 200) throw new Error(`the loop answered ${status}`);
    requireEachOnce(receivers);
    return tookMs;
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await bare.close();
  }
}

async function run(respondOfLast?: WebhookReceiver["respond"]): Promise<Run> {
  const service = await serve(undefined, { ALLOW_PRIVATE_TARGETS: "1" });
  const others = await Promise.all(Array.from({ length: RECEIVERS - 1 }, () => startReceiver()));
  const last = await startReceiver(respondOfLast);
  const receivers = [...others, last];
  try {
    for (const receiver of receivers) await subscribe(service, receiver);
    const { cpuMs: before } = await service.use();
    const began = performance.now();
    await inParallel(Array.from({ length: EVENTS }), CLIENTS, (_none, number) => makeEvent(service, number));
    await allTold(others);
    const othersMs = performance.now() - began;
    const prompt = respondOfLast ? others : receivers;
    await allTold(prompt);
    const tookMs = performance.now() - began;
    const { cpuMs } = await service.use();
    requireEachOnce(prompt);
    return { tookMs, othersMs, cpuMs: cpuMs - before };
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await service.close();
  }
}

async function allTold(receivers: WebhookReceiver[]): Promise<void> {
  while (receivers.some(({ received }) => received.length < EVENTS)) await sleep(POLL_MS);
}

async function subscribe(service: Served, { url }: WebhookReceiver): Promise<void> {
  const body = { name: "Receiver", url, events: ["agent.created"] };
  const { status } = await service.request("POST", "/webhooks", { body });
  if (status !== 201) throw new Error(`a webhook was answered with ${status}`);
}

async function makeEvent(service: Served, number: number): Promise<void> {
  const { status } = await service.request("POST", "/agents", { body: { name: `Agent ${number}`, model: "m" } });
  if (status !== 201) throw new Error(`an agent was answered with ${status}`);
}

function requireEachOnce(receivers: WebhookReceiver[]): void {
  for (const { received } of receivers) {
    const events = new Set(received.map(({ body }) => body.id));
    if (events.size !== EVENTS || received.length !== EVENTS) {
      throw new Error(`${received.length} deliveries of ${events.size} events came, not one of each of ${EVENTS}`);
    }
  }
}
