/** Webhooks: how fast events reach their receivers, and how much one that hangs slows the others. */
import { setTimeout as sleep } from "node:timers/promises";
import { inParallel } from "../../shared/kernel/parallel.ts";
import { startReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { type Figure, report } from "./report.ts";
import { type Served, serve } from "./served.ts";

const EVENTS = 1_000;
const RECEIVERS = 5;
const CLIENTS = 8;
const HANG_MS = 10_000;
const POLL_MS = 5;
/** Rounds of each kind by turns: machines are shared, and the best of some is nearest to what the service takes. */
const ROUNDS = 2;

const AT_LEAST_PER_SECOND = 500;
const AT_MOST_SLOWER = 1.2;

const hang: WebhookReceiver["respond"] = (response) => void setTimeout(() => response.end(), HANG_MS).unref();

report(await measure());

async function measure(): Promise<Figure[]> {
  const all: Run[] = [];
  const undisturbed: Run[] = [];
  const disturbed: Run[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    all.push(await run({ receivers: RECEIVERS }));
    undisturbed.push(await run({ receivers: RECEIVERS - 1 }));
    disturbed.push(await run({ receivers: RECEIVERS - 1, hanging: 1 }));
  }
  const deliveries = EVENTS * RECEIVERS;
  const [tookMs, cpuMs] = [least(all, "tookMs"), least(all, "cpuMs")];
  const [alone, beside] = [least(undisturbed, "tookMs"), least(disturbed, "tookMs")];
  return [
    {
      what: `deliveries of ${EVENTS} events to ${RECEIVERS} receivers`,
      value: deliveries / (cpuMs / 1000),
      unit: "/s",
      limit: { atLeast: AT_LEAST_PER_SECOND },
      from: `of the service's processor time, requests included: ${Math.round(cpuMs)} ms for ${deliveries}`,
    },
    {
      what: "the same on this machine as it is",
      value: deliveries / (tookMs / 1000),
      unit: "/s",
      from: `${Math.round(tookMs)} ms from the first request to the last delivery`,
    },
    {
      what: `the others' time where one receiver hangs for ${HANG_MS / 1000} s`,
      value: beside / alone,
      unit: "x",
      limit: { atMost: AT_MOST_SLOWER },
      from: `${Math.round(beside)} ms over ${Math.round(alone)} ms`,
    },
  ];
}

interface Run {
  tookMs: number;
  /** Of the service alone. */
  cpuMs: number;
}

function least(runs: Run[], what: keyof Run): number {
  return Math.min(...runs.map((each) => each[what]));
}

/** From the first request until every receiver but those that hang has been told of every event. */
async function run({ receivers: count, hanging = 0 }: { receivers: number; hanging?: number }): Promise<Run> {
  const service = await serve(undefined, { ALLOW_PRIVATE_TARGETS: "1" });
  const receivers = await Promise.all(Array.from({ length: count }, () => startReceiver()));
  const stuck = await Promise.all(Array.from({ length: hanging }, () => startReceiver(hang)));
  try {
    for (const receiver of [...receivers, ...stuck]) await subscribe(service, receiver);
    const { cpuMs: before } = await service.use();
    const began = performance.now();
    await inParallel(Array.from({ length: EVENTS }), CLIENTS, (_none, number) => makeEvent(service, number));
    while (receivers.some(({ received }) => received.length < EVENTS)) await sleep(POLL_MS);
    const tookMs = performance.now() - began;
    const { cpuMs } = await service.use();
    requireEachOnce(receivers);
    return { tookMs, cpuMs: cpuMs - before };
  } finally {
    await Promise.all([...receivers, ...stuck].map((receiver) => receiver.close()));
    await service.close();
  }
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
