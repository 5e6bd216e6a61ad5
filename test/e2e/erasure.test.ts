import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BEGINNING } from "../../shared/domain/memory/conversation-steps.ts";
import { beginErasure } from "../../shared/domain/operations/erasure/begin.ts";
import { dropPending } from "../../shared/domain/operations/erasure/pending.ts";
import { REMEMBER_SESSION_JOB } from "../../shared/domain/sessions/job-kinds.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { newJob } from "../../shared/runtime/jobs/job.ts";
import { dropJob, findJob, insertJob } from "../../shared/runtime/jobs/records.ts";
import { expectEventually } from "../contract/eventually.ts";
import { findLeaks, placesIn } from "../support/canary.ts";
import { createOrganization, type LocalService, openService, type RequestOptions } from "../support/service.ts";

const USER = "ada-lovelace";
const RUN_MS = 120_000;
/** As long as the job waits for the change feed, which is read to its end meanwhile. */
const A_WAIT_MS = 15_000;
/** Where the part of a word begins that no other word shares. */
const END = 2;
/** Memories with a word of their own: deleted terms may stay in any segment of the keyword index. */
const FURTHER = 40;

let service: LocalService;
let key: string;
let org: string;
let isOpen = true;
/** How far the service's clock is ahead. */
let ahead = 0;
const words = new Map<string, string>();

beforeAll(async () => {
  service = await openService({ ALLOW_PRIVATE_TARGETS: "true" }, () => Date.now() + ahead);
  ({ org, key } = await createOrganization(service));
});
afterAll(() => (isOpen ? service.close() : rmSync(service.dataDir, { recursive: true, force: true })));

/** Returns a unique word for a place in which data is stored. */
function word(where: string): string {
  const letters = where.replace(/[^a-z]/g, "");
  words.set(where, `Zq${letters}xv`);
  return `Zq${letters}xv`;
}

async function ask(method: string, url: string, body?: object, options: RequestOptions = {}) {
  const { status, body: answer } = await service.request(method, url, { key, body, ...options });
  expect(status, `${method} ${url}: ${JSON.stringify(answer)}`).toBeLessThan(300);
  return answer.data ?? answer;
}

function expectWords(isReadable: boolean): void {
  const leaks = findLeaks(words, placesIn(service.dataDir));
  const found = [...new Set(leaks.map(({ secret }) => secret))].sort();
  if (isReadable) expect(found).toEqual([...words.keys()].sort());
  else expect(leaks).toEqual([]);
}

/** Index terms are in lower case, and share their beginnings: their ends must be gone too. */
function expectNoTerms(): void {
  const places = placesIn(service.dataDir).map(({ name, bytes }) => ({
    name,
    text: bytes.toString("latin1").toLowerCase(),
  }));
  const found = [...words.values()].flatMap((value) => {
    const end = value.toLowerCase().slice(END);
    return places.filter(({ text }) => text.includes(end)).map(({ name }) => `${value} in ${name}`);
  });
  expect(found).toEqual([]);
}

async function expectNothingQueued(): Promise<void> {
  await expectEventually(async () => (await service.runtime.ports.search.vectorState([org])).pending === 0, true);
}

it("rejects an agent's API key", async () => {
  const principal = { kind: "api_key", id: "ak_1", org, operator: false, plan: "free", permissions: [] } as const;
  const ctx: Context = { ...service.runtime, org, viewer: "agent_1", principal };
  await expect(beginErasure(ctx, USER)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

it("starts with the deletion of a user if requested", async () => {
  const account = { email: "grace@example.com", name: "Grace", role: "viewer", password: "correct horse battery 9" };
  const { user } = await ask("POST", "/admin/users", account);
  const deletion = { reason: "asked", erase: true };
  const { erasure_job_id } = await ask("DELETE", `/admin/users/${user.id}`, deletion);
  expect(await findJob(service.runtime.ports.records, org, erasure_job_id)).toMatchObject({
    input: { user_id: user.id },
  });
  const both = { ...deletion, transfer_to: "usr_1" };
  expect((await service.request("DELETE", `/admin/users/${user.id}`, { key, body: both })).status).toBe(400);
});

it("drops jobs on the user's texts once no worker holds their lease, and keeps the jobs of other users", async () => {
  const { runtime } = service;
  const { records } = runtime.ports;
  const jobOn = async (user_id: string, more: object = {}) => {
    const session = { agent_id: "guide", user_id, config: { memory: "off" } };
    const { id: session_id } = await ask("POST", "/sessions", session);
    const work = { input: { session_id, position: 1 }, checkpoint: { position: 1, place: BEGINNING } };
    const job = { ...newJob({ ...runtime, org }, REMEMBER_SESSION_JOB, { ...work, submitted_by: "grace" }), ...more };
    await records.write(insertJob(job));
    return job;
  };
  const waiting = await jobOn("grace");
  const inHand = await jobOn("grace", { state: "running", lease_until: runtime.clock() + 60_000 });
  const ofOthers = await jobOn("heidi");
  const erasure = { user_id: "grace", asked_at: new Date(runtime.clock()).toISOString() };
  const reached = await dropPending({ ...runtime, org }, erasure);
  expect(reached).toEqual({ erased: 1, after: "", delayMs: expect.any(Number) });
  expect(await findJob(records, org, waiting.id)).toBeUndefined();
  expect(await findJob(records, org, inHand.id)).toBeDefined();
  await records.write(dropJob(inHand));
  expect(await dropPending({ ...runtime, org }, erasure)).toEqual({ erased: 0 });
  expect(await findJob(records, org, ofOthers.id)).toBeDefined();
});

it(
  "leaves no text of a user in any table, index, queue or file",
  async () => {
    const refused = {
      url: "http://127.0.0.1:59999/hook",
      events: ["memory.created", "memory.deleted", "session.message.created"],
    };
    await ask("POST", "/webhooks", { name: "w", ...refused });
    const retried = { headers: { "idempotency-key": "erasure-1" } };
    const said = `I moved to ${word("memory")} with ${word("entity")} Lindqvist.`;
    const memory = await ask("POST", "/memories", { content: said, user_id: USER }, retried);
    await ask("PUT", `/memories/${memory.id}`, { content: `I moved to ${word("version")}.` });
    await ask("POST", `/memories/${memory.id}/feedback`, { rating: 1, comment: `Not ${word("feedback")}.` });
    const long = `I keep a diary about ${word("long")}. ${"It is long. ".repeat(40_000)}`.slice(0, 90_000);
    await ask("POST", "/memories", { content: long, user_id: USER, options: { extract_facts: false } });
    const messages = [{ role: "user", content: `I work at ${word("add")}.` }];
    await ask("POST", "/v3/memories/add", { messages, user_id: USER });
    for (const [memory_setting, where] of [
      ["as_they_come", "session"],
      ["off", "archived"],
    ] as const) {
      const given = {
        agent_id: "guide",
        user_id: USER,
        title: word(`${where}title`),
        config: { memory: memory_setting },
      };
      const { id } = await ask("POST", "/sessions", given);
      await ask("POST", `/sessions/${id}/messages`, { role: "user", content: `My boat is called ${word(where)}.` });
      if (where === "archived") await ask("POST", `/sessions/${id}/archive`, {});
    }
    const correctable = await ask("POST", "/memories", { content: "I live in Porto.", user_id: USER });
    const { facts } = await ask("GET", `/facts?user_id=${USER}&attribute=lives_in&limit=50`);
    const fact = facts.find(({ memory_id }: { memory_id: string }) => memory_id === correctable.id);
    await ask("PUT", `/facts/${fact.id}`, { value: word("decision") });
    const recalled = await ask("POST", "/recall", { query: "Where do I live?", user_id: USER });
    expect(recalled.recall_id).toBeDefined();
    const source = {
      type: "text",
      content: `Minutes about ${word("source")}.`,
      title: word("sourcetitle"),
      user_id: USER,
    };
    await ask("POST", "/sources/ingest", source);
    const crawler = { user_id: USER, config: { url: "https://docs.example.com", sync_interval_minutes: 0 } };
    const connection = await ask("POST", "/connections/web_crawler", crawler);
    const document = { title: word("documenttitle"), content: `Notes on ${word("document")}.`, external_id: "doc" };
    await ask("POST", `/connections/${connection.id}/sync`, { documents: [document] });
    const upload = { filename: `${word("upload")}.txt`, user_id: USER };
    await ask("POST", "/sources/upload-url", upload);
    const agent = await ask("POST", "/agents", { name: "Guide", model: "m" });
    const ofAgent = { permissions: ["memory:read", "memory:write"], agent_id: agent.id };
    const { key: agentKey } = await ask("POST", "/api-keys", { name: "its", ...ofAgent });
    const met = { content: `I met ${word("person")} Lindqvist in May.`, user_id: USER };
    await ask("POST", "/memories", met, { key: agentKey });
    const rows = [{ content: `I sail to ${word("imported")}.`, user_id: USER }];
    await ask("POST", "/imports", { memories: rows });
    await ask("POST", "/exports", { user_id: USER, format: "json" });
    await ask("POST", "/exports", { format: "json" });
    for (let index = 0; index < FURTHER; index++) {
      const name = `further${String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26))}`;
      await ask("POST", "/memories", { content: `I know a place called ${word(name)}.`, user_id: USER });
    }
    await ask("GET", `/search?q=${word("query")}&user_id=${USER}`);
    await service.runtime.rollups.flush();
    words.set("query", word("query").toLowerCase());
    await ask("POST", "/memories", { content: "I moved to Lisbon.", user_id: "bob" });
    await expectNothingQueued();
    expectWords(true);

    const { job_id } = await ask("DELETE", `/profiles/${USER}?erase=true`);
    expect(await ask("DELETE", `/profiles/${USER}?erase=true`)).toMatchObject({ job_id });
    const shown = async () => (await ask("GET", `/admin/jobs?job_id=${job_id}`)).jobs[0];
    expect(await shown()).toMatchObject({ type: "erase_user", user_id: USER });
    while (!["completed", "failed"].includes((await shown()).status)) {
      ahead += A_WAIT_MS;
      await service.host.drain();
    }
    expect(await shown()).toMatchObject({ status: "completed", error: null, erased: expect.any(Number) });
    await expectNothingQueued();
    expectWords(false);
    expectNoTerms();
    const { memories } = await ask("GET", "/memories?user_id=bob");
    expect(memories).toHaveLength(1);
    await service.host.close();
    isOpen = false;
    expectWords(false);
    expectNoTerms();
  },
  RUN_MS,
);
