import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { inParallel } from "../../shared/kernel/parallel.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { startReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { type ServiceProcess, startService } from "../support/service-process.ts";

/** WEBHOOK_KILLS=20 WEBHOOK_EVENTS=400 runs the full test: 20 kills during 2,000 deliveries. */
const KILLS = Number(process.env.WEBHOOK_KILLS ?? 3);
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 30);
const RECEIVERS = 5;
const WRITERS = 4;
/** Shorter than a round of deliveries, so that each kill interrupts some of them. */
const MAX_ROUND_MS = 600;
/** After a kill, the leases of started deliveries expire, and within another minute these deliveries are enqueued again. */
const ALL_TOLD_MS = 180_000;
const TIMEOUT_MS = 900_000;

test(`${KILLS} kills lose no delivery, and repeat only those that a kill interrupted`, {
  timeout: TIMEOUT_MS,
}, async ({ annotate }) => {
  const dataDir = temporaryFolder();
  const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver()));
  onTestFinished(async () => void (await Promise.all(receivers.map((receiver) => receiver.close()))));
  let service = await start(dataDir);
  for (const { url } of receivers) await subscribe(service, url);
  const agents: string[] = [];
  const beginnings: number[] = [];
  for (let kill = 1; kill <= KILLS; kill++) {
    const due = Math.ceil((EVENTS * kill) / KILLS);
    const writing = write(service, agents, due);
    await Promise.race([writing, sleep(Math.random() * MAX_ROUND_MS)]);
    await service.kill();
    beginnings.push(Date.now());
    await writing;
    service = await start(dataDir);
  }
  await write(service, agents, EVENTS);
  const untold = () => missing(receivers, agents);
  for (const until = Date.now() + ALL_TOLD_MS; untold() > 0 && Date.now() < until; ) await sleep(50);
  expect(untold(), await known(service)).toBe(0);
  const doubles = repeated(receivers);
  await annotate(`${EVENTS * RECEIVERS} deliveries, ${KILLS} kills: ${doubles.length} told twice`);
  for (const [first, second] of doubles) {
    const wasCutOff = beginnings.some((kill) => kill > first - 5 && kill < second);
    expect(wasCutOff, `told at ${first} and ${second}, with kills at ${beginnings}`).toBe(true);
  }
  await service.stop();
});

async function start(dataDir: string): Promise<ServiceProcess> {
  const service = await startService(dataDir, { ALLOW_PRIVATE_TARGETS: "1" });
  onTestFinished(() => service.kill());
  return service;
}

async function subscribe(service: ServiceProcess, url: string): Promise<void> {
  // Long enough for a busy machine; a delivery that fails is soon retried.
  const delivery_config = { timeout_ms: 3_000, retry_count: 20, retry_delay_ms: 1_000 };
  const body = { name: "Receiver", url, events: ["agent.created"], delivery_config };
  const { status } = await service.request("POST", "/webhooks", { body });
  expect(status).toBe(201);
}

/** Creates agents until this many were acknowledged, or the service is gone. */
async function write(service: ServiceProcess, agents: string[], upTo: number): Promise<void> {
  await inParallel(Array.from({ length: WRITERS }), WRITERS, async () => {
    while (agents.length < upTo) {
      const answer = await service
        .request("POST", "/agents", { body: { name: "A", model: "m" } })
        .catch(() => undefined);
      if (!answer) return;
      expect(answer.status).toBe(201);
      agents.push(answer.body.data.id);
    }
  });
}

/** The pending and dead deliveries according to the service, for failure messages. */
async function known(service: ServiceProcess): Promise<string> {
  const pending = await service.request("GET", "/webhooks/delivery-logs?status=pending");
  const dead = await service.request("GET", "/webhooks/dead-letter");
  return JSON.stringify([pending.body.data.delivery_logs, dead.body.data.dead_letter_entries]);
}

/** Number of deliveries of acknowledged events that have not arrived. */
function missing(receivers: WebhookReceiver[], agents: string[]): number {
  const untold = receivers.map(({ received }) => {
    const told = new Set(received.map(({ body }) => body.agent.id));
    return agents.filter((id) => !told.has(id)).length;
  });
  return untold.reduce((sum, count) => sum + count, 0);
}

/** Times of repeated deliveries: each time paired with that of the next delivery. */
function repeated(receivers: WebhookReceiver[]): [number, number][] {
  return receivers.flatMap(({ received }) => {
    const last = new Map<string, number>();
    return received.flatMap(({ headers, at }): [number, number][] => {
      const id = String(headers["x-webhook-delivery"]);
      const before = last.get(id);
      last.set(id, at);
      return before === undefined ? [] : [[before, at]];
    });
  });
}
