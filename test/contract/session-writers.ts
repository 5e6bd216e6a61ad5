import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addMessage } from "../../shared/domain/sessions/append.ts";
import { getSession } from "../../shared/domain/sessions/change.ts";
import { compactContext } from "../../shared/domain/sessions/compaction.ts";
import { readMessages } from "../../shared/domain/sessions/message-records.ts";
import { putSession } from "../../shared/domain/sessions/records.ts";
import {
  contextTokens,
  MESSAGE_ROLES,
  type MessageRole,
  type Session,
  type SessionMessage,
} from "../../shared/domain/sessions/session.ts";
import { readSegments } from "../../shared/domain/sessions/summary-records.ts";
import { createIds } from "../../shared/kernel/ids.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { RecordStore } from "../../shared/ports/record-store.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { Rollups } from "../../shared/runtime/stats/rollups.ts";

const WRITERS = 20;
const MESSAGES_A_WRITER = 2;
const MAX_SKEW_MS = 5_000;
/** Tokens; small enough that writers compact messages into the summary while others add some. */
const WINDOW = 200;
const READINGS = 4;
const SLOW = 120_000;

export interface SessionWritersSubject {
  store: RecordStore;
  close(): Promise<void>;
}

export interface SessionWritersOptions {
  /** Number of runs. */
  runs: number;
  /** Whether the order of requests is random; false if a network already varies it. */
  interleaved: boolean;
}

/** Tests a session to which many processes write concurrently, in any order of their requests. */
export function describeSessionWriters(
  name: string,
  open: () => Promise<SessionWritersSubject>,
  options: SessionWritersOptions,
): void {
  describe(`${name}: writers of one session`, () => {
    let subject: SessionWritersSubject;
    beforeAll(async () => {
      subject = await open();
    }, SLOW);
    afterAll(() => subject.close());

    it(
      `lose and reorder nothing, with ${WRITERS} writers`,
      async () => {
        const skews = fc.array(fc.integer({ min: -MAX_SKEW_MS, max: MAX_SKEW_MS }), {
          minLength: WRITERS,
          maxLength: WRITERS,
        });
        await fc.assert(
          fc.asyncProperty(fc.scheduler(), skews, async (scheduler, clocks) => {
            const org = `org_${randomUUID()}`;
            const quiet = processOn(subject.store, org, 0);
            const id = await begin(quiet);
            const store = options.interleaved ? interleaved(scheduler, subject.store) : subject.store;
            const writers = clocks.map((skew) => processOn(store, org, skew));
            const written = Promise.all(writers.map((writer, index) => write(writer, id, index)));
            const read = readAlong(processOn(store, org, 0), id);
            const [answers] = await scheduler.waitFor(Promise.all([written, read]));
            await expectAllInOrder(quiet, id, answers.flat());
            await expectFolded(quiet, id);
          }),
          { numRuns: options.runs },
        );
      },
      SLOW,
    );
  });
}

/** A process of the service, reduced to what sessions need. */
function processOn(records: RecordStore, org: string, skew: number): Context {
  const clock = () => Date.now() + skew;
  const runtime = {
    ports: { records },
    clock,
    ids: createIds(),
    logger: silentLogger,
    rollups: new Rollups(records, clock, silentLogger),
    org,
    principal: { id: "ak_test" },
  };
  return runtime as unknown as Context;
}

/** The store behind a network: the scheduler decides when requests and answers arrive. */
function interleaved(scheduler: fc.Scheduler, store: RecordStore): RecordStore {
  const late = async <T>(act: () => Promise<T>): Promise<T> => {
    await scheduler.schedule(Promise.resolve());
    const outcome = await Promise.allSettled([act()]);
    await scheduler.schedule(Promise.resolve());
    const [settled] = outcome;
    if (settled.status === "rejected") throw settled.reason;
    return settled.value;
  };
  return {
    get: (key) => late(() => store.get(key)),
    getMany: (keys) => late(() => store.getMany(keys)),
    query: (query) => late(() => store.query(query)),
    cursorAt: (query, keys) => store.cursorAt(query, keys),
    count: (query, upTo) => late(() => store.count(query, upTo)),
    write: (...writes) => late(() => store.write(...writes)),
    ping: () => store.ping(),
    connections: () => store.connections(),
  };
}

async function begin(ctx: Context): Promise<string> {
  const now = new Date(ctx.clock()).toISOString();
  const id = ctx.ids("session");
  const session: Session = {
    id,
    org: ctx.org,
    agent_id: "guide",
    user_id: "ada",
    config: { context_window: WINDOW, compression_enabled: true },
    metadata: {},
    status: "active",
    message_count: 0,
    total_tokens: 0,
    user_messages: 0,
    assistant_messages: 0,
    system_messages: 0,
    folded_messages: 0,
    folded_tokens: 0,
    summary_tokens: 0,
    created_at: now,
    updated_at: now,
    created_by: ctx.principal.id,
    version: 1,
  };
  const context = { session_id: id, initial_context: {}, current: {}, revision: 1, updated_at: now };
  await ctx.ports.records.write(...putSession(session, context));
  return id;
}

/** Adds messages one after the other, so that they keep the writer's order. */
async function write(ctx: Context, id: string, writer: number): Promise<SessionMessage[]> {
  const messages: SessionMessage[] = [];
  for (let turn = 0; turn < MESSAGES_A_WRITER; turn++) {
    const role: MessageRole = MESSAGE_ROLES[(writer + turn) % MESSAGE_ROLES.length] ?? "user";
    const content = `Writer ${writer} says in turn ${turn} that the parcel number ${writer * 7 + turn} has arrived.`;
    const { message } = await addMessage(ctx, id, { role, content, metadata: { writer, turn } });
    messages.push(message);
  }
  return messages;
}

/** A concurrent reader finds every message that the session counts. */
async function readAlong(ctx: Context, id: string): Promise<void> {
  for (let reading = 0; reading < READINGS; reading++) {
    const session = await getSession(ctx, id);
    const messages = await allOf(ctx, session);
    expect(messages.map(({ position }) => position)).toEqual(positionsUpTo(session.message_count));
    expect(messages.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(session.total_tokens);
  }
}

async function allOf(ctx: Context, session: Session): Promise<SessionMessage[]> {
  const batches: SessionMessage[][] = [];
  for await (const batch of readMessages(ctx, session)) batches.push(batch);
  return batches.flat();
}

const positionsUpTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

async function expectAllInOrder(ctx: Context, id: string, answered: SessionMessage[]): Promise<void> {
  const session = await getSession(ctx, id);
  const stored = await allOf(ctx, session);
  expect(session.message_count).toBe(WRITERS * MESSAGES_A_WRITER);
  expect(stored.map(({ position }) => position)).toEqual(positionsUpTo(session.message_count));
  expect(stored).toEqual(answered.toSorted((one, other) => one.position - other.position));
  for (let writer = 0; writer < WRITERS; writer++) {
    const own = stored.filter(({ metadata }) => metadata.writer === writer);
    expect(own.map(({ metadata }) => metadata.turn)).toEqual([0, 1]);
  }
  const times = stored.map(({ created_at }) => created_at);
  expect(times, "times tell the order too").toEqual([...new Set(times)].sort());
  let before = 0;
  for (const { tokens, tokens_before } of stored) {
    expect(tokens_before).toBe(before);
    before += tokens;
  }
  expect(session.total_tokens).toBe(before);
  for (const role of MESSAGE_ROLES) {
    expect(session[`${role}_messages`]).toBe(stored.filter((message) => message.role === role).length);
  }
  expect(session.updated_at).toBe(times.at(-1));
}

/** The summary covers each message once, and with it the context fits the window. */
async function expectFolded(ctx: Context, id: string): Promise<void> {
  const session = await compactContext(ctx, await getSession(ctx, id));
  const segments = await readSegments(ctx, id);
  const folded = (await allOf(ctx, session)).slice(0, session.folded_messages);
  expect(session.folded_messages).toBeGreaterThan(0);
  expect(contextTokens(session)).toBeLessThanOrEqual(WINDOW);
  expect(segments[0]?.from).toBe(1);
  expect(segments.at(-1)?.to).toBe(session.folded_messages);
  expect(segments.slice(1).map(({ from }) => from)).toEqual(segments.slice(0, -1).map(({ to }) => to + 1));
  expect(session.folded_tokens).toBe(folded.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(segments.reduce((sum, { original_tokens }) => sum + original_tokens, 0)).toBe(session.folded_tokens);
}
