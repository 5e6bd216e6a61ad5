import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { archiveSession, restoreSession } from "../../functions/sessions/ending.ts";
import { AddMessage, CreateSession } from "../../functions/sessions/schemas.ts";
import { createSession } from "../../functions/sessions/service.ts";
import { addMessage } from "../../shared/domain/sessions/append.ts";
import { eraseSession, sweepSessions } from "../../shared/domain/sessions/archive.ts";
import { MESSAGES_PER_BLOB } from "../../shared/domain/sessions/archived-messages.ts";
import { getSession } from "../../shared/domain/sessions/change.ts";
import { listMessages, putMessage, readMessages } from "../../shared/domain/sessions/message-records.ts";
import { sessionKey } from "../../shared/domain/sessions/records.ts";
import type { SessionMessage } from "../../shared/domain/sessions/session.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { movableClock } from "../contract/movable-clock.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { Caller } from "../support/target.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const SLOW = 180_000;

let clock: ReturnType<typeof movableClock>;
let service: LocalService;
let org: string;
let caller: Caller;

beforeAll(async () => {
  clock = movableClock();
  service = await openService({}, clock.now);
});
afterAll(() => service.close());
beforeEach(async () => {
  const made = await createOrganization(service);
  org = made.org;
  caller = new Caller(service, made.key);
});

/** Returns a process of the service whose requests to records and blobs pass through `between`. */
function processOn(between: <T>(act: () => Promise<T>) => Promise<T> = (act) => act()): Context {
  const passing = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => between(() => Reflect.apply(member, target, given));
      },
    });
  const { ports } = service.runtime;
  const principal = { kind: "api_key", id: "ak_test", org, operator: false, plan: "free", permissions: [] } as const;
  const own = { ...ports, records: passing(ports.records), blobs: passing(ports.blobs) };
  return { ...service.runtime, logger: silentLogger, ports: own, org, viewer: undefined, principal };
}

/** Creates a session that already has this many messages. */
async function begin(messages: number, config: object = { memory: "off" }): Promise<string> {
  const ctx = processOn();
  const { id } = await createSession(ctx, CreateSession.parse({ agent_id: "guide", user_id: "ada", config }));
  const created_at = new Date(clock.now()).toISOString();
  const puts = Array.from({ length: messages }, (_, index) => {
    const content = `word${index + 1} of tea`;
    const about = { id: ctx.ids("message"), org, session_id: id, position: index + 1, role: "user" as const };
    const counts = { tokens: 1, tokens_before: index, metadata: {}, created_at, created_by: "ak_test" };
    return putMessage({ ...about, ...counts, content }, { content });
  });
  for (let at = 0; at < puts.length; at += 40) await ctx.ports.records.write(...puts.slice(at, at + 40));
  const add = { message_count: messages, user_messages: messages, total_tokens: messages };
  if (messages > 0) {
    await ctx.ports.records.write({ update: sessionKey(org, id), set: { last_message_at: created_at }, add });
  }
  return id;
}

const say = (ctx: Context, id: string, content: string) =>
  addMessage(ctx, id, AddMessage.parse({ role: "user", content }));

async function messagesOf(id: string): Promise<SessionMessage[]> {
  const ctx = processOn();
  const read: SessionMessage[] = [];
  for await (const batch of readMessages(ctx, await getSession(ctx, id))) read.push(...batch);
  return read;
}

async function sweepLater(times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    clock.advance(2 * MINUTE);
    await sweepSessions(service.runtime);
  }
}

const recordsOf = async (id: string) =>
  (await service.runtime.ports.records.query({ pk: `${org}#${id}`, limit: 1000 })).items;
const blobsOf = async (id: string) =>
  (await service.runtime.ports.blobs.list({ prefix: `sessions/${org}/${id}/`, limit: 100 })).blobs.map(
    ({ key }) => key,
  );

describe("restoring a session", () => {
  const restore = (id: string) => caller.post(`/sessions/${id}/restore`, {});

  it("undoes the archiving: the session accepts messages and can be archived again, with all of them", async () => {
    const id = await begin(MESSAGES_PER_BLOB + 30);
    const before = await messagesOf(id);
    await archiveSession(processOn(), id, { retention_period_days: 1, compression_enabled: true });
    await sweepLater();
    const { status, body } = await restore(id);
    expect([status, body.data.status, body.data.version]).toEqual([200, "active", 3]);
    expect(body.data).not.toHaveProperty("archived_at");
    expect(body.data).not.toHaveProperty("expire_at");
    expect((await caller.get(`/sessions/${id}`)).body.data).toEqual(body.data);
    expect((await caller.get("/sessions?status=active&sort=created_at desc")).body.data.sessions).toHaveLength(1);
    expect(await messagesOf(id)).toEqual(before);

    const { message } = await say(processOn(), id, "newest of tea");
    const all = [...before.map((each) => each.id), message.id];
    expect((await messagesOf(id)).map((each) => each.id)).toEqual(all);
    const found = (await caller.get(`/sessions/${id}/messages?q=tea&limit=200&offset=${MESSAGES_PER_BLOB}`)).body.data;
    expect([found.pagination.total, found.messages.length]).toEqual([all.length, 31]);
    const newest = (await caller.get(`/sessions/${id}/messages?q=newest`)).body.data;
    expect(newest.messages.map((each: SessionMessage) => each.id)).toEqual([message.id]);
    expect((await caller.get(`/sessions/${id}/export`)).body.messages).toHaveLength(all.length);

    await archiveSession(processOn(), id, { compression_enabled: false });
    await sweepLater(2);
    expect((await recordsOf(id)).filter(({ kind }) => kind === "message")).toEqual([]);
    expect(await blobsOf(id)).toEqual([
      expect.stringMatching(/\/000000000$/),
      expect.stringMatching(/\/000000001-000000231$/),
    ]);
    expect((await messagesOf(id)).map((each) => each.id)).toEqual(all);
  });

  it("leaves a session closed that was closed before", async () => {
    const id = await begin(1);
    await caller.delete(`/sessions/${id}`, { reason: "done", summary: "s" });
    await caller.post(`/sessions/${id}/archive`, {});
    expect((await restore(id)).body.data).toMatchObject({ status: "closed", reason: "done", summary: "s" });
    const refused = await caller.post(`/sessions/${id}/messages`, { role: "user", content: "more" });
    expect([refused.status, refused.body.error?.code]).toEqual([409, "SESSION_CLOSED"]);
  });

  it("is refused for a session that is not archived, changed, expired, unknown or another organization's", async () => {
    const id = await begin(1);
    const refusals = [await restore(id), await restore("sess_absent")];
    await caller.post(`/sessions/${id}/archive`, { retention_period_days: 1 });
    refusals.push(await caller.post(`/sessions/${id}/restore`, {}, { headers: { "If-Match": '"1"' } }));
    refusals.push(
      await new Caller(service, (await createOrganization(service)).key).post(`/sessions/${id}/restore`, {}),
    );
    clock.advance(DAY);
    refusals.push(await restore(id));
    expect(refusals.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [409, "CONFLICT"],
      [404, "SESSION_NOT_FOUND"],
      [412, "PRECONDITION_FAILED"],
      [404, "SESSION_NOT_FOUND"],
      [404, "SESSION_NOT_FOUND"],
    ]);
  });

  it("ends the retention, also if its end is already scheduled", async () => {
    const id = await begin(3);
    await caller.post(`/sessions/${id}/archive`, { retention_period_days: 1 });
    await sweepLater();
    // Reading an archived session stores its state, which must not expire with the retention.
    await caller.get(`/sessions/${id}/context`);
    await restore(id);
    const before = await recordsOf(id);
    expect(before.filter(({ ttl }) => ttl !== undefined)).toEqual([]);
    clock.advance(2 * DAY);
    await sweepLater(2);
    expect(await recordsOf(id)).toEqual(before);
    expect(await messagesOf(id)).toHaveLength(3);
  });

  it("reads archives whose last blob an earlier release stored under its number alone", async () => {
    const id = await begin(30);
    await archiveSession(processOn(), id, { compression_enabled: true });
    await sweepLater(2);
    const { blobs } = service.runtime.ports;
    const [key = ""] = await blobsOf(id);
    const blob = await blobs.get(key);
    if (blob) await blobs.put(key.replace(/-\d+$/, ""), blob);
    await blobs.delete(key);
    expect(await messagesOf(id)).toHaveLength(30);
    await restore(id);
    await say(processOn(), id, "newest of tea");
    await archiveSession(processOn(), id, { compression_enabled: true });
    await sweepLater(2);
    expect(await messagesOf(id)).toHaveLength(31);
  });

  it("leaves nothing of a session that is deleted concurrently", async () => {
    const id = await begin(MESSAGES_PER_BLOB + 3);
    await archiveSession(processOn(), id, { compression_enabled: true });
    await restore(id);
    await say(processOn(), id, "long ".repeat(19_999));
    const session = await getSession(processOn(), id);
    await eraseSession(service.runtime, session);
    // A concurrent process that moves messages stores a blob after the deletion.
    await service.runtime.ports.blobs.put(`sessions/${org}/${id}/000000000`, {
      bytes: Buffer.from("{}"),
      contentType: "text/plain",
    });
    await sweepLater(2);
    expect([await recordsOf(id), await blobsOf(id)]).toEqual([[], []]);
    const contents = await service.runtime.ports.blobs.list({ prefix: `content/${org}/${id}/`, limit: 10 });
    expect(contents.blobs).toEqual([]);
  });

  it("stores memories of each message once, also if a session ends several times", async () => {
    const id = await begin(0, { memory: "on_close" });
    for (const content of ["I moved to Lisbon.", "My sister is called Ines."]) {
      await say(processOn(), id, content);
      await caller.post(`/sessions/${id}/archive`, {});
      await restore(id);
    }
    await caller.delete(`/sessions/${id}`, { reason: "done" });
    await expect
      .poll(
        async () =>
          (await caller.get("/memories")).body.data.memories.map((each: SessionMessage) => each.content).sort(),
        {
          timeout: 20_000,
        },
      )
      .toEqual(["I moved to Lisbon.", "My sister is called Ines."]);
  });
});

// ---------------------------------------------------------------- concurrency, crashes and delays

class Crash extends Error {}

/** What happens to a process at one of its requests: it crashes, or halts until the others have finished. */
interface Fate {
  at: number;
  what: "goes on" | "crashes" | "halts";
}

const FATE = fc.record({ at: fc.nat({ max: 40 }), what: fc.constantFrom("goes on", "crashes", "halts") });

/** Repeats an action until the process crashes; refusals by the service are ignored. */
async function insistently(times: number, act: (time: number) => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) {
    try {
      await act(time);
    } catch (error) {
      if (error instanceof Crash) return;
      if (!(error instanceof ServiceError)) throw error;
    }
    await nextTurn();
  }
}

/** A network that delivers requests and answers when the scheduler says so. A process that halts waits for `late`. */
function network(scheduler: fc.Scheduler, { at, what }: Fate, late: Promise<void>, onHalt: () => void) {
  let requests = 0;
  return async <T>(act: () => Promise<T>): Promise<T> => {
    const halts = requests++ === at && what === "halts";
    if (what === "crashes" && requests > at) throw new Crash();
    if (halts) {
      onHalt();
      await late;
    } else await scheduler.schedule(Promise.resolve());
    const [settled] = await Promise.allSettled([act()]);
    if (!halts) await scheduler.schedule(Promise.resolve());
    if (settled.status === "rejected") throw settled.reason;
    return settled.value;
  };
}

it(
  "messages are neither lost nor duplicated under concurrency, crashes and delays",
  async () => {
    const fates = fc.array(FATE, { minLength: 6, maxLength: 6 });
    const sizes = fc.integer({ min: MESSAGES_PER_BLOB - 3, max: MESSAGES_PER_BLOB + 1 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fates, sizes, async (scheduler, given, size) => {
        const id = await begin(size);
        const told: string[] = [];
        const asked: string[] = [];
        const late = Promise.withResolvers<void>();
        const acts = [
          ...[0, 1].map((writer) => async (ctx: Context, time: number) => {
            const content = `writer${writer} says${time}`;
            asked.push(content);
            await say(ctx, id, content);
            told.push(content);
          }),
          ...[0, 1].map(() => (ctx: Context, time: number) => {
            return time % 2 === 0 ? archiveSession(ctx, id, { compression_enabled: false }) : restoreSession(ctx, id);
          }),
          ...[0, 1].map(() => async (ctx: Context) => {
            clock.advance(2 * MINUTE);
            await sweepSessions(ctx);
          }),
        ];
        const running = acts.map((act, index) => {
          const fate = given[index] ?? { at: 0, what: "goes on" as const };
          const halted = Promise.withResolvers<void>();
          const ctx = processOn(network(scheduler, fate, late.promise, halted.resolve));
          const done = insistently(6, (time) => act(ctx, time));
          return { stopped: Promise.race([done, halted.promise]), done };
        });
        await scheduler.waitFor(Promise.all(running.map(({ stopped }) => stopped)));
        await archiveFully(id);
        const after = await expectAll(id, size, { told, asked });
        late.resolve();
        await scheduler.waitFor(Promise.all(running.map(({ done }) => done)));
        const all = await expectAll(id, size, { told, asked });
        expect(all.slice(0, after.length)).toEqual(after);
        await archiveFully(id);
        expect(await expectAll(id, size, { told, asked })).toEqual(all);
        expect((await recordsOf(id)).filter(({ kind }) => kind === "message")).toEqual([]);
      }),
      { numRuns: 15 },
    );
  },
  SLOW,
);

it.each(["takes messages", "is archived again"])(
  "a session keeps all messages if it %s while a sweep halts at any request",
  async (next) => {
    for (let at = 0, isOver = false; !isOver; at++) {
      const id = await begin(MESSAGES_PER_BLOB - 3);
      await archiveSession(processOn(), id, { compression_enabled: false });
      const late = Promise.withResolvers<void>();
      let requests = 0;
      const halting = processOn(async (act) => {
        if (requests++ === at) await late.promise;
        return act();
      });
      clock.advance(2 * MINUTE);
      let isSwept = false;
      const sweeping = sweepSessions(halting).finally(() => {
        isSwept = true;
      });
      await Promise.race([sweeping, expect.poll(() => isSwept || requests > at, { interval: 1 }).toBe(true)]);
      isOver = requests <= at;
      await restoreSession(processOn(), id);
      const told = ["one", "two"];
      for (const content of told) await say(processOn(), id, content);
      if (next === "is archived again") await archiveFully(id);
      late.resolve();
      await sweeping;
      await expectAll(id, MESSAGES_PER_BLOB - 3, { told, asked: told });
      await archiveFully(id);
    }
  },
  SLOW,
);

/** Archives the session if it is active, and runs all jobs that follow. */
async function archiveFully(id: string): Promise<void> {
  const ctx = processOn();
  if ((await getSession(ctx, id)).status === "active") await archiveSession(ctx, id, { compression_enabled: true });
  await sweepLater(4);
}

/**
 * Expects every acknowledged message once and any other at most once, positions without gaps, and the same messages in
 * search.
 */
async function expectAll(
  id: string,
  size: number,
  { told, asked }: { told: string[]; asked: string[] },
): Promise<SessionMessage[]> {
  const messages = await messagesOf(id);
  expect(messages.map(({ position }) => position)).toEqual(messages.map((_, index) => index + 1));
  expect(new Set(messages.map((message) => message.id)).size).toBe(messages.length);
  const contents = messages.map(({ content }) => content);
  expect(contents.slice(0, size)).toEqual(Array.from({ length: size }, (_, index) => `word${index + 1} of tea`));
  const added = contents.slice(size);
  expect(new Set(added).size).toBe(added.length);
  expect(asked).toEqual(expect.arrayContaining(added));
  expect(added).toEqual(expect.arrayContaining(told));
  const ctx = processOn();
  const found = await listMessages(ctx, await getSession(ctx, id), { q: "tea" }, { limit: 200, offset: 0 });
  expect(found.total).toBe(size);
  return messages;
}
