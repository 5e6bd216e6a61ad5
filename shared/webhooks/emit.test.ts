import { beforeEach, describe, expect, it } from "vitest";
import { openIdleHome } from "../../test/support/idle-home.ts";
import type { Principal } from "../identity/principal.ts";
import { timestamp } from "../kernel/clock.ts";
import type { RecordChange } from "../platform/changes.ts";
import type { Context, OrgHome } from "../platform/context.ts";
import type { LocalQueue } from "../platform/local/queue.ts";
import type { RecordStore } from "../platform/ports.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../platform/queues.ts";
import { defineWebhook, redefineWebhook, removeWebhook, type WebhookDefinition } from "./define.ts";
import { emitEvents } from "./emit.ts";
import { webhooksOf } from "./records.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let home: OrgHome;
/** A request in another process, which remembers what it read by itself. */
let elsewhere: Context;
let queue: LocalQueue;
let now = Date.parse("2026-03-01T12:00:00.300Z");
/** Looks at an organization's webhooks that the follower of changes took. */
let looks = 0;

beforeEach(async () => {
  const queues = [DELIVER_QUEUE, REDELIVER_QUEUE].map((name) => ({ name, maxReceives: 5, visibilitySeconds: 60 }));
  const idle = await openIdleHome({ clock: () => now, queues });
  queue = idle.queue;
  const org = idle.home.ids("organization");
  const { records } = idle.home.ports;
  const counted: RecordStore["query"] = (query) => {
    if (query.pk === webhooksOf(org)) looks++;
    return records.query(query);
  };
  home = { ...idle.homeWith({ records: withQuery(records, counted) }), org };
  const principal: Principal = {
    kind: "api_key",
    id: "ak_1",
    org,
    operator: false,
    plan: "enterprise",
    permissions: ["admin:all"],
  };
  elsewhere = { ...idle.homeWith({}), org, principal, viewer: undefined };
  looks = 0;
});

function withQuery(records: RecordStore, query: RecordStore["query"]): RecordStore {
  return new Proxy(records, {
    get: (target, name) => {
      if (name === "query") return query;
      const member = target[name as keyof RecordStore];
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

async function make(change: Partial<WebhookDefinition> = {}): Promise<string> {
  const usual: WebhookDefinition = { name: "Archive", url: "https://hooks.example.com/", events: ["agent.created"] };
  const { webhook } = await defineWebhook(elsewhere, { ...usual, ...change });
  return webhook.id;
}

/** What the feed tells of an agent that was made: the second of it, as a table's stream does. */
function agentMade(madeAt = now, org = home.org): RecordChange {
  const id = home.ids("agent");
  const key = { pk: `${org}#${id}`, sk: "agent" };
  const at = timestamp(madeAt);
  const memory_settings = { enabled: true, compression_enabled: true };
  const told = { name: "Guide", model: "m", config: {}, skills: [], metadata: {}, status: "active", memory_settings };
  const after = { ...key, kind: "agent", org, id, ...told, version: 1, created_at: at, updated_at: at };
  return { key, after, sequence: "1", at: Math.floor(madeAt / SECOND) * SECOND };
}

/** How many deliveries follow from changes. */
async function deliveriesOf(...changes: RecordChange[]): Promise<number> {
  await emitEvents(home, changes);
  return queue.receive(DELIVER_QUEUE, 10).length;
}

describe("what happens right after the answer that", () => {
  it("made a webhook in another process is told to it", async () => {
    expect(await deliveriesOf(agentMade())).toBe(0);
    await make();
    expect(await deliveriesOf(agentMade())).toBe(1);
  });

  it("had it want more is told to it", async () => {
    const id = await make({ events: ["agent.deleted"] });
    expect(await deliveriesOf(agentMade())).toBe(0);
    await redefineWebhook(elsewhere, id, { events: ["agent.created"] });
    expect(await deliveriesOf(agentMade())).toBe(1);
  });

  it("made it active again is told to it, and no more once it is paused or deleted", async () => {
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

it("is told to no webhook that was not active then, however late the feed tells of it", async () => {
  const [before, id] = [agentMade(), await make()];
  await redefineWebhook(elsewhere, id, { status: "inactive" });
  now += 5 * SECOND;
  const meanwhile = agentMade();
  now += 5 * SECOND;
  await redefineWebhook(elsewhere, id, { status: "active" });
  const later = agentMade();
  now += HOUR;
  expect(await deliveriesOf(before, meanwhile)).toBe(0);
  expect(await deliveriesOf(before, meanwhile, later)).toBe(1);
});

it("is told to no webhook of another organization, be it in the same batch", async () => {
  await make();
  const [own, others] = [agentMade(), agentMade(now, home.ids("organization"))];
  expect(await deliveriesOf(others)).toBe(0);
  expect(await deliveriesOf(others, own)).toBe(1);
});

describe("a batch of changes", () => {
  it("costs one look at an organization's webhooks", async () => {
    const batch = Array.from({ length: 50 }, () => agentMade());
    await emitEvents(home, batch);
    expect(looks).toBe(1);
    await make();
    await emitEvents(home, batch);
    expect(looks).toBe(2);
  });

  it("that are no events costs nothing", async () => {
    const use = agentMade();
    await emitEvents(home, [{ ...use, before: use.after }]);
    expect(looks).toBe(0);
  });
});
