import { describe, expect, it, onTestFinished } from "vitest";
import type { FolderContent } from "../fixtures/folders/content.ts";
import { FIXTURE_KEY, type OldFolder, openFolder, releases } from "../fixtures/folders/folders.ts";
import { type LocalService, openService } from "../support/service.ts";
import { Caller, eventually } from "../support/target.ts";

const SLOW = 120_000;

async function start({ dataDir, clock }: OldFolder): Promise<LocalService> {
  const service = await openService({ DATA_DIR: dataDir, BOOTSTRAP_API_KEY: FIXTURE_KEY }, clock);
  onTestFinished(() => service.close());
  return service;
}

const callerOf = (service: LocalService, key = FIXTURE_KEY) => new Caller(service, key);

/** The data of an answer that must succeed. */
async function done(answer: ReturnType<Caller["get"]>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body?.data ?? body;
}

const idsOf = (results: { id: string }[]) => results.map(({ id }) => id);

async function expectAll(service: LocalService, content: FolderContent): Promise<void> {
  const caller = callerOf(service);
  for (const { id, content: text, words } of content.memories) {
    expect(await done(caller.get(`/memories/${id}`))).toMatchObject({ content: text });
    const found = await done(caller.get(`/search?q=${encodeURIComponent(words)}`));
    expect(idsOf(found.results)).toContain(id);
    const filters = { metadata: { project: "upgrade" }, category: "notes" };
    expect(idsOf((await done(caller.post("/search", { query: words, filters }))).results)).toContain(id);
  }
  expect((await done(caller.get(`/memories/${content.memories[0]?.id}/versions`))).versions).toHaveLength(2);
  for (const { id, name } of content.entities) {
    expect(await done(caller.get(`/entities/${id}`))).toMatchObject({ name });
  }
  for (const { id, messages } of content.sessions) {
    const kept = await done(caller.get(`/sessions/${id}/messages`));
    expect(kept.messages.map((message: { content: string }) => message.content)).toEqual(messages);
    await done(caller.get(`/sessions/${id}/context`));
  }
  for (const { id } of content.sources)
    expect(await done(caller.get(`/sources/${id}`))).toMatchObject({ status: "active" });
  for (const { id, name } of content.skills) expect(await done(caller.get(`/skills/${id}`))).toMatchObject({ name });
  for (const { id, name, key } of content.agents) {
    expect(await done(caller.get(`/agents/${id}`))).toMatchObject({ name });
    await done(callerOf(service, key).get("/memories"));
  }
  for (const key of content.keys) await done(callerOf(service, key).get("/memories"));
  for (const { id, url } of content.webhooks) expect(await done(caller.get(`/webhooks/${id}`))).toMatchObject({ url });
  const connections = await done(caller.get("/connections"));
  expect(idsOf(connections.connections)).toEqual(content.connections.map(({ id }) => id));
  for (const { id } of content.transfers) {
    expect(await done(caller.get(`/events/${id}`))).toMatchObject({ status: "completed" });
  }
  const { backups } = await done(caller.get("/admin/backups"));
  expect(idsOf(backups)).toEqual(content.backups.map(({ id }) => id));
  await expectPeople(service, content);
}

async function expectPeople(service: LocalService, { people }: FolderContent): Promise<void> {
  for (const { email, password, isVerified } of people) {
    const { status, body } = await service.request("POST", "/auth/login", { key: null, body: { email, password } });
    expect(status, JSON.stringify(body)).toBe(200);
    const headers = { authorization: `Bearer ${body.data.access_token}` };
    const me = await service.request("GET", "/auth/me", { key: null, headers });
    expect(me.body.data).toMatchObject({ email, email_verified: isVerified });
  }
}

/** What was asked for before the release was killed comes about now. */
async function expectPending(service: LocalService, { pending }: FolderContent): Promise<void> {
  await service.host.drain();
  for (const text of pending) {
    await eventually(async () => {
      const { results } = await done(callerOf(service).get(`/search?q=${encodeURIComponent(text)}&limit=50`));
      expect(results.map((hit: { content: string }) => hit.content)).toContain(text);
    });
  }
}

/** Every kind of thing is changed and made anew. */
async function writeAll(service: LocalService, content: FolderContent): Promise<void> {
  const caller = callerOf(service);
  for (const { id } of content.memories) {
    await done(caller.put(`/memories/${id}`, { content: `Changed: ${id}`, metadata: { project: "after" } }));
    await done(caller.post(`/memories/${id}/feedback`, { rating: 4 }));
  }
  const made = await done(caller.post("/memories", { content: "Made after the upgrade, about walnuts." }));
  await done(caller.delete(`/memories/${made.id}`));
  for (const { id } of content.sessions) {
    await done(caller.post(`/sessions/${id}/messages`, { role: "user", content: "More tea, please." }));
  }
  await done(caller.post("/sessions", { agent_id: "guide", user_id: "ada", title: "After" }));
  await done(caller.post("/sources/ingest", { content: "A source after the upgrade.", title: "After" }));
  for (const { id } of content.sources) await done(caller.delete(`/sources/${id}`));
  for (const { id } of content.skills) await done(caller.put(`/skills/${id}`, { action: "boil much water" }));
  for (const { id } of content.agents) await done(caller.put(`/agents/${id}`, { description: "after the upgrade" }));
  for (const { id } of content.webhooks) await done(caller.put(`/webhooks/${id}`, { description: "after" }));
  for (const { id } of content.connections) await done(caller.delete(`/connections/${id}`));
  await done(caller.post("/api-keys", { name: "after", permissions: ["memory:read"] }));
  await done(caller.post("/agents", { name: "After", model: "gpt-4o-mini" }));
  await done(caller.post("/imports", { memories: [{ content: "Imported after the upgrade." }] }));
  await done(caller.post("/exports", {}));
  await done(caller.post("/admin/backup", { components: ["memories", "users"] }));
  await done(caller.post("/admin/sync", { components: ["memories", "search_index"] }));
  for (const { id } of content.memories.slice(1)) await done(caller.delete(`/memories/${id}`));
  await service.host.drain();
}

describe.each(releases())("the data folder of release %s", (release) => {
  it(
    "has everything after the upgrade, works off what was pending and takes every write",
    async () => {
      const folder = openFolder(release);
      const service = await start(folder);
      expect((await callerOf(service).get("/ready")).status).toBe(200);
      await expectAll(service, folder.content);
      await expectPending(service, folder.content);
      await writeAll(service, folder.content);
    },
    SLOW,
  );
});
