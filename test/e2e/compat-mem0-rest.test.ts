import type { MemoryClient } from "mem0ai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { asPython, type Mem0, openMem0 } from "../support/mem0.ts";
import { type Caller, eventually, IS_DEPLOYED, openTarget, type Target } from "../support/target.ts";

let target: Target;
let mem0: Mem0;

beforeAll(async () => {
  target = await openTarget();
  mem0 = await openMem0(target);
});

afterAll(async () => {
  await mem0.close();
  await target.close();
});

/** Creates an organization and returns its caller and mem0's client with the same key. */
async function newClient(): Promise<{ caller: Caller; client: MemoryClient }> {
  const caller = await target.organization();
  return { caller, client: mem0.clientOf(caller) };
}

async function remember(caller: Caller, content: string, user_id?: string): Promise<string> {
  const { body } = await caller.post("/memories", { content, user_id });
  return body.data.id;
}

it("ping returns the organization of the client's key", async () => {
  const { client, caller } = await newClient();
  await client.ping();
  const { status, body } = await asPython(caller, "GET", "/v1/ping/");
  expect(status).toBe(200);
  expect(body).toEqual({ status: "ok", org_id: expect.stringMatching(/^org_/), project_id: "default" });
  const refused = await target.service.request("GET", "/v1/ping/", {
    key: null,
    headers: { authorization: "Token x" },
  });
  expect(refused.status).toBe(401);
  expect(refused.body.detail).toMatch(/key/i);
});

it("lists users with their memory counts, and deletes users together with their memories", async () => {
  const { client, caller } = await newClient();
  await remember(caller, "Ada prefers tea over coffee.", "ada");
  await remember(caller, "Ada plays chess on Sundays.", "ada");
  const kept = await remember(caller, "Grace sails in the summer.", "grace");
  await eventually(async () => {
    const { count, results } = await client.users();
    expect(count).toBe(2);
    expect(results.map(({ name, type, totalMemories }) => [type, name, totalMemories])).toEqual([
      ["user", "ada", 2],
      ["user", "grace", 1],
    ]);
  });
  const page = await client.users({ page: 2, pageSize: 1 });
  expect(page.results.map(({ name }) => name)).toEqual(["grace"]);
  expect(page.previous).toMatch(/^https?:.+\/v1\/entities\/\?page=1&page_size=1$/);
  expect(page).toMatchObject({ totalUsers: 2, totalAgents: 0, totalApps: 0, totalRuns: 0 });
  expect(await client.deleteUsers({ userId: "ada" })).toEqual({ message: "Entity deleted successfully." });
  expect((await caller.get(`/memories?user_id=ada`)).body.data.memories).toEqual([]);
  expect((await caller.get(`/memories/${kept}`)).status).toBe(200);
  await expect(client.deleteUsers({ userId: "ada" })).rejects.toThrow(/No entity has the id 'ada'/);
  expect(await client.deleteUsers({ userId: "grace" })).toEqual({ message: "Entity deleted successfully." });
  for (const path of ["planet/earth", "user/*"]) {
    expect((await asPython(caller, "DELETE", `/v2/entities/${path}/`)).status).toBe(400);
  }
  await eventually(async () => expect((await client.users()).count).toBe(0));
});

// API Gateway's event contains the decoded path, so the name becomes two segments.
it.skipIf(IS_DEPLOYED)("deletes a user with a slash in the name (API Gateway decodes %2F in paths)", async () => {
  const { client, caller } = await newClient();
  await remember(caller, "Grace sails in the summer.", "grace/hopper");
  await eventually(async () => expect((await client.users()).results).toMatchObject([{ name: "grace/hopper" }]));
  expect(await client.deleteUsers({ userId: "grace/hopper" })).toEqual({ message: "Entity deleted successfully." });
  await eventually(async () => expect((await client.users()).count).toBe(0));
});

it("updates and deletes several memories in one request, with individual failures", async () => {
  const { client, caller } = await newClient();
  const first = await remember(caller, "Ada prefers tea over coffee.");
  const second = await remember(caller, "Grace sails in the summer.");
  const changed = await client.batchUpdate([
    { memoryId: first, text: "Ada prefers coffee now." },
    { memoryId: second, text: "Grace sails in the winter." },
  ]);
  expect(changed).toMatchObject({ message: "Successfully updated 2 memories", failed: [] });
  expect((await caller.get(`/memories/${first}`)).body.data.content).toBe("Ada prefers coffee now.");
  const some = await asPython(caller, "PUT", "/v1/batch/", {
    memories: [
      { memory_id: first, metadata: { seen: true } },
      { memory_id: second },
      { memory_id: first, text: "Twice." },
    ],
  });
  expect(some.body.message).toBe("Successfully updated 1 memory, failed 2");
  expect(
    some.body.failed.map(({ index, memory_id }: { index: number; memory_id: string }) => [index, memory_id]),
  ).toEqual([
    [1, second],
    [2, first],
  ]);
  expect((await caller.get(`/memories/${first}`)).body.data).toMatchObject({
    content: "Ada prefers coffee now.",
    metadata: { seen: true },
  });
  expect(await client.batchDelete([first, second])).toMatchObject({ message: "Successfully deleted 2 memories" });
  expect((await caller.get(`/memories/${first}`)).status).toBe(404);
  const gone = await asPython(caller, "DELETE", "/v1/batch/", { memories: [{ memory_id: first }] });
  expect(gone.status).toBe(404);
  expect(gone.body).toMatchObject({ error: { code: "MEMORY_NOT_FOUND" }, detail: expect.stringContaining(first) });
  const empty = await asPython(caller, "DELETE", "/v1/batch/", { memories: [] });
  expect(empty.status).toBe(400);
});

it("stores feedback, which ranking uses", async () => {
  const { client, caller } = await newClient();
  const id = await remember(caller, "Ada prefers tea over coffee.");
  const { Feedback } = await import("mem0ai");
  const given = await client.feedback({
    memoryId: id,
    feedback: Feedback.VERY_NEGATIVE,
    feedbackReason: "It is coffee.",
  });
  expect(given).toMatchObject({
    message: "Feedback added successfully!",
    id: expect.stringMatching(/^fb_/),
    feedback: "VERY_NEGATIVE",
    feedbackReason: "It is coffee.",
  });
  const exported = await caller.post("/exports", {});
  expect(exported.body.memories[0].ratings).toEqual({ count: 1, sum: 1 });
  const nothing = await asPython(caller, "POST", "/v1/feedback/", { memory_id: id, feedback: null });
  expect(nothing.status).toBe(400);
  const odd = await asPython(caller, "POST", "/v1/feedback/", { memory_id: id, feedback: "MEH" });
  expect(odd.status).toBe(400);
  await expect(
    client.feedback({ memoryId: "mem_01ARZ3NDEKTSV4RRFFQ69G5FAV", feedback: Feedback.POSITIVE }),
  ).rejects.toMatchObject({ errorCode: "HTTP_404" });
});

it("creates exports by filters, and finds them by id or by the same filters", async () => {
  const { client, caller } = await newClient();
  await remember(caller, "Ada prefers tea over coffee.", "ada");
  await remember(caller, "Grace sails in the summer.", "grace");
  const filters = { AND: [{ user_id: "ada" }] };
  const exported = async () => {
    const asked = (await client.createMemoryExport({ schema: { type: "object" }, filters })) as { id: string };
    const found = await eventually(async () => {
      const answer = (await client.getMemoryExport({ memoryExportId: asked.id })) as unknown as { status: string };
      expect(answer.status).toBe("SUCCEEDED");
      return answer;
    });
    return { asked, found };
  };
  const { asked, found } = await eventually(async () => {
    const both = await exported();
    expect(both.found).toMatchObject({ count: 1 });
    return both;
  });
  expect(found).toMatchObject({ id: asked.id, memories: [{ content: "Ada prefers tea over coffee.", userId: "ada" }] });
  expect(await client.getMemoryExport({ filters })).toMatchObject({ id: asked.id });
  await expect(client.getMemoryExport({ filters: { user_id: "nobody" } })).rejects.toMatchObject({
    errorCode: "HTTP_404",
  });
  const reworded = { memory_export_id: null, user_id: null, filters: { userId: "ada" } };
  expect((await asPython(caller, "POST", "/v1/exports/get/", reworded)).body.id).toBe(asked.id);
  const stranger = await target.organization();
  for (const body of [reworded, { memory_export_id: asked.id }]) {
    expect((await asPython(stranger, "POST", "/v1/exports/get/", body)).status).toBe(404);
  }
  // A later export with the same filters replaces the result only for its own organization.
  const { id: theirs } = (await asPython(stranger, "POST", "/v1/exports/", { schema: {}, user_id: "ada" })).body;
  await eventually(async () => {
    const { body } = await asPython(stranger, "POST", "/v1/exports/get/", reworded);
    expect(body.id).toBe(theirs);
  });
  expect((await asPython(caller, "POST", "/v1/exports/get/", reworded)).body.id).toBe(asked.id);
  await expect(client.createMemoryExport({ schema: {}, filters: { colour: "red" } })).rejects.toThrow(/colour/);
  for (const body of [{ filters: { colour: "red" } }, { memory_export_id: "1" }, {}]) {
    expect((await asPython(caller, "POST", "/v1/exports/get/", body)).status).toBe(400);
  }
  const contradiction = { schema: {}, user_id: "grace", filters: { user_id: "ada" } };
  const { id } = (await asPython(caller, "POST", "/v1/exports/", contradiction)).body;
  await eventually(async () => {
    const { body } = await asPython(caller, "POST", "/v1/exports/get/", { memory_export_id: id });
    expect(body).toMatchObject({ status: "SUCCEEDED", count: 0, memories: [] });
  });
  const python = await asPython(caller, "POST", "/v1/exports/", { schema: "{}", user_id: "grace" });
  expect(python.body).toMatchObject({ id: expect.stringMatching(/^evt_/), message: expect.any(String) });
});

it("stores long messages unchanged, and events include the text of memories that still exist", async () => {
  const { caller } = await newClient();
  const contents = ["one", "two", "three", "four", "five"].map((word) => `${word} ${"sky ".repeat(22_500)}`);
  const messages = contents.map((content) => ({ role: "user", content }));
  const occurred_at = "2020-02-29T23:30:00.000-05:00";
  const added = await caller.post("/v3/memories/add", { messages, infer: false, user_id: "ann", occurred_at });
  expect([added.status, added.body.status]).toEqual([200, "SUCCEEDED"]);
  const ids: string[] = added.body.memory_ids;
  const told = contents.map((memory, position) => {
    return { id: ids[position], event: "ADD", memory, occurred_at, user_id: "ann", categories: [] };
  });
  expect(added.body.results).toEqual(told.map((result) => ({ ...result, data: { memory: result.memory } })));
  await caller.delete(`/memories/${ids[0]}`);
  const afterwards = [{ id: ids[0], event: "ADD" }, ...told.slice(1)];
  for (const path of [`/v1/event/${added.body.event_id}`, `/events/${added.body.event_id}`]) {
    expect((await caller.get(path)).body.results).toEqual(afterwards);
  }
  await eventually(async () => expect((await caller.get("/v1/events")).body.results[0]?.results).toEqual(afterwards));
});

it("returns an event with all its memories, and lists it with the first hundred", async () => {
  const { caller } = await newClient();
  const messages = Array.from({ length: 150 }, (_, position) => ({
    role: "user",
    content: `Berth ${position} is free.`,
  }));
  const { body } = await caller.post("/v3/memories/add", { messages, infer: false });
  const event = (await caller.get(`/v1/event/${body.event_id}`)).body;
  expect(event).toMatchObject({ status: "SUCCEEDED", resource_id: null });
  const results = body.results.map(({ data: _same, ...result }: { data: unknown }) => result);
  expect(event.results).toEqual(results);
  expect(event.results.map(({ memory }: { memory: string }) => memory)).toEqual(messages.map(({ content }) => content));
  expect((await caller.get(`/events/${body.event_id}`)).body.results).toEqual(results);
  await eventually(async () => {
    const [listed] = (await caller.get("/v1/events")).body.results;
    expect(listed?.results).toEqual(results.slice(0, 100));
  });
});

it("returns events in the format of mem0", async () => {
  const { caller } = await newClient();
  const begun = await caller.post("/imports", { memories: [{ content: "Ada prefers tea." }, { content: 5 }] });
  const path = `/v1/event/${begun.body.event_id}/`;
  const event = await eventually(async () => {
    const { body } = await asPython(caller, "GET", path);
    expect(body.status).toBe("SUCCEEDED");
    return body;
  });
  expect(event).toMatchObject({
    event_type: "IMPORT",
    progress: { total: 2, done: 1, failed: 1 },
    errors: [{ index: 1 }],
  });
  const listed = await asPython(caller, "GET", "/v1/events/?event_type=IMPORT&status=SUCCEEDED");
  expect(listed.body).toMatchObject({ count: 1, next: null, previous: null, results: [{ id: event.id }] });
  expect((await asPython(caller, "GET", "/v1/events/?status=DONE")).status).toBe(400);
  await caller.post("/imports", { memories: [{ content: "Grace sails." }] });
  const { next } = (await asPython(caller, "GET", "/v1/events/?event_type=IMPORT&page_size=1")).body;
  const { origin, pathname, search } = new URL(next);
  expect([origin, pathname + search]).toEqual([
    expect.stringMatching(/^https?:/),
    "/v1/events/?page=2&page_size=1&event_type=IMPORT",
  ]);
  expect((await asPython(caller, "GET", pathname + search)).body.results).toMatchObject([{ id: event.id }]);
  expect((await asPython(caller, "GET", "/v1/event/892db2ae-06d9/")).status).toBe(400);
  expect((await asPython(caller, "GET", "/v1/event/evt_01ARZ3NDEKTSV4RRFFQ69G5FAV/")).status).toBe(404);
  const other = await target.organization();
  expect((await asPython(other, "GET", path)).status).toBe(404);
});

it("stores project settings", async () => {
  const { client, caller } = await newClient();
  const categories = [{ food: "What somebody eats and drinks" }];
  expect(await client.updateProject({ customInstructions: "Remember meals.", customCategories: categories })).toEqual({
    message: "Updated project settings",
  });
  await client.updateProject({ multilingual: true, customInstructions: undefined });
  expect(await client.getProject({ fields: ["customInstructions", "customCategories"] })).toMatchObject({
    customInstructions: "Remember meals.",
    customCategories: categories,
    multilingual: true,
  });
  const org = (await asPython(caller, "GET", "/v1/ping/")).body.org_id;
  const path = `/api/v1/orgs/organizations/${org}/projects/default/`;
  expect((await asPython(caller, "PATCH", path, { custom_instructions: null })).status).toBe(200);
  expect((await asPython(caller, "GET", path)).body.custom_instructions).toBeUndefined();
  const asked = (await asPython(caller, "GET", `${path}?fields=custom_instructions&fields=decay`)).body;
  expect(asked).toMatchObject({ custom_instructions: null, decay: null, multilingual: true });
  expect(await client.getProject({ fields: ["enableGraph"] })).toMatchObject({ enableGraph: null });
  expect((await asPython(caller, "GET", `${path}?fields=custom_instruction`)).status).toBe(400);
  expect((await asPython(caller, "PATCH", path, {})).status).toBe(400);
  const other = await target.organization();
  expect((await asPython(other, "GET", path)).status).toBe(404);
  const { org_id } = (await asPython(other, "GET", "/v1/ping/")).body;
  const own = await asPython(other, "GET", `/api/v1/orgs/organizations/${org_id}/projects/default/`);
  expect([own.status, own.body.custom_categories, own.body.multilingual]).toEqual([200, undefined, undefined]);
});

it("creates, updates and deletes webhooks", async () => {
  const { client, caller } = await newClient();
  const { WebhookEvent } = await import("mem0ai");
  const made = await client.createWebhook({
    name: "told",
    url: "https://example.com/hook",
    eventTypes: [WebhookEvent.MEMORY_ADDED, WebhookEvent.MEMORY_DELETED],
  });
  expect(made).toMatchObject({ isActive: true, project: "default", eventTypes: ["memory_add", "memory_delete"] });
  const id = made.webhookId as string;
  expect((await caller.get(`/webhooks/${id}`)).body.data.events).toEqual(["memory.created", "memory.deleted"]);
  const changed = await client.updateWebhook({
    webhookId: id,
    name: "renamed",
    eventTypes: [WebhookEvent.MEMORY_UPDATED],
  });
  expect(changed.message).toMatch(/updated/);
  expect(await client.getWebhooks()).toMatchObject([{ webhookId: id, name: "renamed", eventTypes: ["memory_update"] }]);
  await asPython(caller, "PUT", `/api/v1/webhooks/${id}/`, { is_active: false });
  expect((await caller.get(`/webhooks/${id}`)).body.data.status).toBe("inactive");
  await expect(client.updateWebhook({ webhookId: id, eventTypes: [WebhookEvent.MEMORY_CATEGORIZED] })).rejects.toThrow(
    /memory_add tells of both/,
  );
  const { client: other } = await newClient();
  await expect(other.deleteWebhook({ webhookId: id })).rejects.toMatchObject({ errorCode: "HTTP_404" });
  expect((await client.deleteWebhook({ webhookId: id })).message).toMatch(/deleted/);
  expect(await client.getWebhooks()).toEqual([]);
});
