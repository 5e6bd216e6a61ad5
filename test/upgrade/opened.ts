import { expect, onTestFinished } from "vitest";
import { findWebhook } from "../../shared/domain/integration/webhooks/records.ts";
import { secretsInForce } from "../../shared/domain/integration/webhooks/secrets.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { type FolderContent, WEBHOOK_SECRET } from "../fixtures/folders/content.ts";
import { FIXTURE_KEY, type OldFolder } from "../fixtures/folders/folders.ts";
import { type LocalService, openService } from "../support/service.ts";
import { Caller } from "../support/target.ts";

/** Starts this release on the data folder of another one; `print` receives log lines. */
export async function start(
  { dataDir, clock }: OldFolder,
  environment: Record<string, string> = {},
  print: (lines: string) => void = () => {},
): Promise<LocalService & { stop(): Promise<void> }> {
  const given = { DATA_DIR: dataDir, BOOTSTRAP_API_KEY: FIXTURE_KEY, ...environment };
  const service = await openService(given, clock, { print });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.host.close();
    return stopped;
  };
  onTestFinished(stop);
  return { ...service, stop };
}

export const callerOf = (service: LocalService, key = FIXTURE_KEY) => new Caller(service, key);

/** Returns the data of an answer, which must be a success. */
export async function done(answer: ReturnType<Caller["get"]>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body?.data ?? body;
}

const idsOf = (results: { id: string }[]) => results.map(({ id }) => id);

/** Checks that everything the earlier release stored exists and can be found. */
export async function expectContent(service: LocalService, content: FolderContent): Promise<void> {
  const caller = callerOf(service);
  for (const { id, content: text, words } of content.memories) {
    expect(await done(caller.get(`/memories/${id}`))).toMatchObject({ content: text });
    const found = await done(caller.get(`/search?q=${encodeURIComponent(words)}`));
    expect(idsOf(found.results)).toContain(id);
    const filters = { metadata: { project: "upgrade" }, category: "notes" };
    expect(idsOf((await done(caller.post("/search", { query: words, filters }))).results)).toContain(id);
  }
  await expectEventTimes(caller, content);
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
  for (const { id, url } of content.webhooks) {
    expect(await done(caller.get(`/webhooks/${id}`))).toMatchObject({ url });
    const webhook = await findWebhook(service.runtime.ports.records, OPERATOR_ORG, id);
    expect(webhook && (await secretsInForce(service.runtime, webhook))).toEqual([WEBHOOK_SECRET]);
  }
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

/** Data of earlier releases have no event time of their own: they occurred when they were stored. */
async function expectEventTimes(caller: Caller, { memories, sessions }: FolderContent): Promise<void> {
  for (const { id, words } of memories) {
    const { created_at, occurred_at } = await done(caller.get(`/memories/${id}`));
    expect(occurred_at).toBe(created_at);
    const then = `occurred_after=${created_at}&occurred_before=${created_at}`;
    expect(idsOf((await done(caller.get(`/memories?${then}`))).memories)).toContain(id);
    const query = `q=${encodeURIComponent(words)}&threshold=0`;
    expect(idsOf((await done(caller.get(`/search?${query}&${then}`))).results)).toContain(id);
    const later = new Date(Date.parse(created_at) + 1).toISOString();
    expect(idsOf((await done(caller.get(`/search?${query}&occurred_after=${later}`))).results)).not.toContain(id);
    const filters = { AND: [{ user_id: "ada" }, { id }, { occurred_at: { lte: created_at, gte: created_at } }] };
    const { results } = await done(caller.post("/v3/memories", { filters }));
    expect(idsOf(results)).toEqual([id]);
  }
  const listed = await done(caller.get("/memories?sort=occurred_at%20asc&limit=100"));
  const times = listed.memories.map((memory: { occurred_at: string }) => memory.occurred_at);
  expect(times).toEqual(times.toSorted());
  for (const { id } of sessions) {
    const kept = await done(caller.get(`/sessions/${id}/messages?occurred_after=2000-01-01`));
    for (const { occurred_at, created_at } of kept.messages) expect(occurred_at).toBe(created_at);
  }
}
