import { afterAll, beforeAll, expect, it } from "vitest";
import { deadLettersOf } from "../../shared/domain/integration/webhooks/dead-letters.ts";
import { logOf } from "../../shared/domain/integration/webhooks/delivery-log.ts";
import { BEGINNING } from "../../shared/domain/memory/conversation-steps.ts";
import { putPerson } from "../../shared/domain/memory/people.ts";
import { eraseUser } from "../../shared/domain/operations/erasure/erase-user.ts";
import { ERASE_USER_JOB } from "../../shared/domain/operations/erasure/job-kinds.ts";
import { type Erasure, erasureOf, PASSES } from "../../shared/domain/operations/erasure/pass.ts";
import { checkErased, TRACES } from "../../shared/domain/operations/erasure/traces.ts";
import { patternsQuery } from "../../shared/domain/patterns/records.ts";
import { REMEMBER_SESSION_JOB } from "../../shared/domain/sessions/job-kinds.ts";
import { toItem } from "../../shared/ports/item.ts";
import type { Write } from "../../shared/ports/record-store.ts";
import type { OrgRuntime } from "../../shared/runtime/context.ts";
import type { JobTurn } from "../../shared/runtime/jobs/handler.ts";
import { type Job, newJob } from "../../shared/runtime/jobs/job.ts";
import { insertJob } from "../../shared/runtime/jobs/records.ts";
import { createOrganization, type TestedService } from "../support/service.ts";
import { Caller, eventually, openTestedService } from "../support/target.ts";

const USER = "ada-lovelace";
/** Change feeds, queues and deletions follow within this time. */
const FOLLOWS_MS = 50_000;
const RUN_MS = 180_000;

let service: TestedService;
let runtime: OrgRuntime;
let caller: Caller;

beforeAll(async () => {
  service = await openTestedService();
  const { org, key } = await createOrganization(service);
  runtime = { ...service.runtime, org };
  caller = new Caller(service, key);
});
afterAll(() => service.close());

const nameUser = (kind: string, id: string, list: string): Write => {
  const [record, listed] = [
    { pk: `${runtime.org}#${id}`, sk: kind },
    { gsi1pk: list, gsi1sk: `2026-01-01#${id}` },
  ];
  return { put: toItem(record, kind, { id, memory: { user_id: USER } }, listed) };
};

const earlierQueries = (): Write => {
  return { put: toItem({ pk: `${runtime.org}#queries`, sk: "day#2026-01-01#3" }, "queries", {}) };
};

/** Stores one thing of each kind that `TRACES` names. */
async function plant(): Promise<void> {
  const { org } = runtime;
  const ask = async (path: string, body: object) => {
    const { status, body: answer } = await caller.post(path, body);
    expect(status, `${path}: ${JSON.stringify(answer)}`).toBeLessThan(300);
    return answer.data ?? answer;
  };
  await ask("/memories", { content: "I live in Porto.", user_id: USER });
  const { id: session_id } = await ask("/sessions", { agent_id: "guide", user_id: USER, config: { memory: "off" } });
  const config = { url: "https://docs.example.com", sync_interval_minutes: 0 };
  await ask("/connections/web_crawler", { user_id: USER, config });
  await ask("/recall", { query: "Where do I live?", user_id: USER });
  await ask("/v3/memories/add", { messages: [{ role: "user", content: "I work at Acme." }], user_id: USER });
  await ask("/sources/ingest", { type: "text", content: "Minutes.", title: "Minutes", user_id: USER });
  await ask("/exports", { user_id: USER, format: "json" });
  const work = { input: { session_id, position: 1 }, checkpoint: { position: 1, place: BEGINNING } };
  const job = newJob(runtime, REMEMBER_SESSION_JOB, { ...work, submitted_by: USER });
  await runtime.ports.records.write(
    insertJob(job),
    putPerson(org, { user: USER }, "Rui", "2026-01-01"),
    nameUser("delivery_log", "dl_1", logOf(org)),
    nameUser("dead_letter", "dlq_1", deadLettersOf(org)),
    { put: toItem({ ...patternsQuery(org, USER), sk: "pattern_1" }, "pattern", { user_id: USER }) },
    earlierQueries(),
  );
}

async function tracesOf(erasure: Erasure): Promise<string[]> {
  const found: string[] = [];
  for (const [name, check] of Object.entries(TRACES)) {
    if ((await check(runtime, erasure, undefined)).isLeft) found.push(name);
  }
  return found;
}

async function check(erasure: Erasure): Promise<void> {
  let after: string | undefined;
  do after = (await checkErased(runtime, erasure, after)).after;
  while (after !== undefined);
}

it("finds each kind of trace of a user before an erasure, and none after it", { timeout: RUN_MS }, async () => {
  await plant();
  const work = { input: { user_id: USER }, checkpoint: { pass: 0, erased: 0 }, submitted_by: "operator" };
  let job: Job<"erase_user"> = newJob(runtime, ERASE_USER_JOB, work);
  const erasure = erasureOf(job);
  await eventually(async () => expect(await tracesOf(erasure)).toEqual(Object.keys(TRACES)), FOLLOWS_MS);
  await expect(check(erasure)).rejects.toThrow("an erasure left memories of its user");
  await eventually(async () => {
    while (PASSES[job.checkpoint.pass]?.name !== "check") {
      const reached = await eraseUser.step(runtime, { job } as JobTurn<"erase_user">);
      if ("end" in reached || reached.checkpoint === undefined) throw new Error("the erasure ended before its check");
      job = { ...job, checkpoint: reached.checkpoint };
      // A pass that waits for other work is repeated.
      if (reached.delayMs !== undefined) throw new Error("the erasure waits");
    }
  }, FOLLOWS_MS);
  await eventually(async () => expect(await tracesOf(erasure)).toEqual([]), FOLLOWS_MS);
  await check(erasure);
  // Another process stores what it counted before the erasure.
  await runtime.ports.records.write(earlierQueries());
  expect(await tracesOf(erasure)).toEqual(["queries of earlier days"]);
  await check(erasure);
  expect(await tracesOf(erasure)).toEqual([]);
});

it("does not count what is stored after the request", async () => {
  const erasure = { user_id: "grace", asked_at: new Date(runtime.clock() - 60_000).toISOString() };
  await caller.post("/memories", { content: "I live in Porto.", user_id: "grace" });
  await caller.post("/v3/memories/add", { messages: [{ role: "user", content: "I sail." }], user_id: "grace" });
  const { asked_at } = erasure;
  const later = { ...erasure, asked_at: new Date(runtime.clock() + 1).toISOString() };
  const named = ["memories", "facts", "events"];
  expect(await tracesOf(later)).toEqual(expect.arrayContaining(named));
  expect((await tracesOf({ user_id: "grace", asked_at })).filter((name) => named.includes(name))).toEqual([]);
});
