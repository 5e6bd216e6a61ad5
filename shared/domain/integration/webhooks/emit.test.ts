import { beforeEach, describe, expect, it } from "vitest";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import { contextOf } from "../../../../test/support/principals.ts";
import { replaced } from "../../../../test/support/replaced.ts";
import type { LocalQueue } from "../../../adapters/local/queue.ts";
import { timestamp } from "../../../kernel/clock.ts";
import { HOUR_MS, SECOND_MS } from "../../../kernel/durations.ts";
import type { RecordChange } from "../../../ports/changes.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../../../ports/queues.ts";
import type { RecordStore } from "../../../ports/record-store.ts";
import type { Context, OrgRuntime } from "../../../runtime/context.ts";
import { defineWebhook, redefineWebhook, removeWebhook, type WebhookDefinition } from "./define.ts";
import { emitEvents } from "./emit.ts";
import { webhooksOf } from "./records.ts";

let runtime: OrgRuntime;
/** A request in another process, which has its own cache. */
let elsewhere: Context;
let queue: LocalQueue;
let now = Date.parse("2026-03-01T12:00:00.300Z");
/** Number of times that the events worker read the organization's webhooks. */
let looks = 0;

beforeEach(async () => {
  const idle = await openIdleRuntime({ clock: () => now, queues: [DELIVER_QUEUE, REDELIVER_QUEUE] });
  queue = idle.queue;
  const org = idle.runtime.ids("organization");
  const { records } = idle.runtime.ports;
  const counted: RecordStore["query"] = (query) => {
    if (query.pk === webhooksOf(org)) looks++;
    return records.query(query);
  };
  runtime = { ...idle.runtimeWith({ records: replaced(records, { query: counted }) }), org };
  elsewhere = contextOf(idle.runtimeWith({}), { org, permissions: ["admin:all"] });
  looks = 0;
});

async function make(change: Partial<WebhookDefinition> = {}): Promise<string> {
  const defaults: WebhookDefinition = { name: "Archive", url: "https://hooks.example.com/", events: ["agent.created"] };
  const { webhook } = await defineWebhook(elsewhere, { ...defaults, ...change });
  return webhook.id;
}

/** The change feed's record of a new agent; its time is rounded down to the second, as in a table's stream. */
function agentMade(madeAt = now, org = runtime.org): RecordChange {
  const id = runtime.ids("agent");
  const key = { pk: `${org}#${id}`, sk: "agent" };
  const at = timestamp(madeAt);
  const memory_settings = { enabled: true, compression_enabled: true };
  const fields = { name: "Guide", model: "m", config: {}, skills: [], metadata: {}, status: "active", memory_settings };
  const after = { ...key, kind: "agent", org, id, ...fields, version: 1, created_at: at, updated_at: at };
  return { key, after, sequence: "1", at: Math.floor(madeAt / SECOND_MS) * SECOND_MS };
}

/** Returns the number of deliveries that the changes cause. */
async function deliveriesOf(...changes: RecordChange[]): Promise<number> {
  await emitEvents(runtime, changes);
  return queue.receive(DELIVER_QUEUE, 10).length;
}

describe("an event right after the response that", () => {
  it("created a webhook in another process is sent to it", async () => {
    expect(await deliveriesOf(agentMade())).toBe(0);
    await make();
    expect(await deliveriesOf(agentMade())).toBe(1);
  });

  it("extended its event types is sent to it", async () => {
    const id = await make({ events: ["agent.deleted"] });
    expect(await deliveriesOf(agentMade())).toBe(0);
    await redefineWebhook(elsewhere, id, { events: ["agent.created"] });
    expect(await deliveriesOf(agentMade())).toBe(1);
  });

  it("reactivated it is sent to it, but not after it is paused or deleted", async () => {
    const id = await make();
    expect(await deliveriesOf(agentMade())).toBe(1);
    await redefineWebhook(elsewhere, id, { status: "paused" });
    expect(await deliveriesOf(agentMade())).toBe(0);
    await redefineWebhook(elsewhere, id, { status: "active" });
    expect(await deliveriesOf(agentMade())).toBe(1);
    await removeWebhook(elsewhere, id);
    expect(await deliveriesOf(agentMade())).toBe(0);
  });
});

it("is sent to no webhook that was inactive at the time, even if the feed delivers it late", async () => {
  const [before, id] = [agentMade(), await make()];
  await redefineWebhook(elsewhere, id, { status: "inactive" });
  now += 5 * SECOND_MS;
  const meanwhile = agentMade();
  now += 5 * SECOND_MS;
  await redefineWebhook(elsewhere, id, { status: "active" });
  const later = agentMade();
  now += HOUR_MS;
  expect(await deliveriesOf(before, meanwhile)).toBe(0);
  expect(await deliveriesOf(before, meanwhile, later)).toBe(1);
});

it("is sent to no webhook of another organization in the same batch", async () => {
  await make();
  const [own, others] = [agentMade(), agentMade(now, runtime.ids("organization"))];
  expect(await deliveriesOf(others)).toBe(0);
  expect(await deliveriesOf(others, own)).toBe(1);
});

describe("a batch of changes", () => {
  it("costs one read of an organization's webhooks", async () => {
    const batch = Array.from({ length: 50 }, () => agentMade());
    await emitEvents(runtime, batch);
    expect(looks).toBe(1);
    await make();
    await emitEvents(runtime, batch);
    expect(looks).toBe(2);
  });

  it("without events costs nothing", async () => {
    const use = agentMade();
    await emitEvents(runtime, [{ ...use, before: use.after }]);
    expect(looks).toBe(0);
  });
});

it("delays the deliveries of an organization beyond the first 500, and none of another one", async () => {
  for (let index = 0; index < 6; index++) await make();
  const changes = Array.from({ length: 110 }, () => agentMade());
  const other = contextOf(runtime, { org: runtime.ids("organization"), permissions: ["admin:all"] });
  await defineWebhook(other, { name: "Archive", url: "https://hooks.example.com/", events: ["agent.created"] });
  await emitEvents(runtime, [...changes, agentMade(now, other.org)]);
  expect(await queue.depth(DELIVER_QUEUE)).toEqual({ waiting: 502, inFlight: 0, delayed: 159 });
  now += 2 * SECOND_MS;
  expect(await queue.depth(DELIVER_QUEUE)).toEqual({ waiting: 661, inFlight: 0, delayed: 0 });
});
