import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalService, openService } from "../../test/support/service.ts";
import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import { ended } from "../jobs/job.ts";
import { listJobs, replaceJob } from "../jobs/records.ts";
import type { Home } from "../platform/context.ts";
import { readFactsIfDue } from "./begin-backfill.ts";

const DAY_MS = 86_400_000;

let service: LocalService;
let home: Home;
let ahead = 0;

beforeAll(async () => {
  service = await openService();
  const queue = new Proxy(service.home.ports.queue, {
    get: (port, name) => (name === "send" ? async () => undefined : Reflect.get(port, name)),
  });
  const clock = () => service.home.clock() + ahead;
  home = { ...service.home, clock, ports: { ...service.home.ports, queue } };
});
afterAll(() => service.close());

const jobs = async () =>
  (await listJobs(home.ports.records, OPERATOR_ORG, ["read_facts"], {}, { limit: 10, offset: 0 })).jobs;

it("begins nothing in a new home, one job once there are memories, and another one a day after that failed", async () => {
  expect(await readFactsIfDue(home)).toBe(0);
  await service.request("POST", "/memories", { key: service.adminKey, body: { content: "I live in Lisbon." } });
  const begun = await Promise.all([readFactsIfDue(home), readFactsIfDue(home), readFactsIfDue(home)]);
  expect(begun.sort()).toEqual([0, 0, 1]);
  expect(await readFactsIfDue(home)).toBe(0);
  const [job] = await jobs();
  if (job) await home.ports.records.write(replaceJob(job, ended("failed", home.clock(), new Error("down"))).write);
  expect(await readFactsIfDue(home)).toBe(0);
  ahead += DAY_MS;
  expect(await readFactsIfDue(home)).toBe(1);
  expect(await jobs()).toHaveLength(2);
});
