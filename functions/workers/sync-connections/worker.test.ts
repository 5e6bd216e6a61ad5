import * as fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { SYNC_CONNECTION_JOB } from "../../../shared/domain/knowledge/connections/job-kinds.ts";
import { findConnection, findSync, listConnections } from "../../../shared/domain/knowledge/connections/records.ts";
import { connectionRemoval } from "../../../shared/domain/knowledge/connections/remove.ts";
import { syncConnection } from "../../../shared/domain/knowledge/connections/synchronize.ts";
import { synchronizeNow } from "../../../shared/domain/knowledge/connections/synchronize-now.ts";
import { listSources, listSourcesOfConnection } from "../../../shared/domain/knowledge/sources/records.ts";
import { silentLogger } from "../../../shared/kernel/logger.ts";
import { ConditionFailedError, RecordTooLargeError } from "../../../shared/ports/errors.ts";
import { SYNC_QUEUE } from "../../../shared/ports/queues.ts";
import type { RecordStore, Write } from "../../../shared/ports/record-store.ts";
import type { OrgRuntime } from "../../../shared/runtime/context.ts";
import { findJob, replaceJob } from "../../../shared/runtime/jobs/records.ts";
import { runJob } from "../../../shared/runtime/jobs/run.ts";
import { sweepJobs } from "../../../shared/runtime/jobs/sweep.ts";
import { type GitHubStandIn, startGitHub } from "../../../test/fixtures/connections/github.ts";
import { startWebsite } from "../../../test/fixtures/connections/website.ts";
import { replaced } from "../../../test/support/replaced.ts";
import { createOrganization, openService } from "../../../test/support/service.ts";

const FILES = 20;
const MINUTE = 60_000;

let github: GitHubStandIn;
let runtime: OrgRuntime;
let key: string;
let now = Date.now();

const openBucket = () => Promise.reject(new Error("there is no bucket in these tests"));

const service = await openService({ ALLOW_PRIVATE_TARGETS: "1" }, () => now);
afterAll(() => service.close());
beforeEach(async () => {
  now = Date.now();
  const owner = await createOrganization(service);
  ({ key } = owner);
  runtime = { ...service.runtime, org: owner.org };
  github = await startGitHub();
  for (let index = 0; index < FILES; index++) github.files.set(`file-${index}.md`, `Text number ${index}.`);
});
afterEach(() => github.close());

async function connect(config: object = {}): Promise<string> {
  const repository = { base_url: github.url, owner: "ada", repo: "notes", access_token: github.token };
  const body = { config: { ...repository, sync_interval_minutes: 0, ...config } };
  return (await service.request("POST", "/connections/code_host", { key, body })).body.id;
}

async function connectionOf(id: string) {
  const connection = await findConnection(runtime.ports.records, runtime.org, id);
  if (!connection) throw new Error("the connection does not exist");
  return connection;
}

async function sourcesOf(id: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const source of listSourcesOfConnection(runtime.ports.records, runtime.org, id)) ids.push(source);
  return ids;
}

const sync = (id: string, by = runtime, turnMs = MINUTE) => synchronizeNow(by, id, { openBucket, turnMs });

/** The running or waiting sync job of a connection. */
async function jobOf(id: string) {
  const { sync_id = "" } = (await findSync(runtime.ports.records, runtime.org, id)) ?? {};
  return findJob(runtime.ports.records, runtime.org, sync_id, SYNC_CONNECTION_JOB);
}

/** Processes a job's message as the worker does. */
const work = (job_id: string) =>
  runJob(
    runtime,
    [syncConnection({ openBucket, turnMs: MINUTE }), connectionRemoval],
    { org: runtime.org, job: job_id },
    MINUTE,
  );

describe("a synchronization", () => {
  it("ends with the same result after any number of interruptions", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 8, max: 120 }), async (steps) => {
        const id = await connect();
        let end: Awaited<ReturnType<typeof sync>>;
        let turns = 0;
        // Only reading the clock advances it, so that a turn ends after that many reads.
        const hurried = { ...runtime, clock: () => ++now };
        do {
          end = await sync(id, hurried, steps);
          expect(end.fault).toBeUndefined();
        } while (end.job.state !== "completed" && ++turns < 100);
        expect(end.job.state).toBe("completed");
        expect(end.job.checkpoint.counts).toMatchObject({ sources_created: FILES, skipped: 0, failed: 0 });
        expect(await sourcesOf(id)).toHaveLength(FILES);
      }),
      { numRuns: 4 },
    );
  });

  it("of a website progresses each turn, even with a long crawl delay", async () => {
    const site = await startWebsite();
    try {
      site.pages.set("/robots.txt", "User-agent: *\nCrawl-delay: 0.4");
      site.pages.set("/sitemap.xml", "<urlset/>");
      for (let index = 0; index < 6; index++) site.pages.set(`/${index}.txt`, `Page ${index}`);
      site.pages.set("/", [0, 1, 2, 3, 4, 5].map((index) => `<p>Page</p><a href="/${index}.txt">one</a>`).join(""));
      const config = { url: `${site.url}/`, sync_interval_minutes: 0 };
      const { id } = (await service.request("POST", "/connections/web_crawler", { key, body: { config } })).body;
      const awake = { ...runtime, clock: Date.now };
      let turns = 0;
      for (; turns < 60; turns++) {
        if ((await sync(id, awake, 1_000)).job.state === "completed") break;
      }
      expect(turns).toBeGreaterThan(1);
      expect((await connectionOf(id)).last_sync).toMatchObject({ status: "completed", sources_created: 7, failed: 0 });
      expect(site.requests.filter((each) => each === "GET /3.txt")).toHaveLength(1);
    } finally {
      await site.close();
    }
  });

  it("stores the other documents if one fails, and that one the next time", async () => {
    const id = await connect();
    const run = async () => (await sync(id)).job.checkpoint;
    github.broken.add("file-3.md");
    const first = await run();
    expect(first.counts).toMatchObject({ sources_created: FILES - 1, failed: 1 });
    expect(first.failures).toEqual([
      { external_id: "ada/notes/file-3.md", code: "FETCH_FAILED", reason: expect.stringContaining("500") },
    ]);
    github.broken.clear();
    expect((await run()).counts).toMatchObject({ sources_created: 1, skipped: 0, failed: 0 });
    expect((await run()).counts).toMatchObject({ sources_created: 0, skipped: 0, failed: 0 });
    expect(await sourcesOf(id)).toHaveLength(FILES);
  });

  it("counts all failures, and lists as many as fit in a record", async () => {
    const id = await connect();
    const failing = Array.from({ length: 30 }, (_, index) => `${index}-${"x".repeat(16_000)}.md`);
    for (const [index, name] of failing.entries()) {
      github.files.set(name, `Refused number ${index}.`);
      github.refused.add(name);
      for (const other of ["a", "b"]) github.files.set(`${index}-${other}.md`, `${other} beside number ${index}.`);
    }
    const { job, fault } = await sync(id);
    expect(fault).toBeUndefined();
    expect(job.checkpoint.counts).toMatchObject({ sources_created: FILES + 60, failed: 30 });
    expect(job.checkpoint.failures.length).toBeGreaterThan(1);
    expect(job.checkpoint.failures.length).toBeLessThan(10);
    expect((await connectionOf(id)).last_sync).toMatchObject({ status: "completed", failed: 30 });
  });

  it("whose position exceeds a record fails, keeps its counts, and restarts its listing", async () => {
    const { records } = runtime.ports;
    const isTooLarge = (each: Write) =>
      "put" in each && each.put.kind === "sync_connection_job" && JSON.stringify(each.put).includes('"place"');
    const write: RecordStore["write"] = (...writes) =>
      writes.some(isTooLarge) ? Promise.reject(new RecordTooLargeError()) : records.write(...writes);
    github.isLarge = true;
    github.files.set("docs/more.md", "In a folder, so that there is more than one part.");
    const id = await connect();
    const narrowRuntime = {
      ...runtime,
      logger: silentLogger,
      ports: { ...runtime.ports, records: replaced(records, { write }) },
    };
    const end = await sync(id, narrowRuntime);
    expect(end.fault).toBeInstanceOf(RecordTooLargeError);
    const job = await jobOf(id);
    expect(job).toMatchObject({ state: "queued", attempts: 1, checkpoint: { counts: { sources_created: FILES } } });
    expect(job?.checkpoint).not.toHaveProperty("place");
    expect((await connectionOf(id)).last_sync).toMatchObject({ status: "failed", sources_created: FILES });
    const next = await sync(id);
    expect(next.job).toMatchObject({ state: "completed", checkpoint: { counts: { sources_created: FILES + 1 } } });
  });

  it("that fails permanently is followed by another one after a growing delay", async () => {
    const id = await connect();
    const secrets = new Proxy(runtime.ports.secrets, {
      get: () => () => Promise.reject(new Error("the store is unavailable")),
    });
    const broken = { ...runtime, logger: silentLogger, ports: { ...runtime.ports, secrets } };
    const waits: number[] = [];
    for (let run = 1; run <= 2; run++) {
      for (let attempt = 1; attempt <= 3; attempt++) await sync(id, broken);
      const job = await jobOf(id);
      expect(job).toMatchObject({ state: "queued", attempts: 0, input: { run: run + 1, failed_runs: run } });
      waits.push(Date.parse(job?.queued_at ?? "") - now);
    }
    expect(waits).toEqual([20 * MINUTE, 40 * MINUTE]);
    expect((await connectionOf(id)).last_sync).toMatchObject({ status: "failed", finished_at: expect.any(String) });
    await sync(id);
    expect((await connectionOf(id)).last_sync).toMatchObject({ status: "completed" });
    expect(await jobOf(id)).toBeUndefined();
  });

  it("waits for as long as the provider requests, and does not count as failed", async () => {
    const id = await connect();
    github.failNext({ status: 429, headers: { "retry-after": "600" }, json: {} });
    await sync(id);
    const job = await jobOf(id);
    expect(job).toMatchObject({ state: "running", attempts: 0 });
    expect(Date.parse(job?.queued_at ?? "") - now).toBe(600_000);
    expect((await connectionOf(id)).last_sync).toMatchObject({ status: "running" });
  });
});

describe("the sweep", () => {
  it("synchronizes connections only when they are due", async () => {
    const sent: unknown[] = [];
    const queue = {
      ...runtime.ports.queue,
      send: async (name: string, messages: { body: unknown }[]) =>
        void sent.push(name, ...messages.map(({ body }) => body)),
    };
    const watched = { ...runtime, ports: { ...runtime.ports, queue } };
    const id = await connect({ sync_interval_minutes: 60 });
    const never = await connect();
    now += 1;
    let waiting = (await jobOf(id))!;
    const sentBySweep = async () => {
      await sweepJobs(watched, [SYNC_CONNECTION_JOB]);
      return sent.filter((each) => JSON.stringify(each).includes(waiting.id));
    };
    expect(await sentBySweep()).toEqual([{ org: runtime.org, job: waiting.id }]);
    expect(sent).toContain(SYNC_QUEUE);
    await work(waiting.id);
    waiting = (await jobOf(id))!;
    now += 59 * MINUTE;
    sent.length = 0;
    expect(await sentBySweep()).toEqual([]);
    now += 2 * MINUTE;
    expect(await sentBySweep()).toEqual([{ org: runtime.org, job: waiting.id }]);
    expect(await jobOf(never)).toBeUndefined();
    github.files.set("file-0.md", "Changed.");
    await work(waiting.id);
    expect((await connectionOf(id)).last_sync).toMatchObject({
      status: "completed",
      sources_updated: 1,
      skipped: FILES - 1,
    });
  });
});

describe("a connection that is removed or changed", () => {
  /** Starts a sync that does not complete, and drops the message that makes another worker continue it. */
  async function running(id: string) {
    const queue = replaced(runtime.ports.queue, { send: async () => undefined });
    const alone = { ...runtime, clock: () => ++now, ports: { ...runtime.ports, queue } };
    const { job } = await sync(id, alone, 8);
    expect(job.state).toBe("running");
    return job;
  }

  it("is deleted at once with its sync and its documents, and other connections keep theirs", async () => {
    const [id, other] = [await connect(), await connect()];
    await sync(other);
    const job = await running(id);
    expect(await sourcesOf(id)).not.toEqual([]);
    const { body } = await service.request("DELETE", `/connections/${id}?delete_documents=true`, { key });
    expect(body).toMatchObject({ status: "completed", sources_deleted: expect.any(Number) });
    expect(await sourcesOf(id)).toEqual([]);
    expect(await findConnection(runtime.ports.records, runtime.org, id)).toBeUndefined();
    expect(await findJob(runtime.ports.records, runtime.org, job.id)).toBeUndefined();
    await expect(runtime.ports.records.write(replaceJob(job, {}).write)).rejects.toBeInstanceOf(ConditionFailedError);
    expect(await sourcesOf(other)).toHaveLength(FILES);
    const page = { limit: 10, offset: 0 };
    expect((await listSources(runtime.ports.records, runtime.org, {}, page)).total).toBe(FILES);
    expect((await listConnections(runtime.ports.records, runtime.org, {}, page)).total).toBe(1);
  });

  it("starts a new sync with changed credentials, and stops the one with the old ones", async () => {
    const id = await connect();
    const job = await running(id);
    const config = { access_token: github.token, sync_interval_minutes: 60 };
    const changed = await service.request("POST", "/connections/code_host", {
      key,
      body: { connection_id: id, config },
    });
    expect(changed.status).toBe(201);
    await expect(runtime.ports.records.write(replaceJob(job, {}).write)).rejects.toBeInstanceOf(ConditionFailedError);
    expect(await jobOf(id)).toMatchObject({ state: "queued", input: { run: job.input.run + 1 } });
    await sync(id);
    expect(await sourcesOf(id)).toHaveLength(FILES);
  });
});
