import { writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { createOrganization, type LocalService, openService } from "../../../../test/support/service.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { listAudit } from "../../../runtime/audit/records.ts";
import { isOver } from "../../../runtime/jobs/job.ts";
import { listJobs } from "../../../runtime/jobs/records.ts";
import { CLEANUP_JOB, SYNC_JOB } from "./job-kinds.ts";
import { cleanUpIfDue, rebuildIndexIfDue } from "./routine.ts";

const LONG = "Ada drinks tea with Grace. ".repeat(3000);
const text = { bytes: Buffer.from("left by a process that died"), contentType: "text/plain" };

/** How far the service's clock is ahead. Blobs have the times of the machine's own clock. */
let ahead = 0;

beforeEach(() => {
  ahead = 0;
});

async function open(environment: Record<string, string> = {}): Promise<LocalService> {
  const service = await openService(environment, () => Date.now() + ahead);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await service.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...service, close };
}

async function putOrphan({ runtime }: LocalService): Promise<string> {
  const key = `content/org_1/${runtime.ids("memory")}/1`;
  await runtime.ports.blobs.put(key, text);
  return key;
}

/** Stores a memory whose content is a blob. */
async function storeLong(service: LocalService): Promise<{ key: string; id: string }> {
  const { key } = await createOrganization(service);
  const { body } = await service.request("POST", "/memories", { key, body: { content: LONG } });
  return { key, id: body.data.id };
}

const contentOf = async (service: LocalService, key: string, id: string) =>
  (await service.request("GET", `/memories/${id}`, { key })).body.data.content;

async function isReadable({ runtime }: LocalService, key: string): Promise<boolean> {
  return (await runtime.ports.blobs.get(key)) !== undefined;
}

async function jobsOf({ runtime }: LocalService, kind: "cleanup" | "sync") {
  const page = { limit: 10, offset: 0 };
  return (await listJobs(runtime.ports.records, OPERATOR_ORG, [kind === "sync" ? SYNC_JOB : CLEANUP_JOB], {}, page))
    .jobs;
}

async function untilOver(service: LocalService): Promise<void> {
  await vi.waitFor(
    async () => {
      const jobs = await jobsOf(service, "cleanup");
      expect(jobs.length).toBeGreaterThan(0);
      expect(jobs.filter((job) => !isOver(job))).toEqual([]);
    },
    { timeout: 10_000, interval: 50 },
  );
}

describe("the routine cleanup", () => {
  it("deletes orphaned blobs once a day without a request, and keeps those in use", async () => {
    const service = await open();
    const [orphan, { key, id }] = [await putOrphan(service), await storeLong(service)];
    expect(await cleanUpIfDue(service.runtime)).toBe(0);
    ahead = DAY_MS - 60_000;
    expect(await cleanUpIfDue(service.runtime)).toBe(0);
    ahead = 2 * DAY_MS;
    expect(await Promise.all([cleanUpIfDue(service.runtime), cleanUpIfDue(service.runtime)])).toEqual([1, 0]);
    await untilOver(service);
    expect(await isReadable(service, orphan)).toBe(false);
    expect(await contentOf(service, key, id)).toBe(LONG);
    expect(await cleanUpIfDue(service.runtime)).toBe(0);
    const [job] = await jobsOf(service, "cleanup");
    const page = { limit: 5, offset: 0 };
    const { entries } = await listAudit(service.runtime.ports.records, { org: OPERATOR_ORG }, {}, page);
    expect(entries).toMatchObject([{ action: "admin.cleanup", target: job?.id, actor: { kind: "system" } }]);
  });

  it("keeps blobs of the last day, and does not start beside an unfinished one", async () => {
    const service = await open();
    ahead = -2 * DAY_MS;
    await cleanUpIfDue(service.runtime);
    ahead = 0;
    const young = await putOrphan(service);
    expect(await cleanUpIfDue(service.runtime)).toBe(1);
    await untilOver(service);
    expect(await isReadable(service, young)).toBe(true);
    const send = vi.spyOn(service.runtime.ports.queue, "send").mockResolvedValue();
    ahead = 2 * DAY_MS;
    expect(await cleanUpIfDue(service.runtime)).toBe(1);
    ahead = 4 * DAY_MS;
    expect(await cleanUpIfDue(service.runtime)).toBe(0);
    send.mockRestore();
  });

  it("deletes at the next start what a crashed process left, and nothing newer", async () => {
    const environment = { DATA_DIR: temporaryFolder(), BOOTSTRAP_API_KEY: "a-key-of-tests-that-is-long-enough" };
    const former = await open(environment);
    const orphan = await putOrphan(former);
    const { key, id } = await storeLong(former);
    await former.close();
    writeFileSync(path.join(environment.DATA_DIR, "open.mark"), "");
    const service = await open(environment);
    const young = await putOrphan(service);
    await untilOver(service);
    expect([await isReadable(service, orphan), await isReadable(service, young)]).toEqual([false, true]);
    expect(await contentOf(service, key, id)).toBe(LONG);
    await service.close();
    const after = await open(environment);
    expect(await jobsOf(after, "cleanup")).toHaveLength(1);
  });
});

it("rebuilds the index once a day if only that replaces the former embedder's vectors", async () => {
  const service = await open();
  const { runtime } = service;
  const vectorState = vi.spyOn(runtime.ports.search, "vectorState");
  const state = { embedder: "next", pending: 1, compared: "none" } as const;
  const isDue = (needsRebuild: boolean) => vectorState.mockResolvedValue({ ...state, needsRebuild });
  const syncs = () => jobsOf(service, "sync");
  isDue(false);
  expect([await rebuildIndexIfDue(runtime), await syncs()]).toEqual([0, []]);
  isDue(true);
  const begun = await Promise.all([rebuildIndexIfDue(runtime), rebuildIndexIfDue(runtime)]);
  expect(begun.toSorted()).toEqual([0, 1]);
  await vi.waitFor(async () => expect((await syncs()).every(isOver)).toBe(true), { timeout: 20_000 });
  const [job] = await syncs();
  expect(job).toMatchObject({ state: "completed", input: { options: { full_sync: true } } });
  expect(await rebuildIndexIfDue(runtime)).toBe(0);
  ahead += DAY_MS + 1;
  expect(await rebuildIndexIfDue(runtime)).toBe(1);
});
