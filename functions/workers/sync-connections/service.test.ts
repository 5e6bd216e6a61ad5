import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { workOnConnection } from "../../../shared/connections/background.ts";
import { announceDue } from "../../../shared/connections/due.ts";
import { takeLease } from "../../../shared/connections/lease.ts";
import { findConnection, findSync, listConnections } from "../../../shared/connections/records.ts";
import { synchronize } from "../../../shared/connections/synchronize.ts";
import { silentLogger } from "../../../shared/kernel/logger.ts";
import type { OrgHome } from "../../../shared/platform/context.ts";
import { RecordTooLarge } from "../../../shared/platform/errors.ts";
import type { RecordStore, Write } from "../../../shared/platform/ports.ts";
import { SYNC_QUEUE } from "../../../shared/platform/queues.ts";
import { listSources, listSourcesBroughtBy } from "../../../shared/sources/records.ts";
import { type GitHubStandIn, startGitHub } from "../../../test/fixtures/connections/github.ts";
import { startWebsite } from "../../../test/fixtures/connections/website.ts";
import { createOrganization, type LocalService, openService } from "../../../test/support/service.ts";

const FILES = 20;
const MINUTE = 60_000;

let service: LocalService;
let github: GitHubStandIn;
let home: OrgHome;
let key: string;
let now = Date.now();

const openBucket = () => Promise.reject(new Error("there is no bucket in these tests"));

beforeAll(async () => {
  service = await openService({ ALLOW_PRIVATE_TARGETS: "1" }, () => now);
});
afterAll(() => service.close());
beforeEach(async () => {
  now = Date.now();
  const owner = await createOrganization(service);
  ({ key } = owner);
  home = { ...service.home, org: owner.org };
  github = await startGitHub();
  for (let place = 0; place < FILES; place++) github.files.set(`file-${place}.md`, `Text number ${place}.`);
});
afterEach(() => github.close());

async function connect(config: object = {}): Promise<string> {
  const body = {
    config: {
      base_url: github.url,
      owner: "ada",
      repo: "notes",
      access_token: github.token,
      sync_interval_minutes: 0,
      ...config,
    },
  };
  return (await service.request("POST", "/connections/code_host", { key, body })).body.id;
}

async function connectionOf(id: string) {
  const connection = await findConnection(home.ports.records, home.org, id);
  if (!connection) throw new Error("the connection is gone");
  return connection;
}

async function sourcesOf(id: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const source of listSourcesBroughtBy(home.ports.records, home.org, id)) ids.push(source);
  return ids;
}

const message = (connection_id: string) => ({ org: home.org, connection_id });

describe("a synchronization", () => {
  it("comes to the same however often it is broken off", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 8, max: 120 }), async (steps) => {
        const id = await connect();
        let state = await findSync(home.ports.records, home.org, id);
        let turns = 0;
        // Time passes with each look at the clock alone, so that a turn is over after so many.
        const hurried = { ...home, clock: () => ++now };
        do {
          const deadline = now + steps;
          const end = await synchronize(hurried, await connectionOf(id), { openBucket, deadline });
          expect(end?.fault).toBeUndefined();
          state = end?.state;
        } while (state?.is_running && ++turns < 100);
        expect(state).toMatchObject({ is_running: false, counts: { sources_created: FILES, skipped: 0, failed: 0 } });
        expect(await sourcesOf(id)).toHaveLength(FILES);
      }),
      { numRuns: 4 },
    );
  });

  it("of a website gets further each turn, however slowly robots are to go", async () => {
    const site = await startWebsite();
    try {
      site.pages.set("/robots.txt", "User-agent: *\nCrawl-delay: 0.4");
      site.pages.set("/sitemap.xml", "<urlset/>");
      for (let place = 0; place < 6; place++) site.pages.set(`/${place}.txt`, `Page ${place}`);
      site.pages.set("/", [0, 1, 2, 3, 4, 5].map((place) => `<p>Page</p><a href="/${place}.txt">one</a>`).join(""));
      const config = { url: `${site.url}/`, sync_interval_minutes: 0 };
      const { id } = (await service.request("POST", "/connections/web_crawler", { key, body: { config } })).body;
      const awake = { ...home, clock: Date.now };
      let turns = 0;
      for (; turns < 60; turns++) {
        const end = await synchronize(awake, await connectionOf(id), { openBucket, deadline: Date.now() + 1_000 });
        if (end && !end.state.is_running) break;
      }
      expect(turns).toBeGreaterThan(1);
      expect((await connectionOf(id)).last_sync).toMatchObject({ status: "completed", sources_created: 7, failed: 0 });
      expect(site.requests.filter((each) => each === "GET /3.txt")).toHaveLength(1);
    } finally {
      await site.close();
    }
  });

  it("goes on after a worker that died, once its lease is over", async () => {
    const id = await connect();
    await takeLease(home, id);
    expect(await synchronize(home, await connectionOf(id), { openBucket, deadline: now + MINUTE })).toBeUndefined();
    now += 3 * MINUTE;
    const end = await synchronize(home, await connectionOf(id), { openBucket, deadline: now + MINUTE });
    expect(end?.state.counts.sources_created).toBe(FILES);
  });

  it("takes no harm from messages that come twice, late, or for nothing", async () => {
    const id = await connect({ sync_interval_minutes: 60 });
    await Promise.all([1, 2, 3].map(() => workOnConnection(home, message(id), { openBucket })));
    expect(await sourcesOf(id)).toHaveLength(FILES);
    github.requests.length = 0;
    await workOnConnection(home, message(id), { openBucket });
    await workOnConnection(home, message("conn_absent"), { openBucket });
    expect(github.requests).toEqual([]);
  });

  it("brings the others where one document fails, and that one the next time", async () => {
    const id = await connect();
    const run = async () =>
      (await synchronize(home, await connectionOf(id), { openBucket, deadline: now + MINUTE }))?.state;
    github.broken.add("file-3.md");
    const first = await run();
    expect(first?.counts).toMatchObject({ sources_created: FILES - 1, failed: 1 });
    expect(first?.failures).toEqual([
      { external_id: "ada/notes/file-3.md", code: "FETCH_FAILED", reason: expect.stringContaining("500") },
    ]);
    github.broken.clear();
    expect((await run())?.counts).toMatchObject({ sources_created: 1, skipped: 0, failed: 0 });
    expect((await run())?.counts).toMatchObject({ sources_created: 0, skipped: 0, failed: 0 });
    expect(await sourcesOf(id)).toHaveLength(FILES);
  });

  it("counts all that failed, and tells of as many as a record holds, however long their names are", async () => {
    const id = await connect();
    const failing = Array.from({ length: 30 }, (_, place) => `${place}-${"x".repeat(16_000)}.md`);
    for (const [place, name] of failing.entries()) {
      github.files.set(name, `Refused number ${place}.`);
      github.refused.add(name);
      for (const other of ["a", "b"]) github.files.set(`${place}-${other}.md`, `${other} beside number ${place}.`);
    }
    const end = await synchronize(home, await connectionOf(id), { openBucket, deadline: now + MINUTE });
    expect(end?.fault).toBeUndefined();
    expect(end?.state.counts).toMatchObject({ sources_created: FILES + 60, failed: 30 });
    expect(end?.state.failures.length).toBeGreaterThan(1);
    expect(end?.state.failures.length).toBeLessThan(10);
    expect((await connectionOf(id)).last_sync).toMatchObject({ status: "completed", failed: 30 });
  });

  it("whose place no record holds says that it failed, counts that, and begins its listing anew", async () => {
    const { records } = home.ports;
    const isTooLarge = (each: Write) =>
      "put" in each && each.put.kind === "connection_sync" && each.put.place !== undefined;
    const write: RecordStore["write"] = (...writes) =>
      writes.some(isTooLarge) ? Promise.reject(new RecordTooLarge()) : records.write(...writes);
    const narrow = new Proxy(records, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name);
        return name === "write" ? write : typeof own === "function" ? own.bind(target) : own;
      },
    });
    github.isLarge = true;
    github.files.set("docs/more.md", "In a folder, so that there is more than one part.");
    const id = await connect();
    const narrowHome = { ...home, logger: silentLogger, ports: { ...home.ports, records: narrow } };
    const end = await synchronize(narrowHome, await connectionOf(id), { openBucket, deadline: now + MINUTE });
    expect(end?.fault).toBeInstanceOf(RecordTooLarge);
    const state = await findSync(records, home.org, id);
    expect(state).toMatchObject({ attempts: 1, is_running: true, lease_until: 0, due_at: expect.any(String) });
    expect(state).not.toHaveProperty("place");
    expect((await connectionOf(id)).last_sync).toMatchObject({ status: "failed", sources_created: FILES });
    const next = await synchronize(home, await connectionOf(id), { openBucket, deadline: now + MINUTE });
    expect(next?.state).toMatchObject({ is_running: false, attempts: 0, counts: { sources_created: FILES + 1 } });
  });
});

describe("the sweep", () => {
  it("has connections synchronized when they are due, and not before", async () => {
    const sent: unknown[] = [];
    const queue = {
      ...home.ports.queue,
      send: async (name: string, messages: { body: unknown }[]) =>
        void sent.push(name, ...messages.map(({ body }) => body)),
    };
    const watched = { ...home, ports: { ...home.ports, queue } };
    const id = await connect({ sync_interval_minutes: 60 });
    const never = await connect();
    now += 1;
    const own = () => sent.filter((each) => JSON.stringify(each).includes(id));
    await announceDue(watched);
    expect(own()).toEqual([message(id)]);
    expect(sent).toContain(SYNC_QUEUE);
    await workOnConnection(home, message(id), { openBucket });
    now += 59 * MINUTE;
    sent.length = 0;
    await announceDue(watched);
    expect(own()).toEqual([]);
    now += 2 * MINUTE;
    await announceDue(watched);
    expect(own()).toEqual([message(id)]);
    expect(JSON.stringify(sent)).not.toContain(never);
    github.files.set("file-0.md", "Changed.");
    await workOnConnection(home, message(id), { openBucket });
    expect((await connectionOf(id)).last_sync).toMatchObject({
      status: "completed",
      sources_updated: 1,
      skipped: FILES - 1,
    });
  });
});

describe("removing a connection", () => {
  it("goes on by messages until nothing of it is left, and takes nothing else", async () => {
    const [id, other] = [await connect(), await connect()];
    for (const each of [id, other])
      await synchronize(home, await connectionOf(each), { openBucket, deadline: now + MINUTE });
    const lease = await takeLease(home, id);
    expect(lease).toBeDefined();
    const path = `/connections/${id}?delete_documents=true`;
    const { body } = await service.request("DELETE", path, { key });
    expect(body).toMatchObject({ status: "running", sources_deleted: 0 });
    now += 3 * MINUTE;
    await workOnConnection(home, message(id), { openBucket });
    expect(await sourcesOf(id)).toEqual([]);
    now += MINUTE;
    await workOnConnection(home, message(id), { openBucket });
    expect(await findConnection(home.ports.records, home.org, id)).toBeUndefined();
    expect(await findSync(home.ports.records, home.org, id)).toBeUndefined();
    expect(await sourcesOf(other)).toHaveLength(FILES);
    const page = { limit: 10, offset: 0 };
    expect((await listSources(home.ports.records, home.org, {}, page)).total).toBe(FILES);
    expect((await listConnections(home.ports.records, home.org, {}, page)).total).toBe(1);
  });
});
