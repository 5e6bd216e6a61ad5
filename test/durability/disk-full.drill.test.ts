import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Database } from "../../shared/adapters/local/storage/sqlite.ts";
import { deadLettersOf } from "../../shared/ports/queues.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { type Answered, openService, type Service } from "../support/service.ts";
import { startService } from "../support/service-process.ts";

/** Enough time on a busy machine. */
const TIMEOUT_MS = 120_000;
const DISK_MB = 40;
/** Deletions that must succeed on a full disk, far more than fit into one write-ahead log. */
const DELETED = 40;
/** Concurrent writes, each of which shares its commit with others. */
const TOGETHER = 8;
/** Rounds of writes within which the disk must fill up. */
const MAX_ROUNDS = 200;
/** Maximum log lines about a full disk besides one per request, however often it is encountered. */
const MAX_LINES = 10;
const LONG = " and so on".repeat(7_000);
const WAITING = { timeout: 30_000, interval: 100 };
/** Longer than several attempts: a worker pauses for a second after a full disk. */
const SEVERAL_TRIES_MS = 2_500;
const UNLIMITED_PAGES = 4_294_967_294;

let serial = 0;

/** A content that search finds by a unique word; padded so that pages fill up. */
const newContent = (): string => `full${++serial} ${"told in Zurich ".repeat(40)}`;

/** Writes several memories concurrently, records the acknowledged ones and returns the refusals. */
async function writeTogether(service: Service, stored: Map<string, string>): Promise<Answered[]> {
  const contents = Array.from({ length: TOGETHER }, newContent);
  const post = (content: string) => service.request("POST", "/memories", { body: { content } });
  const answers = await Promise.all(contents.map(post));
  answers.forEach(({ status, body }, position) => {
    if (status === 201) stored.set(body.data.id, contents[position]!);
  });
  return answers.filter(({ status }) => status !== 201);
}

/** Writes until some writes are refused because the disk is full, and returns these refusals. */
async function writeUntilFull(service: Service, stored: Map<string, string>): Promise<Answered[]> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const refused = await writeTogether(service, stored);
    if (refused.length > 0) return refused;
  }
  throw new Error("the disk did not fill");
}

function expectRefusal({ status, headers, body }: Answered): void {
  expect(status, JSON.stringify(body)).toBe(503);
  expect(body).toMatchObject({
    success: false,
    error: { code: "SERVICE_UNAVAILABLE", message: expect.stringContaining("The disk is full") },
    meta: { request_id: expect.any(String) },
  });
  expect(headers.get("retry-after")).toBe("30");
}

/** Checks that every acknowledged memory exists with its complete content, and no other one. */
async function expectStored(service: Service, stored: Map<string, string>): Promise<void> {
  for (const [id, content] of stored) {
    const { status, body } = await service.request("GET", `/memories/${id}`);
    expect(status, id).toBe(200);
    expect(body.data.content).toBe(content);
  }
  const { body } = await service.request("GET", "/memories?limit=1");
  expect(body.data.pagination.total).toBe(stored.size);
}

/** Checks that search finds the last memories, which were written with hardly any space left. */
async function expectFound(service: Service, stored: Map<string, string>): Promise<void> {
  for (const [id, content] of [...stored].slice(-2 * TOGETHER)) {
    const query = `/search?q=${content.split(" ")[0]}&threshold=0&limit=5`;
    await vi.waitFor(async () => {
      const { body } = await service.request("GET", query);
      expect(body.data.results.map((result: { id: string }) => result.id)).toContain(id);
    }, WAITING);
  }
}

/** Checks the integrity of every database below a folder. */
function expectSound(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(sqlite|db)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const database = new DatabaseSync(path.join(folder, file));
    expect(database.prepare("PRAGMA integrity_check").all(), file).toEqual([{ integrity_check: "ok" }]);
    database.close();
  }
}

function fileOf(database: Database): string {
  return String(database.prepare("PRAGMA database_list").get()?.file);
}

/** Fills the pages that deleted rows left behind, in which a database that cannot grow could still write. */
function useFreePages(file: string): void {
  const database = new DatabaseSync(file);
  const numberOf = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  database.exec("CREATE TABLE IF NOT EXISTS ballast (bytes BLOB)");
  const bytes = numberOf("freelist_count") * numberOf("page_size");
  database.prepare("INSERT INTO ballast VALUES (zeroblob(?))").run(bytes);
  database.close();
}

describe("databases that cannot grow", { timeout: TIMEOUT_MS }, () => {
  test("refuse writes with a 503, keep their data, and accept writes again once they can grow", async () => {
    const databases = new Set<Database>();
    const prepare = Database.prototype.prepare;
    vi.spyOn(Database.prototype, "prepare").mockImplementation(function (this: Database, text) {
      databases.add(this);
      return prepare.call(this, text);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const allowPages = (pages: number, within = "") => {
      for (const database of databases) {
        if (fileOf(database).includes(within)) database.prepare(`PRAGMA max_page_count = ${pages}`).all();
      }
    };
    const service = await openService();
    onTestFinished(() => service.close());
    const stored = new Map<string, string>();
    expect(await writeTogether(service, stored)).toEqual([]);
    allowPages(1);
    const refused = await writeUntilFull(service, stored);
    for (const answer of refused) expectRefusal(answer);
    await expectStored(service, stored);
    allowPages(UNLIMITED_PAGES);
    expect(await writeTogether(service, stored)).toEqual([]);
    await expectStored(service, stored);
    await expectFound(service, stored);

    // There is space for the record but not for its index entry: the worker retries until there is.
    const ofSearch = `${path.sep}search${path.sep}`;
    for (const file of new Set([...databases].map(fileOf))) {
      // A group of index writes holds the file for a second.
      if (file.includes(ofSearch)) await vi.waitFor(() => useFreePages(file), WAITING);
    }
    allowPages(1, ofSearch);
    // Short enough for the connection that cannot grow; a thread has its own.
    const content = newContent().repeat(10);
    const answer = service.request("POST", "/memories", { body: { content } });
    const total = async () => (await service.request("GET", "/memories?limit=1")).body.data.pagination.total;
    await vi.waitFor(async () => expect(await total()).toBe(stored.size + 1), WAITING);
    const query = `/search?q=${content.split(" ")[0]}&threshold=0`;
    await sleep(SEVERAL_TRIES_MS);
    const { results } = (await service.request("GET", query)).body.data;
    expect(results.map((result: { content: string }) => result.content)).not.toContain(content);
    allowPages(UNLIMITED_PAGES);
    const { status, body } = await answer;
    expect(status).toBe(201);
    await expectFound(service, new Map([[body.data.id, content]]));
    const parked = await service.runtime.ports.queue.depth(deadLettersOf("index-memories"));
    expect(parked).toEqual({ waiting: 0, inFlight: 0, delayed: 0 });
  });
});

/** Mounts a small separate file system. Returns undefined if this process may not mount one. */
function mountSmallDisk(): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", folder], { stdio: "pipe" });
  } catch {
    return undefined;
  }
  // Hooks of a test run in reverse order, so the disk is unmounted before the folder is deleted.
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  return folder;
}

/** Fills the remaining space to the last byte. */
function fillUp(ballast: string): void {
  for (let bytes = DISK_MB * 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(bytes));
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
}

describe("a full disk", { timeout: TIMEOUT_MS }, () => {
  test("makes the service refuse writes, serve reads, and accept writes again without a restart", async ({ skip }) => {
    const disk = mountSmallDisk();
    if (disk === undefined) return skip("needs the right to mount a file system, as root has");
    const dataDir = path.join(disk, "data");
    const ballast = path.join(disk, "ballast");
    const lines: string[] = [];
    const service = await startService(dataDir, {}, (line) => lines.push(line));
    onTestFinished(() => service.kill());
    const stored = new Map<string, string>();
    expect(await writeTogether(service, stored)).toEqual([]);
    await expectFound(service, stored);
    fillUp(ballast);
    const linesBefore = lines.length;
    const refused = await writeUntilFull(service, stored);
    refused.push(await service.request("POST", "/memories", { body: { content: LONG } }));
    for (let round = 0; round < 3; round++) refused.push(...(await writeTogether(service, stored)));
    for (const answer of refused) expectRefusal(answer);
    await expectStored(service, stored);
    const search = await service.request("GET", "/search?q=Zurich&threshold=0");
    expect(search.body.data.results.length).toBeGreaterThan(0);
    const others = lines.slice(linesBefore).filter((line) => !line.includes('"REQUEST"'));
    expect(others.filter((line) => line.includes("DISK_FULL")).length).toBe(1);
    expect(others.length, others.join("\n")).toBeLessThanOrEqual(MAX_LINES);
    rmSync(ballast);
    expect(await writeTogether(service, stored)).toEqual([]);
    const { status, body } = await service.request("POST", "/memories", { body: { content: LONG } });
    expect(status).toBe(201);
    stored.set(body.data.id, LONG);
    await expectStored(service, stored);
    stored.delete(body.data.id);
    await expectFound(service, stored);
    await service.stop();
    expectSound(dataDir);
  });

  test("at the start lets the service read and delete, and write once there is space", async ({ skip }) => {
    const disk = mountSmallDisk();
    if (disk === undefined) return skip("needs the right to mount a file system, as root has");
    const dataDir = path.join(disk, "data");
    const ballast = path.join(disk, "ballast");
    const first = await startService(dataDir, { EMBEDDER: "lexical" });
    onTestFinished(() => first.kill());
    const stored = new Map<string, string>();
    for (let round = 0; round < DELETED / TOGETHER + 1; round++) expect(await writeTogether(first, stored)).toEqual([]);
    await first.stop();
    fillUp(ballast);
    const service = await startService(dataDir, { EMBEDDER: "lexical" });
    onTestFinished(() => service.kill());
    await expectStored(service, stored);
    await expectFound(service, stored);
    expectRefusal(await service.request("POST", "/memories", { body: { content: "Ada" } }));
    const ready = await service.request("GET", "/ready", { key: null });
    expect([ready.status, ready.body.error.details.checks.records]).toEqual([503, false]);
    for (const id of [...stored.keys()].slice(0, DELETED)) {
      expect((await service.request("DELETE", `/memories/${id}`)).status).toBe(200);
      stored.delete(id);
    }
    await expectStored(service, stored);
    rmSync(ballast);
    await vi.waitFor(async () => expect(await writeTogether(service, stored)).toEqual([]), WAITING);
    await expectStored(service, stored);
    await service.stop();
    expectSound(dataDir);
  });
});
