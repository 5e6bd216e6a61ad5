import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createScheduledJob as createSweep } from "../../functions/workers/sweep/worker.ts";
import { type MovableClock, movableClock } from "../contract/movable-clock.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { Caller, eventually, openTarget, type Target } from "../support/target.ts";

const HOURS = 2 * 3_600_000;

async function begin(caller: Caller, fields: object = {}) {
  const given = {
    agent_id: "guide",
    user_id: "ada",
    title: "Tea",
    metadata: { shop: 7 },
    initial_context: { city: "Porto" },
  };
  const { status, body } = await caller.post("/sessions", { ...given, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function talk(caller: Caller, id: string, messages: number) {
  for (let place = 0; place < messages; place++) {
    const role = ["system", "user", "assistant"][place % 3];
    const said = { role, content: `message ${place}`, metadata: { place } };
    expect((await caller.post(`/sessions/${id}/messages`, said)).status).toBe(201);
  }
}

async function duplicate(caller: Caller, id: string, body: object = {}) {
  const answer = await caller.post(`/sessions/${id}/duplicate`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

async function read(caller: Caller, path: string) {
  const { status, body } = await caller.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

describe("duplicating a session", () => {
  let target: Target;
  let caller: Caller;

  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());
  beforeEach(async () => {
    caller = await target.organization();
  });

  it("copies its messages in order with their fields, and its context", async () => {
    const original = await begin(caller);
    await talk(caller, original.id, 95);
    await caller.post(`/sessions/${original.id}/context`, { context_updates: { language: "en" } });
    const copy = await duplicate(caller, original.id, { new_title: "Tea again" });
    const before = await read(caller, `/sessions/${original.id}`);
    expect(copy).toMatchObject({
      title: "Tea again",
      status: "active",
      agent_id: "guide",
      user_id: "ada",
      metadata: { shop: 7 },
      initial_context: { city: "Porto" },
      message_count: 95,
      total_tokens: before.total_tokens,
      version: 1,
    });
    expect(copy.id).not.toBe(original.id);
    expect(copy.config).toEqual(before.config);
    const [theirs, ours] = await Promise.all(
      [original.id, copy.id].map((id) => read(caller, `/sessions/${id}/messages?limit=200`)),
    );
    const withoutIds = ({ messages }: { messages: { id: string }[] }) => messages.map(({ id: _, ...rest }) => rest);
    expect(withoutIds(ours)).toEqual(withoutIds(theirs));
    const ids = new Set([...theirs.messages, ...ours.messages].map(({ id }: { id: string }) => id));
    expect(ids.size).toBe(190);
    const users = await read(caller, `/sessions/${copy.id}/messages?role=user&limit=1`);
    expect(users.pagination.total).toBe(32);
    const late = theirs.messages[90].created_at;
    const after = await read(caller, `/sessions/${copy.id}/messages?after=${late}`);
    expect(after.messages.map(({ content }: { content: string }) => content)).toEqual(
      [91, 92, 93, 94].map((place) => `message ${place}`),
    );
    const context = await read(caller, `/sessions/${copy.id}/context`);
    expect(context.context.variables).toMatchObject({ city: "Porto", language: "en" });
  });

  it("creates a separate session: changes of one do not affect the other", async () => {
    const original = await begin(caller);
    await talk(caller, original.id, 2);
    const copy = await duplicate(caller, original.id);
    expect(copy.title).toBe("Copy of Tea");
    expect((await caller.post(`/sessions/${copy.id}/messages`, { role: "user", content: "more" })).status).toBe(201);
    await caller.delete(`/sessions/${original.id}`, { reason: "done" });
    expect(await read(caller, `/sessions/${copy.id}`)).toMatchObject({ status: "active", message_count: 3 });
    expect(await read(caller, `/sessions/${original.id}`)).toMatchObject({ status: "closed", message_count: 2 });
  });

  it.each([
    [{ include_messages: false }, 0, { city: "Porto" }],
    [{ include_context: false }, 4, {}],
    [{ include_messages: false, include_context: false }, 0, {}],
  ])("omits what the request excludes: %j", async (options, messages, initial_context) => {
    const original = await begin(caller);
    await talk(caller, original.id, 4);
    const copy = await duplicate(caller, original.id, options);
    expect(copy).toMatchObject({ message_count: messages, initial_context });
    expect(copy.total_tokens > 0).toBe(messages > 0);
    const list = await read(caller, `/sessions/${copy.id}/messages`);
    expect(list.messages).toHaveLength(messages);
    const { context } = await read(caller, `/sessions/${copy.id}/context`);
    expect(context.variables).toEqual(initial_context);
    expect((await caller.post(`/sessions/${copy.id}/messages`, { role: "user", content: "first" })).status).toBe(201);
  });

  it("copies the summary of what is no longer in the window", async () => {
    const original = await begin(caller, { config: { context_window: 100 } });
    for (let place = 0; place < 30; place++) {
      const content = `Crate ${place} of apples goes to Porto on day ${place} by train.`;
      await caller.post(`/sessions/${original.id}/messages`, { role: "user", content });
    }
    const copy = await duplicate(caller, original.id);
    const [theirs, ours] = await Promise.all(
      [original.id, copy.id].map((id) => read(caller, `/sessions/${id}/context`)),
    );
    expect(theirs.context.compressed_context.summary).not.toBe("");
    expect(ours).toEqual({ ...theirs, session_id: copy.id });
  });

  it("works on closed and archived sessions, and copies long messages", async () => {
    const original = await begin(caller);
    const content = "long ".repeat(19_999);
    await caller.post(`/sessions/${original.id}/messages`, { role: "user", content });
    await caller.post(`/sessions/${original.id}/archive`, {});
    const copy = await duplicate(caller, original.id);
    expect(copy.status).toBe("active");
    expect(copy.archived_at).toBeUndefined();
    const { messages } = await read(caller, `/sessions/${copy.id}/messages`);
    expect(messages.map((message: { content: string }) => message.content)).toEqual([content]);
  });

  it.each([
    { new_title: "" },
    { new_title: 5 },
    { new_title: "x".repeat(201) },
    { include_messages: "yes" },
    { include_context: 1 },
  ])("refuses %j", async (body) => {
    const { id } = await begin(caller);
    const refused = await caller.post(`/sessions/${id}/duplicate`, body);
    expect([refused.status, refused.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(refused.body.error?.details.fields[0].field).toBe(Object.keys(body)[0]);
  });

  it("returns an error for unknown sessions", async () => {
    const absent = await caller.post("/sessions/sess_absent/duplicate", {});
    expect([absent.status, absent.body.error?.code]).toEqual([404, "SESSION_NOT_FOUND"]);
  });
});

describe("the records of a copy", () => {
  it("name the messages that they were copied from, so that they do not count as new", async () => {
    const service = await openService();
    const { org, key } = await createOrganization(service);
    const caller = new Caller(service, key);
    const original = await begin(caller);
    await talk(caller, original.id, 2);
    const copy = await duplicate(caller, original.id);
    const messagesOf = async (id: string) =>
      (await service.runtime.ports.records.query({ pk: `${org}#${id}`, sk: { beginsWith: "message#" }, limit: 9 }))
        .items;
    const [said, copied] = [await messagesOf(original.id), await messagesOf(copy.id)];
    expect(said.map(({ copy_of }) => copy_of)).toEqual([undefined, undefined]);
    expect(copied.map(({ copy_of }) => copy_of)).toEqual(said.map(({ id }) => id));
    await service.close();
  });
});

describe("a copy that is interrupted", () => {
  let clock: MovableClock;
  let service: LocalService;

  beforeAll(async () => {
    clock = movableClock();
    service = await openService({}, clock.now);
  });
  afterAll(() => service.close());

  it("is never visible, and leaves nothing behind", async () => {
    const { org, key } = await createOrganization(service);
    const caller = new Caller(service, key);
    const original = await begin(caller);
    await talk(caller, original.id, 90);
    const { records } = service.runtime.ports;
    const { write } = records;
    const touched = new Set<string>();
    let left = 2;
    records.write = async (...writes) => {
      const copied = writes.flatMap((each) => ("put" in each && each.put.kind === "message" ? [each.put.pk] : []));
      for (const pk of copied) touched.add(pk);
      if (copied.length > 0 && left-- <= 0) throw new Error("the power is gone");
      return write.apply(records, writes);
    };
    const failed = await caller.post(`/sessions/${original.id}/duplicate`, {});
    records.write = write;
    expect(failed.status).toBe(500);
    const [pk] = touched;
    expect(pk?.startsWith(`${org}#sess_`)).toBe(true);
    const collection = async () => (await records.query({ pk: pk!, limit: 1000 })).items.length;
    await eventually(async () => expect(await collection()).toBeGreaterThan(0));
    expect((await caller.get(`/sessions/${pk!.split("#")[1]}`)).status).toBe(404);
    expect((await read(caller, "/sessions")).sessions).toHaveLength(1);
    clock.advance(HOURS);
    await createSweep(service.runtime)();
    expect(await collection()).toBe(0);
    expect(await read(caller, `/sessions/${original.id}`)).toMatchObject({ message_count: 90 });
  });
});
