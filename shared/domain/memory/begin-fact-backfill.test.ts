import { afterAll, expect, it } from "vitest";
import { replaced } from "../../../test/support/replaced.ts";
import { openService } from "../../../test/support/service.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { OPERATOR_ORG } from "../../runtime/access/operator.ts";
import { ended } from "../../runtime/jobs/job.ts";
import { listJobs, replaceJob } from "../../runtime/jobs/records.ts";
import { readFactsIfDue } from "./begin-fact-backfill.ts";

let ahead = 0;

const service = await openService();
const queue = replaced(service.runtime.ports.queue, { send: async () => undefined });
const clock = () => service.runtime.clock() + ahead;
const runtime = { ...service.runtime, clock, ports: { ...service.runtime.ports, queue } };
afterAll(() => service.close());

const jobs = async () =>
  (await listJobs(runtime.ports.records, OPERATOR_ORG, ["read_facts"], {}, { limit: 10, offset: 0 })).jobs;

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
