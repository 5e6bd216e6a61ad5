import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScheduledJob as createSweep } from "../../functions/workers/sweep/worker.ts";
import type { Session } from "../../shared/domain/sessions/session.ts";
import { movableClock } from "../contract/movable-clock.ts";
import { createOrganization, type LocalService, openService, type TestedService } from "../support/service.ts";
import { Caller, openTestedService } from "../support/target.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Enough messages for two blobs. The number is even, because statistics count an unanswered message as failed. */
const MESSAGES_IN_TWO_BLOBS = 206;
/** For long sessions, because extracting memories from each message takes longer than storing it. */
const WITHOUT_MEMORY = { config: { memory: "off" } };

async function begin(caller: Caller, fields: object = {}) {
  const { status, body } = await caller.post("/sessions", {
    agent_id: "guide",
    user_id: "ada",
    title: "Tea",
    ...fields,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function say(caller: Caller, id: string, role: string, content: string) {
  const { status, body } = await caller.post(`/sessions/${id}/messages`, { role, content });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function talk(caller: Caller, id: string, messages: number) {
  for (let index = 0; index < messages; index++) {
    await say(caller, id, index % 2 === 0 ? "user" : "assistant", `message ${index} about the tea house`);
  }
}

const contentsOf = (messages: { content: string }[]) => messages.map(({ content }) => content);

describe("closing a session", () => {
  let service: TestedService;
  let caller: Caller;

  beforeAll(async () => {
    service = await openTestedService();
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    caller = new Caller(service, (await createOrganization(service)).key);
  });

  it("keeps the reason and the given summary, and the session stays readable", async () => {
    const { id } = await begin(caller);
    await say(caller, id, "user", "Hello");
    const closed = await caller.delete(`/sessions/${id}`, { reason: "done", summary: "We greeted." });
    expect(closed.status).toBe(200);
    expect(closed.body.data).toEqual({
      id,
      status: "closed",
      closed_at: expect.stringMatching(/^\d{4}-.*Z$/),
      reason: "done",
      summary: "We greeted.",
    });
    const read = (await caller.get(`/sessions/${id}`)).body.data;
    expect(read).toMatchObject({
      status: "closed",
      reason: "done",
      summary: "We greeted.",
      message_count: 1,
      version: 2,
    });
    expect((await caller.get(`/sessions/${id}/messages`)).body.data.messages).toHaveLength(1);
    const refused = await caller.post(`/sessions/${id}/messages`, { role: "user", content: "more" });
    expect([refused.status, refused.body.error?.code]).toEqual([409, "SESSION_CLOSED"]);
  });

  it("summarizes the messages", async () => {
    const { id } = await begin(caller);
    await say(caller, id, "user", "My billing address in Lisbon is wrong. Please change the billing address to Porto.");
    await say(caller, id, "assistant", "I changed your billing address to Porto today.");
    const { summary } = (await caller.delete(`/sessions/${id}`, { reason: "done" })).body.data;
    expect(summary).toContain("billing address");
    expect(summary).toContain("Porto");
    const empty = await begin(caller);
    const { body } = await caller.delete(`/sessions/${empty.id}`, { reason: "nothing came" });
    expect(body.data.summary).toBe("The session had no messages.");
  });

  it("is refused without a reason and for a session that is already closed", async () => {
    const { id } = await begin(caller);
    for (const body of [{}, { reason: " " }, { reason: 1 }, { reason: "x", summary: 2 }]) {
      const refused = await caller.delete(`/sessions/${id}`, body);
      expect([refused.status, refused.body.error?.code], JSON.stringify(body)).toEqual([400, "VALIDATION_ERROR"]);
    }
    expect((await caller.delete(`/sessions/${id}`, { reason: "done" })).status).toBe(200);
    const again = await caller.delete(`/sessions/${id}`, { reason: "again" });
    expect([again.status, again.body.error?.code]).toEqual([409, "SESSION_CLOSED"]);
    expect((await caller.get(`/sessions/${id}`)).body.data.reason).toBe("done");
    const absent = await caller.delete("/sessions/sess_absent", { reason: "done" });
    expect([absent.status, absent.body.error?.code]).toEqual([404, "SESSION_NOT_FOUND"]);
  });

  it("succeeds once for concurrent requests", async () => {
    const { id } = await begin(caller);
    const answers = await Promise.all(
      [1, 2, 3].map((number) => caller.delete(`/sessions/${id}`, { reason: `r${number}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe("archiving, on both platforms", () => {
  it("leaves a session readable", async () => {
    const service = await openTestedService();
    const caller = new Caller(service, (await createOrganization(service)).key);
    const { id } = await begin(caller);
    await talk(caller, id, 5);
    const before = (await caller.get(`/sessions/${id}/messages`)).body.data;
    const { body } = await caller.post(`/sessions/${id}/archive`, {});
    expect(body.data).toMatchObject({ id, status: "archived" });
    expect((await caller.get(`/sessions/${id}/messages`)).body.data).toEqual(before);
    await service.close();
  });
});

describe("archiving a session", () => {
  let clock: ReturnType<typeof movableClock>;
  let service: LocalService;
  let org: string;
  let caller: Caller;
  let sweep: () => Promise<void>;

  const records = () => service.runtime.ports.records;
  const recordsOf = async (id: string, beginsWith: string) =>
    (await records().query({ pk: `${org}#${id}`, sk: { beginsWith }, limit: 1000 })).items;
  const blobOf = (id: string, blob: number) =>
    service.runtime.ports.blobs.get(`sessions/${org}/${id}/${String(blob).padStart(9, "0")}`);
  const archive = async (id: string, body: object = {}) => {
    const answer = await caller.post(`/sessions/${id}/archive`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  };
  /** Returns everything that a client can see of a session's conversation. */
  const readAll = async (id: string) => ({
    first: (await caller.get(`/sessions/${id}/messages?limit=200`)).body.data,
    second: (await caller.get(`/sessions/${id}/messages?limit=200&offset=200`)).body.data,
    users: (await caller.get(`/sessions/${id}/messages?limit=20&offset=90&role=user`)).body.data,
    context: (await caller.get(`/sessions/${id}/context`)).body.data.context.conversation_history,
    stats: (await caller.get(`/sessions/${id}/stats`)).body.data,
    file: (await caller.get(`/sessions/${id}/export`)).body.messages,
  });

  beforeAll(async () => {
    clock = movableClock();
    service = await openService({}, clock.now);
    sweep = createSweep(service.runtime);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const created = await createOrganization(service);
    org = created.org;
    caller = new Caller(service, created.key);
  });

  it.each([true, false])("moves messages to the blob store without a visible change (gzip: %s)", async (gzip) => {
    const { id } = await begin(caller, WITHOUT_MEMORY);
    await talk(caller, id, MESSAGES_IN_TWO_BLOBS);
    await say(caller, id, "assistant", "long ".repeat(19_999));
    const before = await readAll(id);
    const archived = await archive(id, { compression_enabled: gzip });
    expect(archived).toMatchObject({ id, status: "archived", message_count: MESSAGES_IN_TWO_BLOBS + 1, version: 2 });
    expect(archived.expire_at).toBeUndefined();
    expect(await readAll(id)).toEqual(before);

    clock.advance(2 * MINUTE);
    await sweep();
    expect(await recordsOf(id, "message#")).toEqual([]);
    expect(await readAll(id)).toEqual(before);
    const blob = await blobOf(id, 0);
    const text = gzip ? gunzipSync(blob!.bytes) : Buffer.from(blob!.bytes);
    const lines = text.toString("utf8").split("\n");
    expect(lines).toHaveLength(200);
    expect(JSON.parse(lines[0]!)).toMatchObject({ position: 1, content: before.first.messages[0].content });
    const late = (await caller.get(`/sessions/${id}/messages?after=${before.second.messages.at(-3).created_at}`)).body
      .data;
    expect(contentsOf(late.messages)).toEqual(contentsOf(before.second.messages.slice(-2)));
  });

  it("refuses new messages, and a second archiving or closing", async () => {
    const { id } = await begin(caller);
    await archive(id);
    const refusals = [
      await caller.post(`/sessions/${id}/messages`, { role: "user", content: "more" }),
      await caller.delete(`/sessions/${id}`, { reason: "done" }),
      await caller.post(`/sessions/${id}/archive`, { retention_period_days: 1 }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [409, "SESSION_CLOSED"],
      [409, "SESSION_CLOSED"],
      [409, "CONFLICT"],
    ]);
    expect((await caller.get(`/sessions/${id}`)).body.data.expire_at).toBeUndefined();
  });

  it("works on a closed session, which keeps its status and its summary", async () => {
    const { id } = await begin(caller);
    await say(caller, id, "user", "Hello");
    await caller.delete(`/sessions/${id}`, { reason: "done", summary: "s" });
    expect(await archive(id)).toMatchObject({ status: "archived", reason: "done", summary: "s", version: 3 });
  });

  it("deletes the session, its messages and its blobs after the retention period", async () => {
    const { id } = await begin(caller);
    await talk(caller, id, 3);
    await say(caller, id, "user", "long ".repeat(19_999));
    const [contentBlob] = (await recordsOf(id, "message#")).flatMap(({ content_blob }) => content_blob ?? []);
    const { expire_at, archived_at } = await archive(id, { retention_period_days: 2 });
    expect(Date.parse(expire_at) - Date.parse(archived_at)).toBe(2 * DAY);
    clock.advance(2 * MINUTE);
    await sweep();
    clock.advance(2 * DAY - 3 * MINUTE);
    await sweep();
    expect((await caller.get(`/sessions/${id}/messages`)).body.data.messages).toHaveLength(4);

    clock.advance(2 * MINUTE);
    const gone = await caller.get(`/sessions/${id}`);
    expect([gone.status, gone.body.error?.code]).toEqual([404, "SESSION_NOT_FOUND"]);
    expect((await caller.get("/sessions")).body.data.sessions).toEqual([]);
    await sweep();
    expect(await recordsOf(id, "")).toEqual([]);
    expect(await blobOf(id, 0)).toBeUndefined();
    expect(await service.runtime.ports.blobs.get(contentBlob as string)).toBeUndefined();
    expect((await records().query({ pk: "session-chores", limit: 10 })).items).toEqual([]);
  });

  it("deletes a session after the retention period even if moving its messages failed before", async () => {
    const { blobs } = service.runtime.ports;
    const put = blobs.put;
    const { id } = await begin(caller);
    await talk(caller, id, 3);
    await say(caller, id, "assistant", "long ".repeat(19_999));
    const [contentBlob] = (await recordsOf(id, "message#")).flatMap(({ content_blob }) => content_blob ?? []);
    blobs.put = async () => {
      throw new Error("the disk is gone");
    };
    await archive(id, { retention_period_days: 1 });
    blobs.put = put;
    clock.advance(2 * DAY);
    await sweep();
    await sweep();
    expect(await recordsOf(id, "")).toEqual([]);
    expect(await service.runtime.ports.blobs.get(contentBlob as string)).toBeUndefined();
  });

  it("resumes after a failed write to the blob store", async () => {
    const { blobs } = service.runtime.ports;
    const put = blobs.put;
    for (const successfulWrites of [0, 1]) {
      const { id } = await begin(caller, WITHOUT_MEMORY);
      await talk(caller, id, MESSAGES_IN_TWO_BLOBS);
      const before = await readAll(id);
      let remainingWrites = successfulWrites;
      blobs.put = async (...blob) => {
        if (remainingWrites-- <= 0) throw new Error("the disk is gone");
        return put.apply(blobs, blob);
      };
      expect((await archive(id)).status).toBe("archived");
      expect(await readAll(id)).toEqual(before);
      blobs.put = put;
      for (const hasRecords of [true, false]) {
        clock.advance(2 * MINUTE);
        await sweep();
        // The records stay for a while, because a request that read the session earlier must still find them.
        expect(await recordsOf(id, "message#")).toHaveLength(hasRecords ? MESSAGES_IN_TWO_BLOBS : 0);
        expect(await readAll(id)).toEqual(before);
      }
      expect(await readAll(id)).toEqual(before);
    }
  });

  it("succeeds once for concurrent requests, and accepts no message that would be lost", async () => {
    const { id } = await begin(caller);
    await talk(caller, id, 4);
    const [added, ...archived] = await Promise.all([
      caller.post(`/sessions/${id}/messages`, { role: "user", content: "just in time" }),
      ...[1, 2, 3].map(() => caller.post(`/sessions/${id}/archive`, {})),
    ]);
    expect(archived.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    clock.advance(2 * MINUTE);
    await sweep();
    const { messages } = (await caller.get(`/sessions/${id}/messages`)).body.data;
    expect(messages).toHaveLength(added!.status === 201 ? 5 : 4);
  });

  it.each([
    { retention_period_days: 0 },
    { retention_period_days: -1 },
    { retention_period_days: 1.5 },
    { retention_period_days: 36_501 },
    { retention_period_days: "7" },
    { compression_enabled: "yes" },
  ])("refuses %j", async (body) => {
    const { id } = await begin(caller);
    const refused = await caller.post(`/sessions/${id}/archive`, body);
    expect([refused.status, refused.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(refused.body.error?.details.fields[0].field).toBe(Object.keys(body)[0]);
  });

  it("stores the status and the times in the session's record", async () => {
    const { id } = await begin(caller);
    await archive(id, { retention_period_days: 1 });
    const [record] = await recordsOf(id, "session");
    const { status, archived_at, expire_at } = record as unknown as Session;
    expect({ status, archived_at, expire_at }).toEqual({
      status: "archived",
      archived_at: expect.any(String),
      expire_at: expect.any(String),
    });
  });
});
