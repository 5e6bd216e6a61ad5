import { afterAll, expect, it } from "vitest";
import { replaced } from "../../../test/support/replaced.ts";
import { openService } from "../../../test/support/service.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { OPERATOR_ORG } from "../../runtime/access/operator.ts";
import { ended } from "../../runtime/jobs/job.ts";
import { listJobs, replaceJob } from "../../runtime/jobs/records.ts";
import { listOrganizations } from "../identity/records.ts";
import { readFactsIfDue } from "./begin-fact-backfill.ts";
import { factsBackfill } from "./fact-backfill.ts";
import { putFact, referenceTo } from "./facts/records.ts";
import { READ_FACTS_JOB } from "./job-kinds.ts";
import { memoryKey } from "./memory-keys.ts";

let ahead = 0;

const service = await openService();
const queue = replaced(service.runtime.ports.queue, { send: async () => undefined });
const clock = () => service.runtime.clock() + ahead;
const runtime = { ...service.runtime, clock, ports: { ...service.runtime.ports, queue } };
afterAll(() => service.close());

const jobs = async () =>
  (await listJobs(runtime.ports.records, OPERATOR_ORG, [READ_FACTS_JOB], {}, { limit: 10, offset: 0 })).jobs;

it("starts no job in a new installation, one once there are memories, and another a day after a failure", async () => {
  expect(await readFactsIfDue(runtime)).toBe(0);
  await service.request("POST", "/memories", { key: service.adminKey, body: { content: "I live in Lisbon." } });
  const begun = await Promise.all([readFactsIfDue(runtime), readFactsIfDue(runtime), readFactsIfDue(runtime)]);
  expect(begun.sort()).toEqual([0, 0, 1]);
  expect(await readFactsIfDue(runtime)).toBe(0);
  const [job] = await jobs();
  if (job) await runtime.ports.records.write(replaceJob(job, ended("failed", clock(), new Error("down"))).write);
  expect(await readFactsIfDue(runtime)).toBe(0);
  ahead += DAY_MS;
  expect(await readFactsIfDue(runtime)).toBe(1);
  expect(await jobs()).toHaveLength(2);
});

it("reads the facts of an earlier release anew, except those that people decided about", async () => {
  const caller = { key: service.adminKey };
  const stored = await service.request("POST", "/memories", { ...caller, body: { content: "I live in Porto." } });
  const { id } = stored.body.data;
  const org = (await listOrganizations(runtime.ports.records).next()).value?.id ?? "";
  const provenance = { written_by: "unknown", door: "unknown" as const, derived_from: id };
  const former = (name: string, decided: object) => ({
    provenance,
    ...{ id: `fact_${name}`, org, memory_id: id, subject: "user", attribute: "", value: name, act: "state" as const },
    ...{ cardinality: "open" as never, confidence: 0.5, span: { start: 0, end: 1 }, content: name, version: 1 },
    ...{ observed_at: "2026-01-01T00:00:00.000+00:00", created_at: "2026-01-01T00:00:00.000+00:00", ...decided },
  });
  const corrected = { action: "corrected" as const, by: "user_1", at: "2026-01-02T00:00:00.000Z" };
  const facts = [former("remark", {}), former("decided", { attribute: "likes", decisions: [corrected] })];
  const observations = facts.map((fact) => ({ ...referenceTo(fact) }));
  await runtime.ports.records.write(
    { update: memoryKey(org, id), set: { observations, facts_format: 1 }, condition: "present" },
    ...facts.map(putFact),
  );
  const job = { checkpoint: { checked: 0, read: 0 } } as Parameters<typeof factsBackfill.step>[1]["job"];
  await factsBackfill.step({ ...runtime, org: OPERATOR_ORG }, { job } as Parameters<typeof factsBackfill.step>[1]);
  const { body } = await service.request("GET", `/memories/${id}`, caller);
  const [statement] = body.data.facts;
  expect(statement.fact_ids).toHaveLength(1);
  const read = await service.request("GET", `/facts/${statement.fact_ids[0]}`, caller);
  expect(read.body.data).toMatchObject({ attribute: "lives_in", value: "Porto", memory_id: id });
  const record = await runtime.ports.records.get(memoryKey(org, id));
  expect(record?.observations).toEqual([
    { id: "fact_decided", slot: "user|likes", is_decided: true, confidence: 0.5 },
    expect.objectContaining({ id: statement.fact_ids[0], slot: "user|lives_in" }),
  ]);
  expect((await service.request("GET", "/facts/fact_decided", caller)).status).toBe(200);
  expect((await service.request("GET", "/facts/fact_remark", caller)).status).toBe(404);
});
