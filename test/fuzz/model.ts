import fc from "fast-check";
import { expect } from "vitest";
import type { WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import type { Answered } from "../support/service.ts";
import type { Caller } from "../support/target.ts";

const GRANTABLE = ["memory:read", "memory:write", "memory:delete"] as const;
const EVENTS = ["created", "updated", "restored", "expired", "deleted"].map((each) => `memory.${each}` as const);

type Grantable = (typeof GRANTABLE)[number];
type MemoryEvent = (typeof EVENTS)[number];

interface Version {
  content: string;
  metadata: object;
}

interface ModelMemory {
  id: string;
  versions: Version[];
  state: "alive" | "expired" | "deleted";
}

interface ModelKey {
  id: string;
  secret: string;
  permissions: Grantable[];
  isRevoked: boolean;
}

interface ModelWebhook {
  id: string;
  events: MemoryEvent[];
  state: "active" | "paused" | "deleted";
}

/** What one webhook is to be told, once. */
interface Announcement {
  webhook: ModelWebhook;
  event: MemoryEvent;
  memory: string;
  /** False where the webhook was paused or deleted afterwards, perhaps before the delivery. */
  isCertain: boolean;
}

/** What the service should hold: what was made, whatever became of it, in the order it was made. */
export class Model {
  readonly memories: ModelMemory[] = [];
  readonly keys: ModelKey[] = [];
  readonly webhooks: ModelWebhook[] = [];
  readonly announcements: Announcement[] = [];

  /** Another that holds the same. */
  copy(): Model {
    return Object.assign(new Model(), structuredClone({ ...this }));
  }

  /** Notes who is to be told of a memory's change. */
  announce(event: MemoryEvent, memory: string): void {
    for (const webhook of this.webhooks.filter(({ state, events }) => state === "active" && events.includes(event))) {
      this.announcements.push({ webhook, event, memory, isCertain: true });
    }
  }

  /** What this webhook has not been told yet, it may never be told. */
  hush(webhook: ModelWebhook): void {
    for (const each of this.announcements) if (each.webhook === webhook) each.isCertain = false;
  }
}

/** The organization that the commands work in, and who its webhooks tell. */
export interface Real {
  admin: Caller;
  receiver: WebhookReceiver;
}

/** Chooses among what was made before; nothing of its kind may be there yet. */
type Choice = number;

abstract class Command implements fc.AsyncCommand<Model, Real> {
  readonly given: object;

  constructor(given: object) {
    this.given = given;
  }

  check(_model: Readonly<Model>): boolean {
    return true;
  }

  abstract run(model: Model, real: Real): Promise<void>;

  toString(): string {
    return `${this.constructor.name}(${JSON.stringify(this.given)})`;
  }
}

function chosen<Thing>(things: readonly Thing[], choice: Choice): Thing {
  const thing = things[choice % things.length];
  if (thing === undefined) throw new Error("a command ran although there is nothing to choose from");
  return thing;
}

/** Fails unless the service refused with this status and code. */
function expectRefusal({ status, body }: Answered, expected: [status: number, code: string]): void {
  expect([status, body.error?.code], JSON.stringify(body)).toEqual(expected);
}

function expectStatus({ status, body }: Answered, expected: number): void {
  expect(status, JSON.stringify(body)).toBe(expected);
}

// ---------------------------------------------------------------- memories

class CreateMemory extends Command {
  declare readonly given: Version;

  async run(model: Model, { admin }: Real): Promise<void> {
    const answer = await admin.post("/memories", { ...this.given, options: { extract_facts: false } });
    expectStatus(answer, 201);
    const { id, ...told } = answer.body.data;
    expect(told).toMatchObject({ ...this.given, version: 1 });
    expect(answer.headers.get("etag")).toBe('"1"');
    model.memories.push({ id, versions: [this.given], state: "alive" });
    model.announce("memory.created", id);
  }
}

abstract class OfMemory extends Command {
  declare readonly given: { memory: Choice };

  override check({ memories }: Readonly<Model>): boolean {
    return memories.length > 0;
  }

  async run(model: Model, { admin }: Real): Promise<void> {
    this.expectAnswer(await this.ask(chosen(model.memories, this.given.memory), admin), model);
  }

  /** What the memory, as it is now, must have answered; it is changed as the answer says. */
  expectAnswer(answer: Answered, model: Model): void {
    const memory = chosen(model.memories, this.given.memory);
    if (memory.state === "alive") this.expectDone(answer, memory, model);
    else expectRefusal(answer, [404, "MEMORY_NOT_FOUND"]);
  }

  abstract ask(memory: ModelMemory, admin: Caller): Promise<Answered>;
  abstract expectDone(answer: Answered, memory: ModelMemory, model: Model): void;
}

/** The memory has this version now, as the answer tells. */
function expectRevised(answer: Answered, memory: ModelMemory, version: Version): void {
  expectStatus(answer, 200);
  memory.versions.push(version);
  expect(answer.body.data).toMatchObject({ id: memory.id, ...version, version: memory.versions.length });
  expect(answer.body.data.metadata).toEqual(version.metadata);
  expect(answer.headers.get("etag")).toBe(`"${memory.versions.length}"`);
}

class ReadMemory extends OfMemory {
  ask({ id }: ModelMemory, admin: Caller): Promise<Answered> {
    return admin.get(`/memories/${id}`);
  }

  expectDone(answer: Answered, { id, versions }: ModelMemory): void {
    expectStatus(answer, 200);
    expect(answer.body.data).toMatchObject({ id, ...versions.at(-1), version: versions.length });
    expect(answer.headers.get("etag")).toBe(`"${versions.length}"`);
  }
}

class UpdateMemory extends OfMemory {
  declare readonly given: { memory: Choice; change: Partial<Version>; asOf: "any" | "now" | "before" };

  ask({ id, versions }: ModelMemory, admin: Caller): Promise<Answered> {
    const { change, asOf } = this.given;
    const version = versions.length - (asOf === "before" ? 1 : 0);
    return admin.put(`/memories/${id}`, change, { headers: asOf === "any" ? {} : { "if-match": `"${version}"` } });
  }

  expectDone(answer: Answered, memory: ModelMemory, model: Model): void {
    const { change, asOf } = this.given;
    if (asOf === "before") {
      expectRefusal(answer, [412, "PRECONDITION_FAILED"]);
    } else {
      expectRevised(answer, memory, { ...(memory.versions.at(-1) as Version), ...change });
      model.announce("memory.updated", memory.id);
    }
  }
}

class RestoreMemory extends OfMemory {
  declare readonly given: { memory: Choice; version: number };

  ask({ id }: ModelMemory, admin: Caller): Promise<Answered> {
    return admin.post(`/memories/${id}/restore`, { version: this.given.version });
  }

  expectDone(answer: Answered, memory: ModelMemory, model: Model): void {
    const version = memory.versions[this.given.version - 1];
    if (version === undefined) {
      expectRefusal(answer, [404, "VERSION_NOT_FOUND"]);
    } else {
      expectRevised(answer, memory, version);
      model.announce("memory.restored", memory.id);
    }
  }
}

class ListVersions extends OfMemory {
  ask({ id }: ModelMemory, admin: Caller): Promise<Answered> {
    return admin.get(`/memories/${id}/versions?limit=100`);
  }

  expectDone(answer: Answered, { versions }: ModelMemory): void {
    expectStatus(answer, 200);
    const told = answer.body.data.versions.map(({ version, content }: { version: number; content: string }) => ({
      version,
      content,
    }));
    expect(told).toEqual(versions.map(({ content }, index) => ({ version: index + 1, content })));
  }
}

class ExpireMemory extends OfMemory {
  ask({ id }: ModelMemory, admin: Caller): Promise<Answered> {
    return admin.post(`/memories/${id}/expire`, {});
  }

  expectDone(answer: Answered, memory: ModelMemory, model: Model): void {
    expectStatus(answer, 200);
    expect(answer.body.data).toMatchObject({ id: memory.id, expired: true });
    memory.state = "expired";
    model.announce("memory.expired", memory.id);
  }
}

class DeleteMemory extends OfMemory {
  ask({ id }: ModelMemory, admin: Caller): Promise<Answered> {
    return admin.delete(`/memories/${id}`);
  }

  expectDone(answer: Answered, memory: ModelMemory, model: Model): void {
    expectStatus(answer, 200);
    expect(answer.body.data.id).toBe(memory.id);
    memory.state = "deleted";
    model.announce("memory.deleted", memory.id);
  }
}

class ListMemories extends Command {
  async run({ memories }: Model, { admin }: Real): Promise<void> {
    const answer = await admin.get("/memories?limit=100");
    expectStatus(answer, 200);
    const told = answer.body.data.memories.map(({ id, content }: { id: string; content: string }) => [id, content]);
    const alive = memories.filter(({ state }) => state === "alive");
    expect(told.sort()).toEqual(alive.map(({ id, versions }) => [id, versions.at(-1)?.content]).sort());
    expect(answer.body.data.pagination.total).toBe(alive.length);
  }
}

// ---------------------------------------------------------------- keys

class CreateKey extends Command {
  declare readonly given: { permissions: Grantable[] };

  async run(model: Model, { admin }: Real): Promise<void> {
    const answer = await admin.post("/api-keys", { name: "generated", ...this.given });
    expectStatus(answer, 201);
    const { id, key: secret, status } = answer.body.data;
    expect(status).toBe("active");
    model.keys.push({ id, secret, permissions: this.given.permissions, isRevoked: false });
  }
}

abstract class OfKey extends Command {
  declare readonly given: { key: Choice };

  override check({ keys }: Readonly<Model>): boolean {
    return keys.length > 0;
  }
}

/** With any key that ever was: every permission opens its routes and no other, and a revoked key none. */
class UseKey extends OfKey {
  declare readonly given: { key: Choice; right: Grantable };

  async run({ keys }: Model, { admin }: Real): Promise<void> {
    const { secret, permissions, isRevoked } = chosen(keys, this.given.key);
    const { right } = this.given;
    const answer = await this.#ask(admin.as(secret));
    if (isRevoked) expectRefusal(answer, [401, "UNAUTHORIZED"]);
    else if (!permissions.includes(right)) expectRefusal(answer, [403, "PERMISSION_DENIED"]);
    else expect([200, 404], JSON.stringify(answer.body)).toContain(answer.status);
  }

  /** Nothing is changed by it. */
  #ask(caller: Caller): Promise<Answered> {
    if (this.given.right === "memory:read") return caller.get("/memories?limit=1");
    if (this.given.right === "memory:write") return caller.put("/memories/mem_absent", { content: "nothing" });
    return caller.delete("/memories/mem_absent");
  }
}

class UpdateKey extends OfKey {
  declare readonly given: { key: Choice; permissions: Grantable[] };

  async run({ keys }: Model, { admin }: Real): Promise<void> {
    const key = chosen(keys, this.given.key);
    const { permissions } = this.given;
    const answer = await admin.put(`/api-keys/${key.id}`, { permissions });
    if (key.isRevoked) return expectRefusal(answer, [409, "CONFLICT"]);
    expectStatus(answer, 200);
    key.permissions = permissions;
    expect(answer.body.data.permissions.toSorted()).toEqual(permissions.toSorted());
  }
}

class RotateKey extends OfKey {
  async run({ keys }: Model, { admin }: Real): Promise<void> {
    const key = chosen(keys, this.given.key);
    const answer = await admin.post(`/api-keys/${key.id}/rotate`, {});
    if (key.isRevoked) return expectRefusal(answer, [409, "CONFLICT"]);
    expectStatus(answer, 201);
    const { old_key, new_key } = answer.body.data;
    expect(old_key).toMatchObject({ id: key.id, status: "revoked" });
    key.isRevoked = true;
    keys.push({ id: new_key.id, secret: new_key.key, permissions: key.permissions, isRevoked: false });
  }
}

class RevokeKey extends OfKey {
  async run({ keys }: Model, { admin }: Real): Promise<void> {
    const key = chosen(keys, this.given.key);
    const answer = await admin.delete(`/api-keys/${key.id}`);
    expectStatus(answer, 200);
    expect(answer.body.data).toMatchObject({ id: key.id, status: "revoked" });
    key.isRevoked = true;
  }
}

class ListKeys extends Command {
  async run({ keys }: Model, { admin }: Real): Promise<void> {
    for (const isRevoked of [false, true]) {
      const answer = await admin.get(`/api-keys?limit=100&status=${isRevoked ? "revoked" : "active"}`);
      expectStatus(answer, 200);
      const told = answer.body.data.api_keys.map(({ id }: { id: string }) => id);
      const expected = keys.filter((key) => key.isRevoked === isRevoked).map(({ id }) => id);
      // The key that asks is there from the beginning.
      expect(told.slice(0, expected.length)).toEqual(expected.toReversed());
      expect(told).toHaveLength(expected.length + (isRevoked ? 0 : 1));
    }
  }
}

// ---------------------------------------------------------------- webhooks

class CreateWebhook extends Command {
  declare readonly given: { events: MemoryEvent[] };

  async run(model: Model, { admin, receiver }: Real): Promise<void> {
    const { events } = this.given;
    const metadata = { place: model.webhooks.length };
    const answer = await admin.post("/webhooks", { name: "generated", url: receiver.url, events, metadata });
    expectStatus(answer, 201);
    const { id, ...told } = answer.body.data;
    expect(told).toMatchObject({ events, status: "active", metadata });
    model.webhooks.push({ id, events, state: "active" });
  }
}

abstract class OfWebhook extends Command {
  declare readonly given: { webhook: Choice };

  override check({ webhooks }: Readonly<Model>): boolean {
    return webhooks.length > 0;
  }

  async run(model: Model, real: Real): Promise<void> {
    const webhook = chosen(model.webhooks, this.given.webhook);
    const answer = await this.ask(webhook, real.admin);
    if (webhook.state === "deleted") return expectRefusal(answer, [404, "WEBHOOK_NOT_FOUND"]);
    expectStatus(answer, 200);
    return this.expectDone(answer, webhook, model, real);
  }

  abstract ask(webhook: ModelWebhook, admin: Caller): Promise<Answered>;
  abstract expectDone(answer: Answered, webhook: ModelWebhook, model: Model, real: Real): void;
}

class ReadWebhook extends OfWebhook {
  ask({ id }: ModelWebhook, admin: Caller): Promise<Answered> {
    return admin.get(`/webhooks/${id}`);
  }

  expectDone(answer: Answered, { id, events, state }: ModelWebhook): void {
    expect(answer.body.data).toMatchObject({ id, events, status: state, secret: "••••••••" });
  }
}

class ChangeWebhook extends OfWebhook {
  declare readonly given: { webhook: Choice; change: { events?: MemoryEvent[]; status?: "active" | "paused" } };

  ask({ id }: ModelWebhook, admin: Caller): Promise<Answered> {
    return admin.put(`/webhooks/${id}`, this.given.change);
  }

  expectDone(answer: Answered, webhook: ModelWebhook, model: Model): void {
    const { events = webhook.events, status = webhook.state } = this.given.change;
    model.hush(webhook);
    webhook.events = events;
    webhook.state = status;
    expect(answer.body.data).toMatchObject({ id: webhook.id, events, status });
  }
}

class TestWebhook extends OfWebhook {
  ask({ id }: ModelWebhook, admin: Caller): Promise<Answered> {
    return admin.post(`/webhooks/${id}/test`, { event: "webhook.test" });
  }

  expectDone(answer: Answered, { id }: ModelWebhook, _model: Model, { receiver }: Real): void {
    const { test_results, test_payload } = answer.body.data;
    expect(test_results).toMatchObject({ delivery_status: "success", http_status: 200 });
    const tests = receiver.received.filter(({ body }) => body.id === test_payload.id);
    expect(tests.map(({ body }) => [body.event, body.webhook?.id])).toEqual([["webhook.test", id]]);
  }
}

class DeleteWebhook extends OfWebhook {
  ask({ id }: ModelWebhook, admin: Caller): Promise<Answered> {
    return admin.delete(`/webhooks/${id}`);
  }

  expectDone(_answer: Answered, webhook: ModelWebhook, model: Model): void {
    model.hush(webhook);
    webhook.state = "deleted";
  }
}

/**
 * Sends requests about memories all at once, and answers the model as it is afterwards. Throws where no order of them, one
 * after the other, would have had these answers.
 */
export async function runAtOnce(commands: OfMemory[], model: Model, { admin }: Real): Promise<Model> {
  const asked = commands.map((command) => command.ask(chosen(model.memories, command.given.memory), admin));
  const inFlight = (await Promise.all(asked)).map((answer, index) => ({
    answer,
    command: commands[index] as OfMemory,
  }));
  const done = inFlight.filter(({ answer }) => answer.status !== 409);
  const problems: unknown[] = [];
  for (const order of ordersOf(done)) {
    const afterwards = model.copy();
    try {
      for (const { command, answer } of order) command.expectAnswer(answer, afterwards);
      return afterwards;
    } catch (problem) {
      problems.push(problem);
    }
  }
  const told = inFlight.map(({ command, answer }) => `${command}: ${answer.status} ${JSON.stringify(answer.body)}`);
  throw new AggregateError(problems, `no order of these has such answers:\n${told.join("\n")}`);
}

function ordersOf<Thing>(things: Thing[]): Thing[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((first, place) => ordersOf(things.toSpliced(place, 1)).map((rest) => [first, ...rest]));
}

/** How often the webhooks were told of each event of each memory, and how often they must and may be. */
export function tellings({ announcements }: Model, { receiver }: Real) {
  const subject = (event: string, memory: string) => `${event} ${memory}`;
  const told = Map.groupBy(
    receiver.received.filter(({ body }) => body.memory !== undefined),
    ({ body }) => subject(body.event, body.memory.id),
  );
  const expected = Map.groupBy(announcements, ({ event, memory }) => subject(event, memory));
  return [...new Set([...told.keys(), ...expected.keys()])].sort().map((about) => ({
    about,
    told: told.get(about)?.length ?? 0,
    least: expected.get(about)?.filter(({ isCertain }) => isCertain).length ?? 0,
    most: expected.get(about)?.length ?? 0,
  }));
}

// ---------------------------------------------------------------- what is generated

const choice = fc.nat({ max: 5 });
const versionNumber = fc.integer({ min: 1, max: 4 });
const content = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== "");
const metadata = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.oneof(fc.string(), fc.integer()), {
  maxKeys: 3,
  noNullPrototype: true,
});
const version = fc.record({ content, metadata });
const change = fc.record({ content, metadata }, { requiredKeys: [] }).filter((each) => Object.keys(each).length > 0);
const permissions = fc.subarray([...GRANTABLE], { minLength: 1 });
const events = fc.subarray([...EVENTS], { minLength: 1 });
const webhookChange = fc.record(
  { events, status: fc.constantFrom("active" as const, "paused" as const) },
  { requiredKeys: [] },
);
const asOf = fc.constantFrom("any" as const, "now" as const, "before" as const);

/** A command with what it is given. */
function given<Made extends Command>(
  command: new (given: object) => Made,
  what: fc.Arbitrary<Made["given"]>,
): fc.Arbitrary<Made> {
  return what.map((each) => new command(each));
}

/** The same among others: the more `weight`, the more often. */
function weighted<Made extends Command>(
  weight: number,
  command: new (given: object) => Made,
  what: fc.Arbitrary<Made["given"]>,
): fc.WeightedArbitrary<fc.AsyncCommand<Model, Real>> {
  return { weight, arbitrary: given(command, what) };
}

const nothing = fc.constant({});
const anyMemory = fc.record({ memory: choice });
const anyKey = fc.record({ key: choice });
const anyWebhook = fc.record({ webhook: choice });

/** Every command, with what it is given; what makes things and changes them more often than what ends them. */
export const COMMAND = fc.oneof(
  weighted(3, CreateMemory, version),
  weighted(3, ReadMemory, anyMemory),
  weighted(8, UpdateMemory, fc.record({ memory: choice, change, asOf })),
  weighted(5, RestoreMemory, fc.record({ memory: choice, version: versionNumber })),
  weighted(2, ListVersions, anyMemory),
  weighted(1, ExpireMemory, anyMemory),
  weighted(1, DeleteMemory, anyMemory),
  weighted(1, ListMemories, nothing),
  weighted(2, CreateKey, fc.record({ permissions })),
  weighted(6, UseKey, fc.record({ key: choice, right: fc.constantFrom(...GRANTABLE) })),
  weighted(2, UpdateKey, fc.record({ key: choice, permissions })),
  weighted(2, RotateKey, anyKey),
  weighted(1, RevokeKey, anyKey),
  weighted(1, ListKeys, nothing),
  weighted(2, CreateWebhook, fc.record({ events })),
  weighted(1, ReadWebhook, anyWebhook),
  weighted(2, ChangeWebhook, fc.record({ webhook: choice, change: webhookChange })),
  weighted(1, TestWebhook, anyWebhook),
  weighted(1, DeleteWebhook, anyWebhook),
);

/** Makes a memory. */
export const CREATION = given(CreateMemory, version);

/** The first memory made. */
const memory = fc.constant(0);

/** Requests about one memory, to be in flight at once. */
export const AT_ONCE = fc.array(
  fc.oneof(
    given(ReadMemory, fc.record({ memory })),
    given(ListVersions, fc.record({ memory })),
    ...[1, 2, 3].map(() => given(UpdateMemory, fc.record({ memory, change, asOf: fc.constant("any" as const) }))),
    given(RestoreMemory, fc.record({ memory, version: versionNumber })),
    given(ExpireMemory, fc.record({ memory })),
    given(DeleteMemory, fc.record({ memory })),
  ),
  { minLength: 2, maxLength: 3 },
);
